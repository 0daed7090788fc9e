package import MediaEngine
package import MediaRuntime

/// A perfect device on the scheduler's clock that keeps all it has played, frame by frame.
///
/// For tests of the engine's side; faults of devices are the virtual audio device's business.
package final class CapturingAudioSink: AudioSink {
  package let format: AudioDeviceFormat
  private let scheduler: any Scheduler
  private let rate: Double
  private let state = Lock(State())

  /// Frames right behind the one heard that can't be changed any more.
  private let fixedFrames: Int64

  private struct State {
    var samples: [Float] = []
    var written: Int64 = 0
    var mode = AudioLatencyMode.interactive
    var isRunning = false
    var anchorFrame: Int64 = 0
    var anchorTime = HostTime.zero
    var queue: SerialQueue?
    var handler: (@Sendable (AudioSinkEvent) -> Void)?
    var ticket: Ticket?
    var asks = 0
    var underruns = 0
    var isClosed = false
    var latePlaces: [Int64] = []
    var device: String?
  }

  /// - Parameter skew: the device's clock runs this much fast, in parts per million.
  package init(
    format: AudioDeviceFormat = .stereo48, skew: Double = 0, mode: AudioLatencyMode = .interactive,
    scheduler: any Scheduler
  ) {
    self.format = format
    self.scheduler = scheduler
    rate = Double(format.sampleRate) * (1 + skew / 1_000_000)
    fixedFrames = Int64(format.sampleRate / 50)
    state.withLock { $0.mode = mode }
  }

  package func setRunning(_ running: Bool) {
    let now = scheduler.now
    let (queue, handler) = state.withLock { state -> (SerialQueue?, (@Sendable (AudioSinkEvent) -> Void)?) in
      guard state.isRunning != running else { return (nil, nil) }
      state.anchorFrame = heard(state, now)
      state.anchorTime = now
      state.isRunning = running
      return (state.queue, state.handler)
    }
    queue?.post(running ? "device runs" : "device rests") { handler?(running ? .started : .stopped) }
    arm()
  }

  package func setDevice(_ name: String?) { state.withLock { $0.device = name } }

  package func setLatency(_ mode: AudioLatencyMode) {
    state.withLock { $0.mode = mode }
    arm()
  }

  package func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) -> Int {
    let now = scheduler.now
    let channels = format.channelCount
    let count = samples.count / channels
    let taken = state.withLock { state -> Int in
      let heard = heard(state, now)
      let floor = state.isRunning ? heard + fixedFrames : heard
      if frame < floor, frame + Int64(count) > heard, state.written > frame { state.latePlaces.append(frame) }
      let room = max(0, heard + target(state) * 4 - frame)
      let taken = min(Int64(count), room)
      let end = frame + taken
      if Int64(state.samples.count / channels) < end {
        state.samples.appendSilence(Int(end) * channels - state.samples.count)
      }
      let skipped = min(max(0, floor - frame), taken)
      let written = Int(skipped) * channels..<Int(taken) * channels
      let place = Int(frame) * channels
      state.samples.withUnsafeMutableBufferPointer { held in
        for index in written { held[place + index] = samples[index] }
      }
      state.written = max(state.written, end)
      return Int(taken)
    }
    arm()
    return taken
  }

  package func truncate(at frame: Int64) {
    state.withLock { state in
      guard frame < state.written else { return }
      state.written = max(frame, 0)
      state.samples.removeLast(max(0, state.samples.count - Int(state.written) * format.channelCount))
    }
  }

  package var writtenEnd: Int64 { state.withLock { $0.written } }

  package var rewriteFloor: Int64 {
    let now = scheduler.now
    return state.withLock { $0.isRunning ? heard($0, now) + fixedFrames : heard($0, now) }
  }

  package var targetFrames: Int64 { state.withLock { target($0) } }

  package func position() -> AudioPosition {
    let now = scheduler.now
    return state.withLock { state in
      AudioPosition(
        frame: heard(state, now), time: exactTime(state, now), isRunning: state.isRunning, measuredRate: rate)
    }
  }

  package func setEventHandler(on queue: SerialQueue, _ handler: @escaping @Sendable (AudioSinkEvent) -> Void) {
    state.withLock {
      $0.queue = queue
      $0.handler = handler
    }
  }

  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.ticket?.cancel()
      state.handler = nil
    }
  }

  // MARK: The clock

  private func heard(_ state: State, _ now: HostTime) -> Int64 {
    guard state.isRunning else { return state.anchorFrame }
    return state.anchorFrame + Int64(((now - state.anchorTime).seconds * rate).rounded(.down))
  }

  /// The instant at which the frame heard began.
  private func exactTime(_ state: State, _ now: HostTime) -> HostTime {
    guard state.isRunning else { return now }
    return state.anchorTime + .seconds(Double(heard(state, now) - state.anchorFrame) / rate)
  }

  private func target(_ state: State) -> Int64 {
    Int64(state.mode == .interactive ? format.sampleRate / 10 : format.sampleRate)
  }

  /// Asks for frames when what is queued falls to the target.
  private func arm() {
    let now = scheduler.now
    let ticket = Ticket()
    let (queue, wait) = state.withLock { state -> (SerialQueue?, Nanoseconds) in
      state.ticket?.cancel()
      guard state.isRunning, !state.isClosed else { return (nil, .zero) }
      state.ticket = ticket
      let frames = state.written - target(state) * 3 / 4 - heard(state, now)
      guard frames >= 0 else { return (nil, .zero) }
      return (state.queue, .seconds(Double(frames) / rate) + Nanoseconds(1))
    }
    queue?.post("device asks for frames", after: wait, ticket: ticket) { [weak self] in
      let handler = self?.state.withLock { state in
        state.asks += 1
        return state.handler
      }
      handler?(.needsFrames)
    }
  }

  // MARK: For the test

  /// The desktop asks for silence, or gives leave again.
  package func interrupt(_ began: Bool) {
    let (queue, handler) = state.withLock { ($0.queue, $0.handler) }
    queue?.post("interruption") { handler?(began ? .interruptionBegan : .interruptionEnded) }
  }

  /// The device that it was told to play on.
  package var device: String? { state.withLock { $0.device } }

  /// What was heard up to now, interleaved.
  package var played: [Float] {
    let now = scheduler.now
    return state.withLock { state in
      let end = Int(heard(state, now)) * format.channelCount
      if end <= state.samples.count { return Array(state.samples[..<end]) }
      return state.samples + [Float](repeating: 0, count: end - state.samples.count)
    }
  }

  /// How often more was asked for.
  package var askCount: Int { state.withLock { $0.asks } }
  package var isRunning: Bool { state.withLock { $0.isRunning } }
  /// Writes that came too late for part of what they wanted to change.
  package var latePlaces: [Int64] { state.withLock { $0.latePlaces } }
}

/// Makes `CapturingAudioSink`s and keeps them.
package final class CapturingAudioSinks: AudioSinkFactory {
  private let format: AudioDeviceFormat?
  private let skew: Double
  private let made = Lock<[CapturingAudioSink]>([])

  /// - Parameter format: nil takes what is preferred.
  package init(format: AudioDeviceFormat? = .stereo48, skew: Double = 0) {
    self.format = format
    self.skew = skew
  }

  package func sink(
    preferred: AudioDeviceFormat, device: String?, mode: AudioLatencyMode, scheduler: any Scheduler
  ) -> any AudioSink {
    let sink = CapturingAudioSink(format: format ?? preferred, skew: skew, mode: mode, scheduler: scheduler)
    sink.setDevice(device)
    made.withLock { $0.append(sink) }
    return sink
  }

  package var sinks: [CapturingAudioSink] { made.withLock { $0 } }
}
