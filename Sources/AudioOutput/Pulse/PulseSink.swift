package import MediaEngine
package import MediaRuntime

/// A line on the sound server (PulseAudio, PipeWire), followed through changes and losses of devices.
///
/// This is the engine's side: it writes into lock-free rings and reads a published clock. The device's side is
/// `PulseLine`, on libpulse's own thread, of which the process has one for all sinks.
package final class PulseSink: AudioSink {
  /// How far ahead of what is heard a change still takes effect: the server's answer time with a margin.
  package static let rewriteMargin = Nanoseconds.milliseconds(20)

  package let format: AudioDeviceFormat
  private let scheduler: any Scheduler
  private let port: LinePort
  private let events = EventPort()
  private let server: PulseServer
  private let line: PulseLine
  private let margin: Int64

  package init(
    server: PulseServer, format: AudioDeviceFormat, device: String?, mode: AudioLatencyMode, scheduler: any Scheduler
  ) {
    self.format = format
    self.scheduler = scheduler
    self.server = server
    margin = FrameRate(format.sampleRate).frames(in: Self.rewriteMargin)
    port = LinePort(format: format, mode: mode, capacity: AudioTargets.capacity(sampleRate: format.sampleRate))
    line = PulseLine(server: server, port: port, events: events, device: device)
    server.open(line)
  }

  deinit { close() }

  package func setRunning(_ running: Bool) {
    guard running != port.isRunningWanted else { return }
    port.setRunning(running)
    wake()
  }

  package func setLatency(_ mode: AudioLatencyMode) {
    guard mode != port.mode else { return }
    port.setMode(mode)
    wake()
  }

  package func setDevice(_ name: String?) { server.setDevice(name, of: line) }

  package func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) -> Int {
    let heard = position().frame
    let end = port.writtenEnd
    let taken = port.write(samples, at: frame, floor: rewriteFloor, heard: heard)
    if frame < end || needsHandingOver(heard, since: end) { wake() }
    return taken
  }

  /// Few wake-ups: the device fetches by itself in good time unless it runs dry, the burst is complete, or the ring full.
  private func needsHandingOver(_ heard: Int64, since end: Int64) -> Bool {
    if port.isNearlyFull { return true }
    guard port.isRunningWanted else { return false }
    let targets = port.targets
    let soon = min(targets.target / 2, Int64(format.sampleRate / 4))
    // A burst ends near the target, not at it: what is heard has moved on meanwhile.
    let nearly = targets.target - Int64(format.sampleRate / 50)
    let isComplete = end - heard < nearly && port.writtenEnd - heard >= nearly
    return isComplete || port.handedOverEnd - heard < soon
  }

  package func truncate(at frame: Int64) {
    port.truncate(at: max(frame, rewriteFloor))
    wake()
  }

  package var writtenEnd: Int64 { port.writtenEnd }

  package var rewriteFloor: Int64 {
    let position = position()
    return position.isRunning || port.isRunningWanted ? position.frame + margin : position.frame
  }

  package var targetFrames: Int64 { port.targets.target }

  package func position() -> AudioPosition { port.clock.position(at: scheduler.now) }

  package func setEventHandler(on queue: SerialQueue, _ handler: @escaping @Sendable (AudioSinkEvent) -> Void) {
    events.open(on: queue, handler)
  }

  package func close() {
    events.close()
    server.close(line)
  }

  /// The name of the device that plays; nil while there is none. For tests and displays; waits for nothing but a lock.
  package func deviceName(_ answer: @escaping @Sendable (String?) -> Void) { server.deviceName(of: line, answer) }

  private func wake() {
    if port.call() { server.wake(line) }
  }
}
