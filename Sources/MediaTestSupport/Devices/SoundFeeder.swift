import Foundation
package import MediaEngine
package import MediaRuntime
package import Testing

/// Keeps a sink filled with a computed sound, as a renderer does, and changes gain by writing the unplayed tail again.
package final class SoundFeeder: Sendable {
  package typealias Sound = @Sendable (_ frame: Int64, _ channel: Int) -> Float

  /// From a frame on, `rampLength` frames from one gain to another.
  private struct Ramp {
    var frame: Int64
    var from: Float
    var to: Float
  }

  private struct State {
    var ramps: [Ramp] = []
    var gain: Float = 1
    var next: Int64 = 0
    /// Nothing is written from here on.
    var limit = Int64.max
    var log: [(event: AudioSinkEvent, time: HostTime)] = []
    var waiters: [(number: Int, matches: @Sendable (AudioSinkEvent) -> Bool, resume: @Sendable (Bool) -> Void)] = []
    var lastWaiter = 0
  }

  package let sink: any AudioSink
  package let queue: SerialQueue
  private let scheduler: any Scheduler
  private let sound: Sound
  private let gainChannel: Int?
  private let state = Lock(State())
  /// Frames of a change of gain: 10 ms.
  private let rampLength: Int64

  /// - Parameter gainChannel: the only channel that changes of gain act on; nil: all.
  package init(_ sink: any AudioSink, scheduler: any Scheduler, gainChannel: Int? = nil, sound: @escaping Sound) {
    self.gainChannel = gainChannel
    self.sink = sink
    self.scheduler = scheduler
    self.sound = sound
    rampLength = Int64(sink.format.sampleRate / 100)
    queue = scheduler.queue("sound feeder", .light)
    sink.setEventHandler(on: queue) { [weak self] event in self?.handle(event) }
  }

  /// A sine of this amplitude and frequency in all channels.
  package static func tone(_ frequency: Double, amplitude: Double = 0.5, sampleRate: Int = 48_000) -> Sound {
    { frame, _ in Float(amplitude * sin(2 * .pi * frequency * Double(frame) / Double(sampleRate))) }
  }

  /// Numbers the frames: left climbs from 0.25 to 0.75 over a second, right over 64 seconds.
  package static let numbers: Sound = { frame, channel in
    channel == 0 ? 0.25 + Float(frame % 48_000) / 96_000 : 0.25 + Float(frame / 48_000 % 64) / 128
  }

  /// Numbers the frames of a minute in the left channel; the right one is constant.
  package static let numbersBesideConstant: Sound = { frame, channel in
    channel == 0 ? 0.25 + Float(frame % 3_000_000) / 4_194_304 : 0.5
  }

  /// The frame that `numbersBesideConstant` gave this left sample; nil for silence.
  package static func minuteNumber(_ left: Float) -> Int64? {
    left >= 0.2 ? Int64(((left - 0.25) * 4_194_304).rounded()) : nil
  }

  /// The frame that `numbers` gave these samples; nil for silence.
  package static func number(_ left: Float, _ right: Float) -> Int64? {
    guard left >= 0.2, right >= 0.2 else { return nil }
    return Int64(((right - 0.25) * 128).rounded()) * 48_000 + Int64(((left - 0.25) * 96_000).rounded())
  }

  // MARK: From a test, on any task

  /// Runs a step on the feeder's queue, where all calls of the sink come from.
  package func run<Result: Sendable>(_ body: @escaping @Sendable (SoundFeeder) -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.post("feeder step") { continuation.resume(returning: body(self)) }
    }
  }

  package func start() async {
    await run { feeder in
      feeder.fill()
      feeder.sink.setRunning(true)
    }
  }

  package func stop() async { await run { $0.sink.setRunning(false) } }

  /// Kinds of events that tests wait for.
  package enum Kind: Hashable, Sendable {
    case needsFrames, started, stopped, underrun, deviceLost, deviceRecovered, interruptionBegan, interruptionEnded

    package init(_ event: AudioSinkEvent) {
      switch event {
      case .needsFrames: self = .needsFrames
      case .started: self = .started
      case .stopped: self = .stopped
      case .underrun: self = .underrun
      case .deviceLost: self = .deviceLost
      case .deviceRecovered: self = .deviceRecovered
      case .interruptionBegan: self = .interruptionBegan
      case .interruptionEnded: self = .interruptionEnded
      }
    }
  }

  package func event(_ kind: Kind, sourceLocation: SourceLocation = #_sourceLocation) async {
    await event({ Kind($0) == kind }, sourceLocation: sourceLocation)
  }

  /// Forgets earlier events, starts, and returns when the line moves.
  package func started(sourceLocation: SourceLocation = #_sourceLocation) async {
    clearEvents()
    await start()
    await event(.started, sourceLocation: sourceLocation)
  }

  /// Forgets earlier events, stops, and returns when the line rests.
  package func rested(sourceLocation: SourceLocation = #_sourceLocation) async {
    clearEvents()
    await stop()
    await event(.stopped, sourceLocation: sourceLocation)
  }

  package func has(_ kind: Kind) -> Bool { events.contains { Kind($0) == kind } }
  package func count(_ kind: Kind) -> Int { events.count { Kind($0) == kind } }

  /// Changes the gain as soon as it can be heard, over 10 ms.
  /// - Returns: the frame being heard when it was asked for.
  @discardableResult
  package func setGain(_ gain: Float) async -> Int64 {
    await run { feeder in
      let heard = feeder.sink.position().frame
      let floor = feeder.sink.rewriteFloor
      feeder.state.withLock { state in
        state.ramps.append(Ramp(frame: floor, from: state.gain, to: gain))
        state.gain = gain
        state.next = min(floor, feeder.sink.writtenEnd)
      }
      feeder.fill()
      return heard
    }
  }

  /// Nothing is written from a frame on.
  package func end(at frame: Int64) async {
    await run { feeder in
      feeder.state.withLock { $0.limit = frame }
      feeder.sink.truncate(at: frame)
    }
  }

  /// Returns when an event like this has come since the feeder was made or `clearEvents` was called. In real time it
  /// gives up after a while, so that a lost event is a failure, not a hang.
  package func event(
    _ matches: @escaping @Sendable (AudioSinkEvent) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let ticket = Ticket()
    let came = await withCheckedContinuation { continuation in
      let number = state.withLock { state -> Int? in
        if state.log.contains(where: { matches($0.event) }) { return nil }
        state.lastWaiter += 1
        state.waiters.append((state.lastWaiter, matches, { continuation.resume(returning: $0) }))
        return state.lastWaiter
      }
      guard let number else { return continuation.resume(returning: true) }
      guard !scheduler.isVirtual else { return }
      queue.post("sound feeder gives up", after: .seconds(20 as Int64), ticket: ticket) { [weak self] in
        self?.giveUp(number)
      }
    }
    ticket.cancel()
    if !came {
      let others = events.map { Kind($0) }.filter { $0 != .needsFrames }
      Issue.record(
        "The awaited event did not come; these did: \(others); \(sink.position())", sourceLocation: sourceLocation)
    }
  }

  private func giveUp(_ number: Int) {
    let late = state.withLock { state in
      let late = state.waiters.filter { $0.number == number }.map(\.resume)
      state.waiters.removeAll { $0.number == number }
      return late
    }
    for resume in late { resume(false) }
  }

  package var events: [AudioSinkEvent] { state.withLock { $0.log.map(\.event) } }
  package func clearEvents() { state.withLock { $0.log = [] } }

  // MARK: Feeding

  private func handle(_ event: AudioSinkEvent) {
    let now = scheduler.now
    let ready = state.withLock { state -> [@Sendable (Bool) -> Void] in
      state.log.append((event, now))
      let ready = state.waiters.filter { $0.matches(event) }.map(\.resume)
      state.waiters.removeAll { $0.matches(event) }
      return ready
    }
    if case .needsFrames = event { fill() }
    for resume in ready { resume(true) }
  }

  /// On the queue: writes up to the target as it is now. To follow it would last for ever where making the sound takes
  /// longer than playing it, and nothing else would have its turn on the queue; the sink asks again.
  package func fill() {
    let goal = min(sink.position().frame + sink.targetFrames, state.withLock { $0.limit })
    while true {
      let end = max(goal, min(sink.writtenEnd, state.withLock { $0.limit }))
      let frame = max(min(state.withLock { $0.next }, sink.writtenEnd), sink.rewriteFloor)
      let count = Int(min(end - frame, 1024))
      guard count > 0 else { return }
      let ramps = state.withLock { $0.ramps }
      let channels = sink.format.channelCount
      var samples = [Float](repeating: 0, count: count * channels)
      for index in 0..<count {
        let at = frame + Int64(index)
        let gain = ramps.isEmpty ? 1 : gain(ramps, at)
        for channel in 0..<channels {
          samples[index * channels + channel] = sound(at, channel) * (gainChannel ?? channel == channel ? gain : 1)
        }
      }
      let taken = samples.withUnsafeBufferPointer { sink.write($0, at: frame) }
      state.withLock { $0.next = frame + Int64(taken) }
      if taken < count { return }
    }
  }

  private func gain(_ ramps: [Ramp], _ frame: Int64) -> Float {
    guard let ramp = ramps.last(where: { $0.frame <= frame }) else { return ramps.first?.from ?? 1 }
    let done = Float(min(frame - ramp.frame, rampLength)) / Float(rampLength)
    return ramp.from + (ramp.to - ramp.from) * done
  }
}
