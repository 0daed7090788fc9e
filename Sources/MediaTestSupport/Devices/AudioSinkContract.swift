package import MediaEngine
package import MediaRuntime
import Testing

/// What every `AudioSink` owes the engine: the same rules for virtual, silent, recording and real ones.
///
/// In real time the machine may stop for a while between any two steps. So nothing is judged by when a step ran: bounds
/// are read before and after, a gap may come if the sink tells of it, and a rate has three tries.
package struct AudioSinkContract: Sendable {
  /// How far a device's own statements may be off, in frames; 0 on virtual time.
  package var tolerance: Int64

  package init(tolerance: Int64) { self.tolerance = tolerance }

  /// Runs a fresh sink through its rules, on real or virtual time, and closes it.
  /// - Returns: the rules that it broke, in words.
  package func violations(of sink: any AudioSink, scheduler: any Scheduler) async -> [String] {
    var broken: [String] = []
    func require(_ holds: Bool, _ rule: @autoclosure () -> String) {
      if !holds { broken.append(rule()) }
    }
    let rate = Int64(sink.format.sampleRate)
    let feeder = SoundFeeder(sink, scheduler: scheduler, sound: SoundFeeder.tone(440, sampleRate: Int(rate)))
    func frames(_ milliseconds: Int64) -> Int64 { rate * milliseconds / 1000 }
    func sleep(_ milliseconds: Int64) async { await feeder.queue.sleep(.milliseconds(milliseconds)) }

    // At rest.
    let fresh = sink.position()
    require(fresh.frame == 0 && !fresh.isRunning, "A fresh sink rests at frame 0: \(fresh)")
    require(sink.writtenEnd == 0 && sink.rewriteFloor == 0, "A fresh sink's line is empty")
    require(sink.targetFrames >= frames(50), "A target of at least 50 ms: \(sink.targetFrames)")
    await feeder.run { $0.fill() }
    require(sink.writtenEnd == sink.targetFrames, "The target fits while at rest: \(sink.writtenEnd)")
    await sleep(20)
    require(sink.position().frame == 0, "A resting line does not move")

    // Running.
    await feeder.start()
    await feeder.event(.started)
    require(sink.position().isRunning, "After ‘started’ the line moves")
    var wrongRates: [String] = []
    for _ in 0..<3 {
      let first = sink.position()
      var last = first.frame
      for _ in 0..<20 {
        await sleep(10)
        let position = sink.position()
        let floor = sink.rewriteFloor
        let after = sink.position().frame
        require(position.frame >= last, "A position never goes back: \(last), then \(position.frame)")
        require(floor >= position.frame, "The floor is not behind what is heard")
        require(floor <= after + frames(50) + 1, "A change is heard within 50 ms: \(floor - after) frames")
        require(position.time <= scheduler.now, "A position's instant is not in the future")
        last = after
      }
      let second = sink.position()
      let moved = second.frame - first.frame
      let expected = Int64((second.time - first.time).seconds * second.measuredRate)
      if abs(moved - expected) <= tolerance + 1 { break }
      wrongRates.append("\(moved) frames, \(expected) expected")
    }
    require(wrongRates.count < (scheduler.isVirtual ? 1 : 3), "The line moves by its rate: \(wrongRates)")
    if sink.targetFrames <= frames(500) { await feeder.event(.needsFrames) }
    let reached = sink.position().frame
    require(
      sink.writtenEnd > reached || !scheduler.isVirtual && feeder.has(.underrun),
      "‘needsFrames’ comes in time, or the gap is told: \(reached) of \(sink.writtenEnd)")

    // Late frames, rewriting, cutting.
    let late = await feeder.run { feeder -> Int in
      let zeros = [Float](repeating: 0, count: 64 * feeder.sink.format.channelCount)
      return zeros.withUnsafeBufferPointer { feeder.sink.write($0, at: 0) }
    }
    require(late == 64, "Late frames are taken and dropped: \(late)")
    await feeder.setGain(0.5)
    let cut = await feeder.run { feeder -> (frame: Int64, end: Int64, latest: Int64) in
      feeder.fill()
      let frame = min(feeder.sink.rewriteFloor + 480, feeder.sink.writtenEnd)
      feeder.sink.truncate(at: frame)
      return (frame, feeder.sink.writtenEnd, max(frame, feeder.sink.rewriteFloor))
    }
    require(cut.end >= cut.frame && cut.end <= cut.latest, "A cut ends the line there, or at the floor: \(cut)")
    require(!scheduler.isVirtual || cut.end == cut.frame, "A cut ends the line there: \(cut)")
    await feeder.run { $0.fill() }
    let refilled = sink.writtenEnd
    require(refilled > cut.end, "A cut line can be written on: \(refilled)")

    // Latency modes.
    await feeder.run { $0.sink.setLatency(.interactive) }
    let short = sink.targetFrames
    await feeder.run { $0.sink.setLatency(.audioOnly) }
    require(sink.targetFrames >= max(rate, short * 2), "Sound alone queues a second or more")
    let beforeFilling = sink.position().frame
    await feeder.run { $0.fill() }
    require(sink.writtenEnd >= beforeFilling + rate, "A second of sound fits")

    // Rest and on.
    feeder.clearEvents()
    await feeder.stop()
    await feeder.event(.stopped)
    let rest = sink.position()
    require(!rest.isRunning, "After ‘stopped’ the line rests")
    await sleep(30)
    require(sink.position().frame == rest.frame, "A resting line does not move: \(rest.frame)")
    require(sink.rewriteFloor == rest.frame, "At rest everything unheard can be rewritten")
    let told = scheduler.now
    await feeder.start()
    await feeder.event(.started)
    let again = sink.position()
    let longest = Int64((again.time - told).seconds * again.measuredRate)
    require(
      again.frame >= rest.frame && again.frame <= rest.frame + longest + tolerance + frames(5),
      "A line goes on where it rested: \(rest.frame), then \(again.frame), at most \(longest) on")

    // Running dry.
    feeder.clearEvents()
    let end = sink.position().frame + frames(100)
    await feeder.end(at: end)
    // In real time the feeder may have been late before.
    repeat {
      await feeder.event(.underrun)
      if sink.position().frame + frames(60) >= end { break }
      feeder.clearEvents()
    } while !scheduler.isVirtual
    await sleep(100)
    let dry = sink.position()
    require(dry.isRunning && dry.frame > sink.writtenEnd, "Frames go on counting through a gap: \(dry)")
    let underruns = feeder.count(.underrun)
    require(underruns == 1, "One underrun per gap: \(underruns)")

    // Closed.
    await feeder.run { $0.sink.close() }
    feeder.clearEvents()
    await feeder.run { feeder in
      feeder.sink.setRunning(false)
      feeder.sink.setRunning(true)
      feeder.sink.truncate(at: 0)
    }
    await sleep(20)
    require(feeder.events.isEmpty, "A closed sink is silent: \(feeder.events)")
    return broken
  }
}
