import MediaEngine
import MediaRuntime
import Synchronization

/// Carries heard frames to the file on a queue that may wait for the disk.
final class WaveWriter: FrameTaker, @unchecked Sendable {
  // The file and `hasFailed` belong to `queue`, `held` and `isOverfull` to the sink's lock; the rest never changes or has
  // a lock.
  private let file: WaveFile
  private var hasFailed = false
  private let channelCount: Int
  private let queue: SerialQueue
  /// Behind the end of the sound: written when more follows.
  private var held: Range<Int64>?
  private var isOverfull = false
  private let end = Lock<Int64?>(nil)
  private let failure = Lock<(@Sendable (MediaError) -> Void)?>(nil)
  /// Samples that wait for the disk.
  private let pending = Atomic<Int>(0)
  private let mostPending: Int
  /// What a step costs beside its samples.
  private static let stepCost = 64

  init(_ file: WaveFile, format: AudioDeviceFormat, scheduler: any Scheduler) {
    self.file = file
    channelCount = format.channelCount
    // A disk that has to start up takes some ten seconds.
    mostPending = 30 * format.sampleRate * format.channelCount
    queue = scheduler.queue("sound file", .blocking)
  }

  func onFailure(_ handler: @escaping @Sendable (MediaError) -> Void) { failure.withLock { $0 = handler } }

  func setEnd(_ frame: Int64?) { end.withLock { $0 = frame } }

  func take(_ samples: UnsafeBufferPointer<Float>?, frames: Range<Int64>) {
    let end = max(end.withLock { $0 } ?? .max, frames.lowerBound)
    let sounding = frames.lowerBound..<min(end, frames.upperBound)
    if !sounding.isEmpty {
      if let held { postSilence(held.count) }
      held = nil
      if let samples {
        let part = Array(samples.prefix(sounding.count * channelCount))
        post(part.count) { file throws(MediaError) in try file.append(part) }
      } else {
        postSilence(sounding.count)
      }
    }
    let rest = sounding.upperBound..<frames.upperBound
    if !rest.isEmpty { held = (held?.lowerBound ?? rest.lowerBound)..<rest.upperBound }
  }

  private func postSilence(_ count: Int) {
    post(0) { file throws(MediaError) in try file.appendSilence(frames: count) }
  }

  /// Runs `done` when everything taken until now stands in the file, also after the end.
  func flush(_ done: @escaping @Sendable () -> Void) {
    queue.task("sound file flushed") { done() }
  }

  func finish() {
    queue.post("sound file complete") { [self] in
      failure.withLock { $0 = nil }
      OpenCaptures.remove(self)
    }
    queue.close()
  }

  private func post(_ samples: Int, _ write: @escaping @Sendable (WaveFile) throws(MediaError) -> Void) {
    guard !isOverfull else { return }
    let cost = samples + Self.stepCost
    guard pending.add(cost, ordering: .relaxed).newValue <= mostPending else {
      isOverfull = true
      tell(
        MediaError(
          .writeFailed, "The sound file is written too slowly to keep up. Choose a place on another disk.",
          address: file.path))
      return
    }
    queue.post("write sound file") { [self] in
      defer { pending.subtract(cost, ordering: .relaxed) }
      guard !hasFailed else { return }
      do throws(MediaError) {
        try write(file)
      } catch {
        hasFailed = true
        tell(error)
      }
    }
  }

  private func tell(_ error: MediaError) {
    OpenCaptures.failed(error)
    let handler = failure.withLock { $0 }
    handler?(error)
  }
}
