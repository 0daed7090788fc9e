import CoreGraphics
import CoreMedia
import CoreVideo
import MediaIO
import MediaRuntime

/// Still pictures of an asset, off the playback path: one reading position and one decoder serve all that is asked for,
/// run after run, in small steps on the medium's own queue. Any thread may ask.
package final class ImageExtraction: Sendable {
  private let core: AssetCore
  private let environment: EngineEnvironment
  /// Where an app's handlers are called: they may wait.
  private let handlers: SerialQueue
  private let state = Lock(State())
  private let live = LiveObject(.imageExtraction)

  private struct State {
    var runs: [ImageRun] = []
    /// The run that the extractor works for.
    var current: ImageRun?
    var tools: Tools?
    var isOpening = false
    /// A step is posted or runs.
    var isStepping = false
    var generation = Generation.first
    var idle: Ticket?
  }

  /// `@unchecked Sendable`: the extractor is touched on the medium's queue alone.
  private struct Tools: @unchecked Sendable {
    let media: OpenedMedia
    let extractor: FrameExtractor
  }

  /// How long what is open is kept for another run.
  private static let keepingTime = Nanoseconds.seconds(Int64(10))
  /// Small things that are done in one step.
  private static let stepLength = 8

  package init(_ core: AssetCore) {
    self.core = core
    environment = core.environment
    handlers = environment.scheduler.queue("images of \(core.url.lastPathComponent)", .blocking)
  }

  /// - Parameters:
  ///   - isDirect: the handler never waits, and is called on an engine queue.
  ///   - handler: called once for each request, in the order of time. `ImageRun.take` must follow each call: a few
  ///     pictures that nobody takes hold up the rest.
  package func start(
    _ requests: [ImageRequest], _ settings: ImageSettings, isDirect: Bool, _ handler: @escaping ImageRun.Handler
  ) -> ImageRun {
    let run = ImageRun(requests, settings, queue: isDirect ? nil : handlers, handler)
    run.whenChanged { [weak self] run in self?.changed(run) }
    for (index, request) in requests.enumerated() where !request.time.isValid || request.time.isIndefinite {
      run.answer(index, .failure(.noImage(at: request.time, core.url.absoluteString)))
    }
    state.withLock { state in
      state.runs.append(run)
      state.idle?.cancel()
      state.idle = nil
    }
    goOn()
    return run
  }

  package func cancelAll() {
    for run in state.withLock({ $0.runs }) { run.cancel() }
  }

  private func changed(_ run: ImageRun) {
    let source = state.withLock { state -> (any ByteSource)? in
      guard run.isFinished, state.current === run else { return nil }
      // Reading for it ends at once.
      state.generation = state.generation.next
      return state.tools?.media.source
    }
    source?.want(state.withLock { $0.generation })
    goOn()
  }

  // MARK: Opening

  private func goOn() {
    enum Next {
      case nothing
      case open
      case step(OpenedMedia)
    }
    let next = state.withLock { state -> Next in
      guard !state.isStepping, !state.isOpening, state.runs.contains(where: { $0.isFinished || !$0.isSaturated }) else {
        return .nothing
      }
      if let tools = state.tools {
        state.isStepping = true
        return .step(tools.media)
      }
      state.isOpening = true
      return .open
    }
    switch next {
    case .nothing: break
    case .open: open()
    case .step(let media): media.queue.post("image step") { self.step() }
    }
  }

  private func open() {
    core.load { result in
      if case .failure(let error) = result { return self.opened(.failure(error)) }
      if let media = self.core.takeOpened() { return self.opened(.success(media)) }
      _ = self.core.openAnother { self.opened($0) }
    }
  }

  private func opened(_ result: Result<OpenedMedia, MediaError>) {
    switch result.flatMap(tools) {
    case .success(let tools):
      state.withLock { state in
        state.isOpening = false
        state.tools = tools
        state.generation = tools.media.generation.next
      }
      goOn()
    case .failure(let error):
      let runs = state.withLock { state in
        state.isOpening = false
        defer { state.runs = [] }
        return state.runs
      }
      for run in runs { run.fail(error) }
    }
  }

  private func tools(_ media: OpenedMedia) -> Result<Tools, MediaError> {
    let tracks = media.description.tracks(of: .video)
    let decodable = tracks.filter(\.isDecodable)
    guard let track = decodable.first(where: \.isEnabled) ?? decodable.first ?? tracks.first else {
      return .failure(
        MediaError(
          .imageMissing, "The media has no video, so there is no picture. Choose a file with a video track.",
          address: media.source.address))
    }
    return .success(
      Tools(
        media: media,
        extractor: FrameExtractor(media, track, backend: environment.backend, scheduler: environment.scheduler)))
  }

  // MARK: Steps

  private func step() {
    let (work, generation) = state.withLock { state -> ((tools: Tools, run: ImageRun, isNew: Bool)?, Generation) in
      state.runs.removeAll { $0.isFinished }
      guard let tools = state.tools, let run = state.runs.first(where: { !$0.isSaturated }) else {
        state.isStepping = false
        state.current = state.current?.isFinished == true ? nil : state.current
        return (nil, state.generation)
      }
      let isNew = state.current !== run
      state.current = run
      return ((tools, run, isNew), state.generation)
    }
    guard let (tools, run, isNew) = work else { return rest() }
    tools.media.source.want(generation)
    if isNew {
      tools.extractor.begin(run.remaining.map { ($0, run.requests[$0]) }, generation)
    }
    advance(tools.extractor, run)
    tools.media.queue.post("image step") { self.step() }
  }

  private func advance(_ extractor: FrameExtractor, _ run: ImageRun) {
    for _ in 0..<Self.stepLength where !run.isFinished {
      do throws(MediaError) {
        switch try extractor.advance() {
        case .working: break
        case .failed(let index, let error): return run.answer(index, .failure(error))
        case .found(let index, let frame):
          return run.answer(index, Self.image(frame, run.settings))
        case .done:
          // What has no answer by now never gets one otherwise.
          return run.fail(MediaError(.decodeFailed, "The picture could not be decoded. Ask for another time."))
        }
      } catch {
        extractor.forgetPosition()
        guard !run.isFinished else { return }
        return run.fail(error)
      }
    }
  }

  private static func image(_ frame: VideoFrame, _ settings: ImageSettings) -> Result<ExtractedImage, MediaError> {
    do {
      let geometry = ImageGeometry(frame.picture.format, settings)
      let keepsRange = settings.keepsDynamicRange && frame.picture.format.color.isHighDynamicRange
      let scaled =
        keepsRange
        ? try frame.picture.pixelBuffer(
          format: kCVPixelFormatType_64RGBALE, width: geometry.width, height: geometry.height)
        : try frame.picture.standardBuffer(width: geometry.width, height: geometry.height)
      guard let turned = geometry.turn.applied(to: scaled, pixelBytes: keepsRange ? 8 : 4) else {
        throw MediaError.noMemory
      }
      return .success(
        ExtractedImage(
          buffer: turned, time: frame.time, dynamicRange: keepsRange ? frame.picture.format.color : nil))
    } catch let error as MediaError {
      return .failure(error)
    } catch {
      return .failure(
        MediaError(.conversionFailed, "The picture can't be converted. Ask for a smaller one.", cause: error))
    }
  }

  /// Nothing is left to do: what is open is kept for a while.
  private func rest() {
    let ticket = Ticket()
    let media = state.withLock { state -> OpenedMedia? in
      guard state.runs.isEmpty, !state.isStepping else { return nil }
      state.current = nil
      state.idle?.cancel()
      state.idle = ticket
      return state.tools?.media
    }
    goOn()
    guard let media else { return }
    media.queue.post("let go of the images' source", after: Self.keepingTime, ticket: ticket) { [weak self] in
      // Freed outside the lock.
      let unused = self?.state.withLock { state -> Tools? in
        guard state.runs.isEmpty, !state.isStepping, state.idle === ticket else { return nil }
        defer { (state.tools, state.idle) = (nil, nil) }
        return state.tools
      }
      withExtendedLifetime(unused) {}
    }
  }

  deinit {
    let (tools, idle) = state.withLock { ($0.tools, $0.idle) }
    idle?.cancel()
    handlers.close()
    // The decoder ends where it was used.
    if let tools { tools.media.queue.post("let go of the images' source") { withExtendedLifetime(tools) {} } }
  }
}

extension MediaError {
  fileprivate static var noMemory: MediaError {
    MediaError(.outOfMemory, "There is no memory for the picture. Ask for a smaller one.")
  }
}
