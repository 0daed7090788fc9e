package import Foundation
package import MediaIO
package import MediaRuntime

/// The media behind an asset: opened once for all who ask. No I/O happens before the first `load`.
package final class AssetCore: Sendable {
  package let url: URL
  package let options: SourceOptions
  package let environment: EngineEnvironment

  private let state = Lock(State())
  private let live = LiveObject(.asset)

  package typealias Completion = @Sendable (Result<MediaDescription, MediaError>) -> Void

  private struct State {
    var phase = Phase.idle
    var waiters: [Completion] = []
    /// Opened by the last load and not yet taken by an item.
    var opened: OpenedMedia?
    var keeping: Ticket?
    var loads: UInt64 = 0
  }

  private enum Phase {
    case idle
    case loading(any ByteSource, Generation)
    case finished(Result<MediaDescription, MediaError>)
  }

  /// How long an opened source is kept for an item that may come; afterwards an item opens its own.
  private static let keepingTime = Nanoseconds.seconds(Int64(10))

  package init(url: URL, options: SourceOptions, environment: EngineEnvironment) {
    self.url = url
    self.options = options
    self.environment = environment
  }

  /// Nil until a load has ended. A failure stays.
  package var description: Result<MediaDescription, MediaError>? {
    state.withLock { state in
      if case .finished(let result) = state.phase { result } else { nil }
    }
  }

  /// One load serves everybody who asks while it runs, and later ones are answered from its result.
  /// The completion comes once, on an engine queue, or before this returns when the result is known.
  package func load(_ completion: @escaping Completion) {
    enum Answer {
      case now(Result<MediaDescription, MediaError>)
      case wait
      case start(UInt64)
    }
    let answer = state.withLock { state -> Answer in
      switch state.phase {
      case .finished(let result):
        return .now(result)
      case .loading:
        state.waiters.append(completion)
        return .wait
      case .idle:
        state.waiters.append(completion)
        state.loads &+= 1
        return .start(state.loads)
      }
    }
    switch answer {
    case .now(let result): completion(result)
    case .wait: break
    case .start(let load): start(load)
    }
  }

  /// Waits at a gate for the load's end: for Apple's synchronous getters only, never on an engine queue of the pool.
  package func loadBlocking() -> Result<MediaDescription, MediaError> {
    if let description { return description }
    let gate = Gate<Result<MediaDescription, MediaError>?>(environment.scheduler, "asset \(url.lastPathComponent)", nil)
    load { result in gate.withLock(signal: true) { $0 = result } }
    let answer = gate.wait("the description of \(url.lastPathComponent)", ready: { $0 != nil }, take: { $0 })
    if case .value(let result?) = answer { return result }
    return .failure(MediaError(.interrupted, "Loading was given up because the process is shutting down."))
  }

  /// Ends a running load at once: those who wait get `.interrupted`. A later `load` starts anew.
  package func cancelLoading() {
    let (source, generation, waiters) = state.withLock { state -> ((any ByteSource)?, Generation, [Completion]) in
      guard case .loading(let source, let generation) = state.phase else { return (nil, .first, []) }
      let waiters = state.waiters
      state.waiters = []
      state.phase = .idle
      state.loads &+= 1
      return (source, generation, waiters)
    }
    source?.want(generation.next)
    for waiter in waiters {
      waiter(.failure(MediaError(.interrupted, "Loading was cancelled.", address: url.absoluteString)))
    }
  }

  /// The pair that the last load opened, for the first item that asks; nil when it is gone.
  package func takeOpened() -> OpenedMedia? {
    state.withLock { state in
      let opened = state.opened
      state.opened = nil
      state.keeping?.cancel()
      state.keeping = nil
      return opened
    }
  }

  /// Opens an independent pair on the same address; used by items that came after the first.
  package func openAnother(_ completion: @escaping @Sendable (Result<OpenedMedia, MediaError>) -> Void)
    -> (any ByteSource)?
  {
    do {
      let source = try environment.sources.source(for: url, options: options, scheduler: environment.scheduler)
      open(source, .first, completion)
      return source
    } catch {
      completion(.failure(error))
      return nil
    }
  }

  // MARK: Loading

  private func start(_ load: UInt64) {
    let source: any ByteSource
    do {
      source = try environment.sources.source(for: url, options: options, scheduler: environment.scheduler)
    } catch {
      finish(load, .failure(error))
      return
    }
    let isWanted = state.withLock { state in
      guard state.loads == load else { return false }
      state.phase = .loading(source, .first)
      return true
    }
    guard isWanted else { return }
    open(source, .first) { [weak self] result in self?.finish(load, result) }
  }

  private func open(
    _ source: any ByteSource, _ generation: Generation,
    _ completion: @escaping @Sendable (Result<OpenedMedia, MediaError>) -> Void
  ) {
    let queue = environment.scheduler.queue("source \(url.lastPathComponent)", source.mayBlock ? .blocking : .light)
    let hints = SourceHints(
      pathExtension: url.pathExtension.isEmpty ? nil : url.pathExtension.lowercased(), mimeType: options.mimeType,
      prefersPreciseTiming: options.prefersPreciseTiming ?? url.isFileURL, measuresTiming: options.measuresTiming)
    let (backend, sideFiles) = (environment.backend, options.subtitleFiles)
    queue.post("open") {
      completion(Self.open(source, hints, sideFiles, backend, queue, generation))
    }
  }

  private static func open(
    _ source: any ByteSource, _ hints: SourceHints, _ sideFiles: [URL], _ backend: any MediaBackend,
    _ queue: SerialQueue, _ generation: Generation
  ) -> Result<OpenedMedia, MediaError> {
    source.want(generation)
    do {
      try source.open(generation)
    } catch {
      source.close()
      queue.close()
      return .failure(error)
    }
    let demuxer = backend.demuxer(source, hints: hints)
    do {
      var description = try demuxer.open(generation)
      var isAtStart = true
      // Reading a pipe through for its length would leave nothing to play.
      let isWanting = hints.measuresTiming || hints.prefersPreciseTiming && !description.isDurationPrecise
      if isWanting, source.isSeekable {
        description = try demuxer.preciseDescription(generation)
        isAtStart = false
      }
      return .success(
        OpenedMedia(
          source: source, demuxer: demuxer, queue: queue, description: description.adding(sideFiles: sideFiles),
          isAtStart: isAtStart,
          generation: generation))
    } catch {
      demuxer.close()
      source.close()
      queue.close()
      return .failure(error)
    }
  }

  private func finish(_ load: UInt64, _ result: Result<OpenedMedia, MediaError>) {
    let answer = result.map(\.description)
    let ticket = Ticket()
    let waiters = state.withLock { state -> [Completion] in
      guard state.loads == load else { return [] }
      state.phase = .finished(answer)
      if case .success(let opened) = result {
        state.opened = opened
        state.keeping = ticket
      }
      let waiters = state.waiters
      state.waiters = []
      return waiters
    }
    for waiter in waiters { waiter(answer) }
    if case .success(let opened) = result, state.withLock({ $0.keeping === ticket }) {
      opened.queue.post("let go of the unused source", after: Self.keepingTime, ticket: ticket) { [weak self] in
        _ = self?.takeOpened()
      }
    }
  }
}
