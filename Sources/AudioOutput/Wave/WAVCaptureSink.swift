package import MediaEngine
package import MediaRuntime

/// A counted device whose sound goes into a WAV file: exactly what would be heard, silence for what was missing. Silence
/// behind the end of the sound is kept only if more sound follows: the file ends where the sound does.
package final class WAVCaptureSink: AudioSink {
  private let sink: TimedAudioSink
  private let writer: WaveWriter

  package init(
    path: String, format: AudioDeviceFormat, mode: AudioLatencyMode, scheduler: any Scheduler
  ) throws(MediaError) {
    let file = try WaveFile(path: path, format: format)
    writer = WaveWriter(file, channelCount: format.channelCount, scheduler: scheduler)
    sink = TimedAudioSink(
      format: format, mode: mode, device: TimedDevice(burst: Int64(max(format.sampleRate / 100, 1))),
      scheduler: scheduler, taker: writer)
    writer.onFailure { [weak sink] error in sink?.send(.deviceLost(error)) }
    OpenCaptures.add(self, scheduler)
  }

  /// Runs `done` on an engine queue when everything heard until now stands in the file.
  package func flush(_ done: @escaping @Sendable () -> Void) {
    sink.update()
    writer.flush(done)
  }

  package var format: AudioDeviceFormat { sink.format }
  package func setRunning(_ running: Bool) { sink.setRunning(running) }
  package func setLatency(_ mode: AudioLatencyMode) { sink.setLatency(mode) }
  package func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) -> Int { sink.write(samples, at: frame) }
  package func setSoundEnd(_ frame: Int64?) {
    // What was heard until now counts by the end that was known then.
    sink.update()
    writer.setEnd(frame)
  }
  package func truncate(at frame: Int64) { sink.truncate(at: frame) }
  package var writtenEnd: Int64 { sink.writtenEnd }
  package var rewriteFloor: Int64 { sink.rewriteFloor }
  package var targetFrames: Int64 { sink.targetFrames }
  package func position() -> AudioPosition { sink.position() }
  package func setEventHandler(on queue: SerialQueue, _ handler: @escaping @Sendable (AudioSinkEvent) -> Void) {
    sink.setEventHandler(on: queue, handler)
  }
  package func close() {
    OpenCaptures.remove(self)
    sink.close()
  }
}

/// Carries heard frames to the file on a queue that may wait for the disk.
private final class WaveWriter: FrameTaker, @unchecked Sendable {
  // The file and `hasFailed` belong to `queue`, `held` to the sink's lock; the rest never changes or has a lock.
  private let file: WaveFile
  private var hasFailed = false
  private let channelCount: Int
  private let queue: SerialQueue
  /// Behind the end of the sound: written when more follows.
  private var held: Range<Int64>?
  private let end = Lock<Int64?>(nil)
  private let failure = Lock<(@Sendable (MediaError) -> Void)?>(nil)

  init(_ file: WaveFile, channelCount: Int, scheduler: any Scheduler) {
    self.file = file
    self.channelCount = channelCount
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
        post(Array(samples.prefix(sounding.count * channelCount)))
      } else {
        postSilence(sounding.count)
      }
    }
    let rest = sounding.upperBound..<frames.upperBound
    if !rest.isEmpty { held = (held?.lowerBound ?? rest.lowerBound)..<rest.upperBound }
  }

  private func postSilence(_ count: Int) {
    // A gap may be long: it is written in pieces.
    var rest = count
    while rest > 0 {
      let count = min(rest, 65_536)
      post([Float](repeating: 0, count: count * channelCount))
      rest -= count
    }
  }

  func flush(_ done: @escaping @Sendable () -> Void) { queue.post("sound file flushed", done) }

  func finish() {
    failure.withLock { $0 = nil }
    queue.close()
  }

  private func post(_ samples: [Float]) {
    queue.post("write sound file") { [self] in
      guard !hasFailed else { return }
      do throws(MediaError) {
        try file.append(samples)
      } catch {
        hasFailed = true
        let handler = failure.withLock { $0 }
        handler?(error)
      }
    }
  }
}
