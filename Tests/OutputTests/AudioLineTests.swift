@testable import AudioOutput
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("The line of frames") struct AudioLineTests {
  @Test("Frames and durations agree to the nanosecond for days, at any skew", arguments: [-200, 0, 200])
  func rateIsExact(skew: Int) {
    let rate = FrameRate(44_100, skew: skew)
    for frames: Int64 in [0, 1, 44_099, 44_100, 3_810_240_001] {
      let duration = rate.duration(of: frames)
      #expect(rate.frames(in: duration) == frames)
      #expect(frames == 0 || rate.frames(in: duration - Nanoseconds(1)) == frames - 1)
    }
  }

  @Test("A store keeps what was written last, fills holes with silence, and refuses what does not fit")
  func store() {
    let store = FrameStore(capacity: 8, channelCount: 1)
    func write(_ values: [Float], _ frame: Int64) -> Range<Int64> {
      values.withUnsafeBufferPointer { store.write($0, at: frame) }
    }
    func content(_ frames: Range<Int64>) -> [Float] {
      var all: [Float] = []
      store.forEachRun(in: frames) { samples, _ in all += Array(samples) }
      return all
    }
    #expect(write([1, 2, 3, 4, 5, 6], 0) == 0..<6)
    #expect(write([9, 9], 2) == 2..<4)
    store.discard(before: 5)
    #expect(write([7, 8, 10, 11], 6) == 6..<10)
    #expect(content(0..<99) == [6, 7, 8, 10, 11])
    #expect(write([1], 12) == 12..<13)
    #expect(content(5..<13) == [6, 7, 8, 10, 11, 0, 0, 1])
    #expect(write([1, 1], 12) == 12..<13)
    #expect(write([5], 3) == 5..<5)
    store.truncate(at: 7)
    #expect(content(0..<99) == [6, 7])
  }

  @Test(
    "A clock follows a skewed device within 2 ms, never goes back, and measures the skew", arguments: [-200.0, 200])
  func clockFollows(skew: Double) {
    var clock = LineClock(sampleRate: 48_000, now: .zero)
    clock.start(at: .zero)
    let rate = 48_000 * (1 + skew / 1_000_000)
    var last = 0.0
    for step in 1...400 {
      let now = HostTime.zero + .milliseconds(Int64(step) * 250)
      let noise = step % 2 == 0 ? 20.0 : -20.0
      let before = clock.frame(at: now)
      #expect(before >= last)
      clock.observe(Double(now.nanoseconds) / 1_000_000_000 * rate + noise, at: now)
      last = clock.frame(at: now)
      #expect(last >= before)
      #expect(abs(last - Double(now.nanoseconds) / 1_000_000_000 * rate) < 96)
    }
    #expect(abs(clock.measuredRate / 48_000 - 1 - skew / 1_000_000) < 0.00005)
  }

  @Test("A device that falls behind is waited for, one that runs ahead is joined")
  func clockJumps() {
    var clock = LineClock(sampleRate: 48_000, now: .zero)
    clock.start(at: .zero)
    let second = HostTime.zero + .seconds(1 as Int64)
    clock.observe(38_400, at: second)
    #expect(clock.frame(at: second) == 48_000)
    let later = second + .milliseconds(100)
    #expect(clock.frame(at: later) == 48_000 + 1200)
    clock.observe(96_000, at: later)
    #expect(clock.frame(at: later) == 96_000)
  }

  @Test(
    "However long the next statement takes, an error is bent away once and not beyond", arguments: [-1440.0, -480, 480])
  func clockSettles(error: Double) {
    var clock = LineClock(sampleRate: 48_000, now: .zero)
    clock.start(at: .zero)
    let second = HostTime.zero + .seconds(1 as Int64)
    clock.observe(48_000 + error, at: second)
    let published = PublishedClock()
    published.publish(clock)
    for later in 2...60 {
      let now = HostTime.zero + .seconds(Int64(later))
      #expect(abs(clock.frame(at: now) - Double(later) * 48_000 - error) < 0.001)
      #expect(abs(Double(published.position(at: now).frame) - clock.frame(at: now)) <= 1)
    }
  }

  /// A clock of which every field follows from the step: what a reader sees tells whether all are of one step.
  private static func clock(_ step: Int) -> LineClock {
    let time = HostTime.zero + .seconds(Int64(step))
    let rate = 4000 + 4 * step
    var clock = LineClock(sampleRate: rate, now: time)
    clock.start(at: time)
    clock.observe(Double(step) * 1_000_000, at: time)
    // Far behind: a quarter of the rate, for one to seven seconds.
    clock.observe(Double(step * 1_000_000 - rate / 4 * 3 * (1 + step % 7)), at: time)
    return clock
  }

  /// What is heard after all steps by the clock of this one.
  private static func frame(_ step: Int, at second: Int) -> Int64 {
    let rate = 4000 + 4 * step
    let bent = 1 + step % 7
    return Int64(step * 1_000_000 + rate / 4 * bent + rate * (second - step - bent))
  }

  @Test("Readers of a published clock see all of one publication, the newest or one that was while they looked")
  func publishedClock() async {
    let published = PublishedClock()
    published.publish(Self.clock(0))
    let steps = 100_000
    let end = steps + 10
    await withTaskGroup(of: Int.self) { group in
      group.addTask {
        for step in 1...steps { published.publish(Self.clock(step)) }
        return 0
      }
      group.addTask {
        // One reader: the highest frame answered is then always of its own last reading.
        var torn = 0
        var step = 0
        while step < steps {
          let position = published.position(at: HostTime.zero + .seconds(Int64(end)))
          let seen = (Int(position.measuredRate) - 4000) / 4
          if seen < step || position.frame != Self.frame(seen, at: end) { torn += 1 }
          // The writer may have to run on this very thread.
          if seen == step { await Task.yield() }
          step = seen
        }
        return torn
      }
      for await torn in group { #expect(torn == 0) }
    }
  }

  @Test("Events that came before the handler are told first, in their order, and none after the end")
  func earlyEvents() async throws {
    try await VirtualScheduler.test { scheduler, queue in
      let told = Lock<[String]>([])
      let events = EventPort()
      let listener = scheduler.queue("listener", .light)
      events.send(.started)
      events.send(.needsFrames)
      events.open(on: listener) { event in told.withLock { $0.append("\(event)") } }
      events.send(.stopped)
      await queue.sleep(.milliseconds(1))
      #expect(told.withLock { $0 } == ["started", "needsFrames", "stopped"])
      events.send(.underrun)
      events.close()
      events.send(.underrun)
      await queue.sleep(.milliseconds(1))
      #expect(told.withLock { $0 }.count == 3)
    }
  }

  @Test("After eight hours at ±200 ppm the position is exact", arguments: [-200, 200])
  func noDrift(skew: Int) async throws {
    try await VirtualScheduler.test { scheduler, queue in
      let device = TimedAudioSink(
        format: .stereo48, mode: .interactive, device: TimedDevice(skew: skew, burst: 480), scheduler: scheduler)
      let start = scheduler.now
      device.setRunning(true)
      await queue.sleep(.seconds(28_800 as Int64))
      let position = device.position()
      #expect(position.frame == 28_800 * 48_000 * Int64(1_000_000 + skew) / 1_000_000)
      #expect(position.time - start == FrameRate(48_000, skew: skew).duration(of: position.frame))
      device.close()
    }
  }

  @Test("What a virtual device lets hear is what was written last, without a click through changes of gain")
  func heardIsWritten() async throws {
    try await VirtualScheduler.test { scheduler, queue in
      let device = VirtualAudioDevice(mode: .audioOnly, scheduler: scheduler)
      let feeder = SoundFeeder(device, scheduler: scheduler, sound: SoundFeeder.tone(440))
      await feeder.start()
      await queue.sleep(.milliseconds(300))
      let asked = device.position().frame
      await feeder.setGain(0)
      await queue.sleep(.milliseconds(300))
      await feeder.setGain(1)
      await queue.sleep(.milliseconds(300))
      device.update()
      let left = device.heard.channel(0)
      let silent = left.indices.dropFirst(Int(asked)).first { left[$0] == 0 && left[$0 + 1] == 0 } ?? 0
      #expect(silent > Int(asked) && silent <= Int(asked) + 2400)
      #expect(device.heard.largestStep < 0.032)
      #expect(device.counts.underruns == 0 && device.counts.missing == 0)
      #expect(device.counts.rewritten > 48_000)
      device.close()
    }
  }

  @Test("A lost virtual device counts on in real time, and each fault is told")
  func faults() async throws {
    try await VirtualScheduler.test { scheduler, queue in
      var options = VirtualAudioDevice.Options()
      options.skew = 200
      options.faults = [
        .lost(at: .seconds(1 as Int64)), .recovered(at: .seconds(2 as Int64)),
        .underrun(at: .milliseconds(2500), frames: 480),
        .interruption(at: .milliseconds(2600), until: .milliseconds(2700)),
      ]
      let device = VirtualAudioDevice(options: options, scheduler: scheduler)
      let feeder = SoundFeeder(device, scheduler: scheduler, sound: { _, _ in 0.5 })
      await feeder.start()
      await queue.sleep(.seconds(3 as Int64))
      #expect(abs(device.position().frame - (144_000 + 19)) <= 1)
      let told = feeder.events.compactMap { event -> String? in
        switch event {
        case .needsFrames, .started, .stopped: nil
        case .deviceLost(let error): "lost \(error.code.number)"
        default: "\(event)"
        }
      }
      #expect(told == ["lost 5001", "deviceRecovered", "underrun", "interruptionBegan", "interruptionEnded"])
      device.update()
      #expect(device.heard.channel(0).count { $0 == 0 } == 480)
      device.close()
    }
  }

  @Test("Silence costs one timer per buffer while it runs, and none at rest")
  func silentWakeUps() async throws {
    try await VirtualScheduler.test { scheduler, queue in
      let sink = SilentSink.make(format: .stereo48, mode: .audioOnly, scheduler: scheduler)
      let feeder = SoundFeeder(sink, scheduler: scheduler, sound: { _, _ in 0 })
      await queue.sleep(.seconds(60 as Int64))
      let atRest = scheduler.steps
      await queue.sleep(.seconds(60 as Int64))
      #expect(scheduler.steps - atRest <= 4)
      await feeder.start()
      let running = scheduler.steps
      await queue.sleep(.seconds(60 as Int64))
      // A second is asked for at a time: the clock's step, the asking, the engine's filling.
      #expect(scheduler.steps - running <= 60 * 4)
      sink.close()
    }
  }
}
