package import MediaEngine
package import MediaRuntime

/// The null device: nothing is heard, time passes exactly.
package enum SilentSink {
  package static func make(
    format: AudioDeviceFormat, mode: AudioLatencyMode, scheduler: any Scheduler
  ) -> TimedAudioSink {
    TimedAudioSink(
      format: format, mode: mode, device: TimedDevice(burst: Int64(max(format.sampleRate / 100, 1))),
      scheduler: scheduler)
  }
}
