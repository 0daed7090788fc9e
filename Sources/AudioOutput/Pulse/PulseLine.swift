import CPulse
import MediaEngine
import MediaRuntime

/// The device's side of a sink: what libpulse's thread does for one line.
///
/// In steady state it empties the rings into its store, hands the changes to the server, and bends the clock; none of
/// that takes a lock of ours, allocates or logs. Asking the engine for frames posts one entry to a queue.
final class PulseLine: @unchecked Sendable {
  // Everything mutable is touched with the main loop's lock held (PulseServer).

  enum Phase {
    /// The server's answer is awaited.
    case waiting
    /// A stream plays silence until it is known which of its frames is heard when: the silent clock goes on meanwhile.
    case locking
    case attached
    /// No device: the clock runs free.
    case silent
    case closed
  }

  let server: PulseServer
  let port: LinePort
  let events: EventPort
  private(set) var device: String?
  /// Another device was chosen, and the stream is not there yet.
  private var movesWhenReady = false
  let format: AudioDeviceFormat
  let store: FrameStore

  var phase = Phase.waiting
  var clock: LineClock
  var stream: PulseStream?
  /// What `stream` was made with, for the lines's own calls.
  var library: PulseLibrary?

  private var isRunning = false
  private var mode: AudioLatencyMode
  private var targets: AudioTargets
  private var changed: Range<Int64> = 0..<0
  private var hasAsked = false
  private var isGap = false
  private var scratch: UnsafeMutableBufferPointer<Float>
  private var timer: Ticket?
  /// Looks after answers that the server owes.
  private var watcher: Ticket?
  /// Since the device was lost for good; nil while there is one or none was ever needed.
  private var isLost = false
  private var attempts = 0
  private var lockingStatements = 0
  private var isInterrupted = false

  init(server: PulseServer, port: LinePort, events: EventPort, device: String?) {
    self.server = server
    self.port = port
    self.events = events
    self.device = device
    format = port.format
    mode = port.mode
    targets = port.targets
    clock = LineClock(sampleRate: port.format.sampleRate, now: server.now)
    store = FrameStore(
      capacity: Int(port.capacity) + port.format.sampleRate / 10, channelCount: port.format.channelCount)
    scratch = .allocate(capacity: 2048 * port.format.channelCount)
  }

  deinit { scratch.deallocate() }

  private var heard: Int64 { Int64(clock.frame(at: server.now)) }

  // MARK: Serving the engine

  func serveIfCalled() {
    if port.takeCall() { serve() }
  }

  /// Does everything that the engine has asked for since the last time.
  func serve() {
    guard phase != .closed else { return }
    // Looked at before the rings are emptied: what was written before a start is in the store when it starts.
    let running = port.isRunningWanted
    empty()
    if port.mode != mode { changeMode() }
    if running != isRunning { run(running) }
    handOver()
    ask()
    if phase == .attached { stream?.askIfWorthIt() }
  }

  private func empty() {
    let heard = heard
    // A little is kept: the clock may be ahead of the device after a change.
    store.discard(before: heard - Int64(format.sampleRate / 20))
    let channels = format.channelCount
    while let command = port.nextCommand() {
      switch command.kind {
      case .truncate:
        note(command.frame..<max(command.frame, store.end))
        store.truncate(at: command.frame)
      case .write:
        var frame = command.frame
        let end = frame + Int64(command.count)
        while frame < end {
          let count = min(Int(end - frame), scratch.count / channels)
          let part = UnsafeMutableBufferPointer(rebasing: scratch[..<(count * channels)])
          guard port.read(into: part) == part.count else { break }
          note(store.write(UnsafeBufferPointer(part), at: frame))
          frame += Int64(count)
        }
        if command.frame + Int64(command.count) > port.handedOverEnd { hasAsked = false }
      }
    }
    port.setHandedOver(store.end)
  }

  private func note(_ frames: Range<Int64>) {
    guard !frames.isEmpty else { return }
    changed =
      changed.isEmpty
      ? frames : min(changed.lowerBound, frames.lowerBound)..<max(changed.upperBound, frames.upperBound)
  }

  private func handOver() {
    guard phase == .attached, let stream, !changed.isEmpty else {
      if phase != .attached { changed = 0..<0 }
      return
    }
    let first = max(changed.lowerBound, store.start)
    stream.write(store, first..<max(first, min(changed.upperBound, store.end)))
    stream.cut(at: max(store.end, first))
    changed = 0..<0
  }

  private func changeMode() {
    mode = port.mode
    targets = port.targets
    hasAsked = false
    stream?.setTargets(targets, mode)
  }

  private func ask() {
    guard isRunning else { return }
    let heard = heard
    if !hasAsked, store.end - heard < targets.lowWater {
      hasAsked = true
      events.send(.needsFrames)
    }
    if store.end > heard { isGap = false }
    if phase == .attached {
      // A device that has rendered far ahead before anything was written asks for nothing until that is over.
      let spare = store.end - heard - targets.lowWater / 2
      stream?.serve(by: spare > 0 ? server.now + .seconds(Double(spare) / clock.nominalRate) : nil)
      return
    }
    if clock.isRunning, store.end <= heard, !isGap {
      isGap = true
      events.send(.underrun)
    }
    armTimer(heard)
  }

  // MARK: Running

  private func run(_ running: Bool) {
    isRunning = running
    hasAsked = false
    isGap = false
    watch(after: running ? Self.startingLimit : Self.stoppingLimit)
    switch phase {
    case .attached:
      if running { handOver() }
      stream?.setCorked(!running)
      // A rest that was asked for and did not come yet: the line has never stopped moving.
      if running, clock.isRunning { events.send(.started) }
    case .silent, .locking:
      if running { clock.runFree(at: server.now) } else { clock.rest(at: server.now) }
      tell(running ? .started : .stopped)
      if !running {
        timer?.cancel()
        timer = nil
        if phase == .locking { settleAtRest() }
      }
    case .waiting:
      if !running { events.send(.stopped) }
    case .closed: break
    }
  }

  /// Only the server's next statement tells when something moves.
  var awaitsStatement: Bool { phase == .locking || isRunning && !clock.isRunning }

  private func publish() { port.clock.publish(clock) }

  /// Who hears of a start or a stop looks at the clock at once: it is published first.
  private func tell(_ event: AudioSinkEvent) {
    publish()
    events.send(event)
  }

  /// The server has corked the stream and says where it stands.
  func rested(at frame: Double?) {
    guard !isRunning, phase == .attached else { return }
    clock.rest(at: server.now, frame: frame)
    tell(.stopped)
  }

  /// A statement of the server: it plays `frame` now.
  func stated(_ frame: Double) {
    let now = server.now
    switch phase {
    case .attached:
      guard isRunning else { return }
      if clock.isRunning {
        clock.observe(frame, at: now)
      } else if frame > clock.anchorFrame {
        clock.start(at: now)
        clock.observe(frame, at: now)
        stream?.watchClosely()
        tell(.started)
      } else {
        return
      }
      publish()
      serve()
    case .locking:
      // The first ones come while the device starts.
      guard let stream, frame > Double(stream.base) else { return }
      lockingStatements += 1
      if lockingStatements >= 3 { lock(frame, now) }
    default: break
    }
  }

  /// From now on the stream's frames are the line's: the one heard by the silent clock is the one the device plays.
  private func lock(_ frame: Double, _ now: HostTime) {
    guard let stream else { return }
    stream.shift(by: Int64((clock.frame(at: now) - frame).rounded()))
    attach()
    clock.forgetRate(at: now)
  }

  private func settleAtRest() {
    guard let stream else { return }
    // Its frames were silence: the line begins where it rests.
    stream.setCorked(true)
    stream.close()
    self.stream = nil
    phase = .waiting
    server.retry(self, after: .zero)
  }

  private func attach() {
    phase = .attached
    attempts = 0
    timer?.cancel()
    timer = nil
    changed = store.start..<store.end
    handOver()
    if isRunning { watch(after: Self.startingLimit) }
    if isLost {
      isLost = false
      events.send(.deviceRecovered)
    }
    serve()
  }

  // MARK: Devices

  /// The server is there: makes a stream if there is none.
  func connect(_ library: PulseLibrary, _ context: OpaquePointer, anyDevice: Bool = false) {
    guard phase == .waiting || phase == .silent, stream == nil else { return }
    self.library = library
    let base = isLost || isRunning ? 0 : Int64(clock.anchorFrame)
    stream = PulseStream(
      line: self, library: library, context: context, base: base, device: anyDevice ? nil : device,
      targets: targets, mode: mode)
    if stream == nil { deviceFailed() }
  }

  /// The stream is made, corked.
  func streamReady() {
    moveToChosen()
    guard let stream else { return }
    if clock.isRunning {
      phase = .locking
      lockingStatements = 0
      stream.rebase(to: 0)
      stream.setCorked(false)
    } else {
      stream.rebase(to: Int64(clock.anchorFrame))
      attach()
      if isRunning { stream.setCorked(false) }
    }
  }

  /// The stream could not be made, or was killed.
  func deviceFailed() {
    let wanted = stream?.device
    let wasMade = stream?.isMade ?? false
    dropStream()
    if let wanted, !wasMade, let library, let context = server.readyContext {
      server.report(.warning, "There is no sound device “\(wanted)”: the default one plays.")
      phase = clock.isRunning ? .silent : .waiting
      connect(library, context, anyDevice: true)
      return
    }
    goSilent(
      MediaError(
        wasMade ? .outputLost : .outputUnavailable,
        wasMade
          ? "The sound device went away. Connect one to hear sound."
          : "The sound server has no device to play on. Connect one to hear sound."))
    let delay = Nanoseconds.milliseconds(min(500 << Int64(min(attempts, 4)), 5000))
    attempts += 1
    server.retry(self, after: delay)
  }

  /// Goes on without a device, in real time, with the same count.
  func goSilent(_ error: MediaError) {
    guard phase != .closed else { return }
    dropStream()
    phase = .silent
    let starts = isRunning && !clock.isRunning
    let stops = !isRunning && clock.isRunning
    if isRunning { clock.runFree(at: server.now) } else { clock.rest(at: server.now) }
    publish()
    if starts { events.send(.started) }
    // The device was asked to rest and will not answer any more.
    if stops { events.send(.stopped) }
    if !isLost {
      isLost = true
      events.send(.deviceLost(error))
    }
    if isInterrupted { interrupted(false) }
    serve()
  }

  private func dropStream() {
    stream?.close()
    stream = nil
  }

  // MARK: Bounds

  /// A sink that had nothing to play may have rendered two seconds of silence ahead (PulseAudio's null sink does), which
  /// have to pass first.
  private static let startingLimit = Nanoseconds.seconds(3 as Int64)
  private static let stoppingLimit = Nanoseconds.seconds(1 as Int64)
  /// For an answer on what is heard; the stream's own timer looks after it.
  static let statementLimit = Nanoseconds.seconds(4 as Int64)

  private func watch(after delay: Nanoseconds) {
    watcher?.cancel()
    let ticket = Ticket()
    watcher = ticket
    server.check(self, after: delay, ticket)
  }

  /// A server that hangs answers nothing and does not hang up either: whatever it owes has a limit, after which the line
  /// goes on without it. It is used again as soon as it answers.
  func check() {
    watcher = nil
    switch phase {
    case .attached where isRunning && clock.isRunning: return
    case .attached where isRunning, .waiting where isRunning:
      goSilent(MediaError(.outputUnavailable, "The sound device does not start. Choose another one to hear sound."))
    case .attached where clock.isRunning:
      goSilent(MediaError(.outputLost, "The sound server does not stop when told. Restart it to hear sound."))
    default: return
    }
    server.retry(self, after: .seconds(2 as Int64))
  }

  /// The server has not said for a while what is heard.
  func unanswered() {
    guard phase == .attached, isRunning, clock.isRunning else { return }
    goSilent(MediaError(.outputLost, "The sound server does not answer any more. Restart it to hear sound."))
    server.retry(self, after: .seconds(2 as Int64))
  }

  /// The device sleeps although it should play, or has woken.
  func suspended(_ isSuspended: Bool) {
    if !isSuspended { stream?.watchClosely() }
    guard isSuspended, isRunning, clock.isRunning, phase == .attached else { return }
    goSilent(MediaError(.outputLost, "The sound device was suspended. It plays again when it is given back."))
    server.retry(self, after: .seconds(2 as Int64))
  }

  func devicesChanged(_ library: PulseLibrary, _ context: OpaquePointer) {
    if stream == nil {
      connect(library, context)
    } else if let device, let stream, stream.isMade, stream.deviceName != device {
      // The wanted device may be back; if not, the server refuses.
      stream.move(to: device, context)
    }
  }

  /// The stream is moved, and goes on where it was; without one the next is made there.
  func choose(_ device: String?) {
    guard device != self.device else { return }
    self.device = device
    movesWhenReady = true
    moveToChosen()
  }

  private func moveToChosen() {
    guard movesWhenReady, let stream, stream.isMade, let context = server.readyContext else { return }
    movesWhenReady = false
    stream.move(to: device ?? "@DEFAULT_SINK@", context)
  }

  func moved() {
    clock.forgetRate(at: server.now)
    stream?.watchClosely()
    server.report(.info, "The sound goes to “\(stream?.deviceName ?? "?")” now.")
  }

  func ranDry() {
    guard phase == .attached, isRunning, !isGap else { return }
    stream?.watchClosely()
    serve()
    guard store.end <= heard + Int64(format.sampleRate / 2), changed.isEmpty else { return }
    isGap = true
    events.send(.underrun)
  }

  func interrupted(_ begins: Bool) {
    guard begins != isInterrupted else { return }
    isInterrupted = begins
    events.send(begins ? .interruptionBegan : .interruptionEnded)
  }

  var deviceName: String? { phase == .attached ? stream?.deviceName : nil }

  func close() {
    dropStream()
    timer?.cancel()
    watcher?.cancel()
    phase = .closed
  }

  // MARK: The silent clock

  func tick() {
    timer = nil
    serve()
  }

  /// While no device calls, a timer does: when more is to be asked for, or when the gap begins.
  private func armTimer(_ heard: Int64) {
    guard timer == nil, clock.isRunning, !isGap else { return }
    let frames = hasAsked ? store.end - heard : store.end - heard - targets.lowWater
    let ticket = Ticket()
    timer = ticket
    let delay = Nanoseconds.seconds(Double(max(frames, 0) + 1) / clock.nominalRate)
    server.tick(self, after: max(delay, .milliseconds(2)), ticket)
  }
}
