import AVFoundation
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// What a façade test plays: made-up samples, or a real file through FFmpeg.
enum Clip: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case fake, real

  var testDescription: String { rawValue }
}

/// A virtual world with one clip of ten seconds, sound and picture. Everything goes through the public façade.
final class Stage: Sendable {
  let scheduler: VirtualScheduler
  let queue: SerialQueue
  let clip: Clip
  let url: URL
  let sinks = CapturingAudioSinks()
  private let bytes: StagedBytes

  private init(_ scheduler: VirtualScheduler, _ queue: SerialQueue, _ clip: Clip, _ bytes: StagedBytes, _ url: URL) {
    self.scheduler = scheduler
    self.queue = queue
    self.clip = clip
    self.bytes = bytes
    self.url = url
  }

  /// Runs a body in a virtual world.
  /// - Parameters:
  ///   - file: the fixture of the real clip.
  ///   - part: where the bytes stop until `release()`, as a part of the whole length.
  ///   - failure: from where on reading fails, as a part of the whole length.
  ///   - isRemote: bytes count as loaded only when they were read, and some seconds of them are wanted before playing.
  ///   - languages: what the user speaks.
  static func run(
    _ clip: Clip, file: String = "plain.mp4", media: ScriptedMedia = .make(), stallAt part: Double? = nil,
    failAt failure: Double? = nil, stallsAtOpening: Bool = false, isRemote: Bool = false,
    languages: [String] = [], _ body: @escaping @Sendable (Stage) async throws -> Void
  ) async throws {
    var options = VirtualScheduler.Options()
    options.plainTasks = .ignore
    try await VirtualScheduler.test(options, limit: .seconds(Int64(600))) { scheduler, queue in
      let bytes = try StagedBytes(
        clip, file: file, media: media, stallAt: part, failAt: failure, stallsAtOpening: stallsAtOpening,
        isRemote: isRemote)
      let stage = Stage(scheduler, queue, clip, bytes, bytes.url)
      var environment = EngineEnvironment(
        scheduler: scheduler, backend: bytes.backend, sources: bytes, audioSinks: stage.sinks)
      environment.preferredLanguages = languages
      try await EngineEnvironment.$override.withValue(environment) { try await body(stage) }
    }
  }

  /// Lets the bytes go on.
  func release() { bytes.release() }

  func sleep(_ milliseconds: Int64) async { await queue.sleep(.milliseconds(milliseconds)) }

  /// Moves virtual time until the condition holds; fails the test when it does not within the limit.
  func until(
    _ what: String, limit seconds: Double = 30, location: SourceLocation = #_sourceLocation,
    _ condition: @Sendable () -> Bool
  ) async {
    let end = scheduler.now + .seconds(seconds)
    while !condition() {
      guard scheduler.now < end else {
        Issue.record("Never happened: \(what)", sourceLocation: location)
        return
      }
      await sleep(2)
    }
  }

  /// A player with a ready item of the clip.
  func readyPlayer(_ make: @Sendable (AVPlayerItem) -> AVPlayer = { AVPlayer(playerItem: $0) }) async -> (
    AVPlayer, AVPlayerItem
  ) {
    let item = AVPlayerItem(url: url)
    let player = make(item)
    await until("ready") { item.status == .readyToPlay && item.isPlaybackLikelyToKeepUp }
    return (player, item)
  }
}

private struct Made {
  var sources: [ScriptedByteSource] = []
  var releases = 0
}

/// The clip's bytes under a script, and the backend that reads them.
private final class StagedBytes: SourceOpener {
  let url: URL
  let backend: any MediaBackend
  private let data: Data?
  private let length: Int64
  private let script: ScriptedByteSource.Script
  private let made = Lock(Made())
  private let fake: FakeBackend?

  init(
    _ clip: Clip, file: String, media: ScriptedMedia, stallAt part: Double?, failAt failure: Double?,
    stallsAtOpening: Bool, isRemote: Bool
  ) throws {
    let bytes: Int64
    switch clip {
    case .fake:
      let backend = FakeBackend()
      url = backend.add(media)
      self.backend = backend
      fake = backend
      data = nil
      bytes = media.byteLength
    case .real:
      url = try Fixture.url(file)
      backend = FFmpegMediaBackend()
      fake = nil
      let content = try Data(contentsOf: url)
      data = content
      bytes = Int64(content.count)
    }
    length = bytes
    var script = ScriptedByteSource.Script()
    let place = { (part: Double) in Int64(Double(bytes) * part) }
    if let part { script.happenings[place(part)] = .stall }
    if let failure {
      script.happenings[place(failure)] = .fail(MediaError(.sourceReadFailed, "The disk went away."))
    }
    script.stallsAtOpening = stallsAtOpening
    script.isRemote = isRemote
    script.mayBlock = part != nil || stallsAtOpening
    self.script = script
  }

  func source(for url: URL, options: SourceOptions, scheduler: any Scheduler) throws(MediaError) -> any ByteSource {
    guard url == self.url else {
      return try (fake ?? LocalSourceOpener() as any SourceOpener).source(
        for: url, options: options, scheduler: scheduler)
    }
    let source = ScriptedByteSource(
      url.absoluteString, data: data, length: length, script: script, scheduler: scheduler)
    let releases = made.withLock { made in
      made.sources.append(source)
      return made.releases
    }
    for _ in 0..<releases { source.release() }
    return source
  }

  func release() {
    let sources = made.withLock { made in
      made.releases += 1
      return made.sources
    }
    for source in sources { source.release() }
  }
}

extension Stage {
  /// A player that plays, at the clip's beginning.
  func playingPlayer() async -> (AVPlayer, AVPlayerItem) {
    let (player, item) = await readyPlayer()
    player.play()
    await until("playing") { player.timeControlStatus == .playing }
    return (player, item)
  }

  /// Notes each notification of this name and object until the token goes.
  func note(
    _ name: Notification.Name, of object: AnyObject, in record: Record,
    _ line: @escaping @Sendable (Notification) -> String = { _ in "posted" }
  ) -> NotificationToken {
    NotificationToken(name, object) { record.note(line($0)) }
  }
}

/// An observer of notifications that ends with this object.
final class NotificationToken {
  private let token: any NSObjectProtocol

  init(_ name: Notification.Name, _ object: AnyObject?, _ block: @escaping @Sendable (Notification) -> Void) {
    token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: block)
  }

  func end() { NotificationCenter.default.removeObserver(token) }

  deinit { end() }
}

/// Tells whether an object has been freed.
struct Weak<Object: AnyObject & Sendable>: Sendable {
  private weak let object: Object?

  init(_ object: Object) { self.object = object }

  var isGone: Bool { object == nil }
}

/// What happened, in order, from any thread.
final class Record: Sendable {
  private let lines = Lock<[String]>([])

  func note(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
  func count(_ line: String) -> Int { all.filter { $0 == line }.count }
  func clear() { lines.withLock { $0 = [] } }
}

func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
