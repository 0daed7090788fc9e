package import MediaEngine
package import MediaRuntime

/// A counted device whose sound goes into a WAV file: exactly what would be heard, silence for what was missing. Silence
/// behind the end of the sound is kept only if more sound follows: the file ends where the sound does.
package final class WAVCaptureSink: AudioSink {
  private let sink: TimedAudioSink
  let writer: WaveWriter

  package init(
    path: String, format: AudioDeviceFormat, mode: AudioLatencyMode, scheduler: any Scheduler
  ) throws(MediaError) {
    let file = try WaveFile(path: path, format: format)
    writer = WaveWriter(file, format: format, scheduler: scheduler)
    sink = TimedAudioSink(
      format: format, mode: mode, device: TimedDevice(burst: Int64(max(format.sampleRate / 100, 1))),
      scheduler: scheduler, taker: writer)
    writer.onFailure { [weak sink] error in sink?.send(.deviceLost(error)) }
    OpenCaptures.add(self, writer, scheduler)
  }

  /// Runs `done` on an engine queue when everything heard until now, or until the end, stands in the file.
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
  package func close() { sink.close() }
}
