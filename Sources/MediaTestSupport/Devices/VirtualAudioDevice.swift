package import AudioOutput
package import MediaEngine
package import MediaRuntime

/// A sound device on a scheduler's clock, with the options and faults of real ones; keeps what would be heard.
package final class VirtualAudioDevice: AudioSink {
  package struct Options: Sendable {
    /// Between being fetched and being heard.
    package var latency = Nanoseconds.zero
    /// What the device fetches at a time; cannot be changed once fetched.
    package var burst = Nanoseconds.milliseconds(10)
    /// How much faster than the host's clock the device runs, in parts per million.
    package var skew = 0
    package var keeping = HeardSound.Keeping.samples
    package var faults: [Fault] = []

    package init() {}
  }

  /// What goes wrong, counted from the device's creation.
  package enum Fault: Hashable, Sendable {
    /// There is no device from the start: silent in real time.
    case refusedOpen
    case lost(at: Nanoseconds)
    case recovered(at: Nanoseconds)
    /// The device plays silence for a while instead of what is queued.
    case underrun(at: Nanoseconds, frames: Int64)
    case interruption(at: Nanoseconds, until: Nanoseconds)
  }

  package let format: AudioDeviceFormat
  package let options: Options
  package let heard: HeardSound
  private let sink: TimedAudioSink
  private let queue: SerialQueue
  private let lost = Lock(false)

  package init(
    format: AudioDeviceFormat = .stereo48, mode: AudioLatencyMode = .interactive, options: Options = Options(),
    scheduler: any Scheduler
  ) {
    self.format = format
    self.options = options
    let rate = FrameRate(format.sampleRate)
    heard = HeardSound(channelCount: format.channelCount, keeping: options.keeping)
    let device = TimedDevice(
      skew: options.skew, latency: rate.frames(in: options.latency), burst: rate.frames(in: options.burst))
    sink = TimedAudioSink(format: format, mode: mode, device: device, scheduler: scheduler, taker: heard)
    queue = scheduler.queue("virtual device faults", .light)
    for fault in options.faults { arrange(fault) }
  }

  deinit { close() }

  private func arrange(_ fault: Fault) {
    switch fault {
    case .refusedOpen:
      lose(MediaError(.outputUnavailable, "The virtual device refuses to open: the test asked for it."))
    case .lost(let time):
      after(time) {
        $0.lose(MediaError(.outputLost, "The virtual device was lost: the test asked for it."))
      }
    case .recovered(let time): after(time) { $0.recover() }
    case .underrun(let time, let frames): after(time) { $0.sink.dropQueue(frames: frames) }
    case .interruption(let start, let end):
      after(start) { $0.sink.send(.interruptionBegan) }
      after(end) { $0.sink.send(.interruptionEnded) }
    }
  }

  private func after(_ time: Nanoseconds, _ fault: @escaping @Sendable (VirtualAudioDevice) -> Void) {
    queue.post("virtual device fault", after: time) { [weak self] in
      if let self { fault(self) }
    }
  }

  /// The device goes away now; the silent clock takes over with the same count.
  package func lose(_ error: MediaError) {
    lost.withLock { $0 = true }
    sink.setSkew(0)
    sink.send(.deviceLost(error))
  }

  package func recover() {
    lost.withLock { $0 = false }
    sink.setSkew(options.skew)
    sink.send(.deviceRecovered)
  }

  package var isLost: Bool { lost.withLock { $0 } }
  /// Late, rewritten and missing frames, underruns, up to now.
  package var counts: TimedLine.Counts { sink.counts }
  /// Brings `heard` up to the present instant.
  package func update() { sink.update() }

  package func setRunning(_ running: Bool) { sink.setRunning(running) }
  package func setLatency(_ mode: AudioLatencyMode) { sink.setLatency(mode) }
  package func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) -> Int { sink.write(samples, at: frame) }
  package func truncate(at frame: Int64) { sink.truncate(at: frame) }
  package var writtenEnd: Int64 { sink.writtenEnd }
  package var rewriteFloor: Int64 { sink.rewriteFloor }
  package var targetFrames: Int64 { sink.targetFrames }
  package func position() -> AudioPosition { sink.position() }
  package func setEventHandler(on queue: SerialQueue, _ handler: @escaping @Sendable (AudioSinkEvent) -> Void) {
    sink.setEventHandler(on: queue, handler)
  }

  package func close() {
    queue.close()
    sink.close()
  }
}

/// Makes virtual devices and remembers them, for `EngineEnvironment`.
package final class VirtualAudioDevices: AudioSinkFactory {
  package let options: VirtualAudioDevice.Options
  /// Every device made has this format if set, whatever is preferred.
  package let format: AudioDeviceFormat?
  private let made = Lock<[VirtualAudioDevice]>([])

  package init(options: VirtualAudioDevice.Options = .init(), format: AudioDeviceFormat? = .stereo48) {
    self.options = options
    self.format = format
  }

  package func sink(
    preferred: AudioDeviceFormat, device: String?, mode: AudioLatencyMode, scheduler: any Scheduler
  ) -> any AudioSink {
    let device = VirtualAudioDevice(
      format: format ?? preferred, mode: mode, options: options, scheduler: scheduler)
    made.withLock { $0.append(device) }
    return device
  }

  /// The devices made so far, oldest first.
  package var devices: [VirtualAudioDevice] { made.withLock { $0 } }
}
