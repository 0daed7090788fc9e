package import MediaEngine
package import MediaRuntime
import Testing

/// What every `AudioSink` owes the engine: the same rules for virtual, silent, recording and real ones.
package struct AudioSinkContract: Sendable {
  /// How far positions may be off, in frames; 0 on virtual time.
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
    await feeder.event { if case .started = $0 { true } else { false } }
    let first = sink.position()
    require(first.isRunning, "After ‘started’ the line moves")
    var last = first.frame
    for _ in 0..<20 {
      await sleep(10)
      let position = sink.position()
      require(position.frame >= last, "A position never goes back: \(last), then \(position.frame)")
      require(sink.rewriteFloor >= position.frame, "The floor is not behind what is heard")
      require(sink.rewriteFloor <= position.frame + frames(50) + 1, "A change is heard within 50 ms")
      require(position.time <= scheduler.now, "A position's instant is not in the future")
      last = position.frame
    }
    let second = sink.position()
    let expected = Int64((second.time - first.time).seconds * second.measuredRate)
    require(
      abs(second.frame - first.frame - expected) <= tolerance + 1,
      "The line moves by its rate: \(second.frame - first.frame) frames, \(expected) expected")
    require(sink.writtenEnd > second.frame, "‘needsFrames’ comes in time")
    require(
      feeder.events.contains { if case .needsFrames = $0 { true } else { sink.targetFrames > frames(500) } },
      "‘needsFrames’ comes")

    // Late frames, rewriting, cutting.
    let late = await feeder.run { feeder -> Int in
      let zeros = [Float](repeating: 0, count: 64 * feeder.sink.format.channelCount)
      return zeros.withUnsafeBufferPointer { feeder.sink.write($0, at: 0) }
    }
    require(late == 64, "Late frames are taken and dropped: \(late)")
    await feeder.setGain(0.5)
    let cut = await feeder.run { feeder -> (Int64, Int64) in
      let frame = feeder.sink.rewriteFloor + 480
      feeder.sink.truncate(at: frame)
      return (frame, feeder.sink.writtenEnd)
    }
    require(cut.0 == cut.1, "A cut ends the line there: \(cut)")
    await feeder.run { $0.fill() }
    let refilled = sink.writtenEnd
    require(refilled > cut.0, "A cut line can be written on: \(refilled)")

    // Latency modes.
    await feeder.run { $0.sink.setLatency(.interactive) }
    let short = sink.targetFrames
    await feeder.run { $0.sink.setLatency(.audioOnly) }
    require(sink.targetFrames >= max(rate, short * 2), "Sound alone queues a second or more")
    await feeder.run { $0.fill() }
    require(sink.writtenEnd >= sink.position().frame + rate - tolerance, "A second of sound fits")

    // Rest and on.
    feeder.clearEvents()
    await feeder.stop()
    await feeder.event { if case .stopped = $0 { true } else { false } }
    let rest = sink.position()
    require(!rest.isRunning, "After ‘stopped’ the line rests")
    await sleep(30)
    require(sink.position().frame == rest.frame, "A resting line does not move: \(rest.frame)")
    require(sink.rewriteFloor == rest.frame, "At rest everything unheard can be rewritten")
    await feeder.start()
    await feeder.event { if case .started = $0 { true } else { false } }
    let again = sink.position().frame
    require(again >= rest.frame && again <= rest.frame + tolerance + frames(5), "A line goes on where it rested")

    // Running dry.
    feeder.clearEvents()
    await feeder.end(at: sink.position().frame + frames(100))
    await feeder.event { if case .underrun = $0 { true } else { false } }
    await sleep(100)
    let dry = sink.position()
    require(dry.isRunning && dry.frame > sink.writtenEnd, "Frames go on counting through a gap: \(dry)")
    let underruns = feeder.events.filter { if case .underrun = $0 { true } else { false } }.count
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
