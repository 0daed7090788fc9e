import CoreMedia
package import Foundation
package import MediaEngine
import MediaIO
import MediaRuntime

/// Plays a file from its start to its end through a whole player on virtual time, and writes down what was delivered.
package enum ConformancePlay {
  /// Virtual time that playing may take beyond the media's own, before it counts as stuck.
  private static let patience = Nanoseconds.seconds(Int64(60))

  /// - Parameters:
  ///   - backend: the production back end.
  ///   - longest: seconds of virtual time after which playing is given up, and the report says that it was not over.
  package static func report(of file: URL, backend: any MediaBackend, longest: Double = 36_000) -> PlaybackReport {
    let scheduler = VirtualScheduler()
    defer { scheduler.shutdown() }
    var report = play(file, backend, scheduler, longest)
    // What the player let go of may still be on its way out.
    scheduler.run(limit: .seconds(Int64(5)))
    report.leaks = Dictionary(uniqueKeysWithValues: LiveObject.alive.map { ($0.key.rawValue, $0.value) })
    return report
  }

  private static func play(_ file: URL, _ backend: any MediaBackend, _ scheduler: VirtualScheduler, _ longest: Double)
    -> PlaybackReport
  {
    let counting = CountingBackend(backend)
    let environment = EngineEnvironment(
      scheduler: scheduler, backend: counting, sources: LocalSourceOpener(), audioSinks: CapturingAudioSinks())
    let outcome = Lock(PlaybackReport())
    let frames = Lock<[PlaybackReport.Frame]>([])

    let player = PlayerCore(environment: environment)
    player.eventHandler = { event in
      guard case .notification(let notification) = event else { return }
      outcome.withLock {
        switch notification {
        case .didPlayToEnd: $0.didPlayToEndCount += 1
        case .failedToPlayToEnd(_, let error):
          $0.failedToPlayToEndCount += 1
          $0.failure = .init(code: error.code.number, message: error.message)
        default: break
        }
      }
    }
    var sourceOptions = SourceOptions()
    sourceOptions.prefersPreciseTiming = true
    let item = ItemCore(asset: AssetCore(url: file, options: sourceOptions, environment: environment))
    let output = VideoFrameOutput(.everyFrame(limit: 4))
    output.setHandlers(onDataAvailable: { [weak output] in
      while let frame = output?.takeNext() {
        let time = frame.time
        let hash = frame.picture.checksum()
        frames.withLock { $0.append(.init(value: time.value, timescale: time.timescale, hash: hash)) }
      }
    })
    item.addOutput(output)
    _ = player.replaceCurrentItem(item)
    player.play()

    let isOver = { @Sendable in
      item.snapshot.status == .failed
        || outcome.withLock { $0.didPlayToEndCount + $0.failedToPlayToEndCount > 0 }
    }
    var limit = patience
    for _ in 0..<2 {
      _ = scheduler.run(limit: limit, until: { isOver() || item.snapshot.status == .readyToPlay })
      guard !isOver() else { break }
      let seconds = item.snapshot.duration.isNumeric ? item.snapshot.duration.seconds : 3_600
      limit = .seconds(min(seconds * 2, longest)) + patience
      _ = scheduler.run(limit: limit, until: isOver)
    }
    let wasOver = isOver()
    // A second end, or a failure after the end, would come now.
    _ = scheduler.run(limit: .seconds(Int64(2)))

    var report = outcome.withLock { $0 }
    let snapshot = item.snapshot
    report.isReady = snapshot.status == .readyToPlay
    report.isStuck = !wasOver
    if report.failure == nil, let error = snapshot.error {
      report.failure = .init(code: error.code.number, message: error.message)
    }
    if case .success(let description)? = item.asset.description {
      report.covers = description.covers.count
      report.chapters = description.chapters.map { chapter in
        let range = chapter.timeRange
        return .init(start: range.start.seconds, end: range.end.seconds, title: chapter.title ?? "")
      }
    }
    report.duration = snapshot.duration.isNumeric ? snapshot.duration.seconds : nil
    let chosen = { (kind: TrackKind) in snapshot.tracks.first { $0.track.kind == kind && $0.isEnabled }?.track }
    let shown = frames.withLock { $0 }
    if let track = chosen(.video) { report.video = .init(stream: track.index, frames: shown) }
    if let (stream, sound) = counting.sound.max(by: { $0.value.samples < $1.value.samples }) {
      report.audio = .init(stream: stream, samples: sound.samples, rate: sound.rate)
    }
    _ = player.replaceCurrentItem(nil)
    player.close()
    return report
  }
}
