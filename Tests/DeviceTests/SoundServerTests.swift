import AudioOutput
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

extension DeviceTests {
  /// On a private PulseAudio or PipeWire with null sinks. What is heard is recorded from their monitors, so margins stand for a
  /// loaded machine; the rules themselves are tested on virtual time.
  @Suite("Sound server") struct SoundServerTests {
    static let modes = [AudioLatencyMode.interactive, .audioOnly]
    let scheduler = RealScheduler.shared

    func feeder(
      _ server: SoundServer, mode: AudioLatencyMode, device: String? = nil, gainChannel: Int? = nil,
      sound: @escaping SoundFeeder.Sound
    ) -> SoundFeeder {
      let pulse = PulseServer(scheduler: scheduler, address: server.address, applicationName: "Sprocket tests")
      let sink = PulseSink(server: pulse, format: .stereo48, device: device, mode: mode, scheduler: scheduler)
      return SoundFeeder(sink, scheduler: scheduler, gainChannel: gainChannel, sound: sound)
    }

    func deviceName(_ feeder: SoundFeeder) async -> String? {
      guard let sink = feeder.sink as? PulseSink else { return nil }
      return await withCheckedContinuation { continuation in sink.deviceName { continuation.resume(returning: $0) } }
    }

    /// The device's name as soon as it is that; after twenty seconds whatever it is.
    func deviceName(_ feeder: SoundFeeder, becomes name: String) async -> String? {
      for _ in 0..<200 {
        if await deviceName(feeder) == name { return name }
        await feeder.queue.sleep(.milliseconds(100))
      }
      return await deviceName(feeder)
    }

    @Test("A tone arrives with its frequency and level, in both modes", arguments: modes, SoundServer.Kind.allCases)
    func tone(mode: AudioLatencyMode, kind: SoundServer.Kind) async throws {
      let server = try SoundServer(kind)
      let recording = try server.record("one")
      let feeder = feeder(server, mode: mode, sound: SoundFeeder.tone(440))
      await feeder.started()
      // As long as it takes to hear half a second without a stumble of the machine.
      var stretch: [Float] = []
      for _ in 0..<10 where stretch.count <= 24_000 {
        await feeder.queue.sleep(.seconds(1 as Int64))
        stretch = longestStretch(Array(SoundMeasure.sounding(recording.samples.left)))
      }
      await feeder.rested()
      await feeder.queue.sleep(.milliseconds(200))
      let (left, right) = recording.stop()
      #expect(left == right)
      #expect(left.last == 0)
      #expect(stretch.count > 24_000)
      #expect(abs(SoundMeasure.frequency(stretch, sampleRate: 48_000) - 440) < 0.5)
      #expect(abs(SoundMeasure.rms(stretch) - 0.35355) < 0.003)
      feeder.sink.close()
    }

    private func longestStretch(_ samples: [Float]) -> [Float] {
      samples.split { $0 == 0 }.reduce(into: [[Float]]()) { parts, part in
        // Single zeros are the tone's own crossings.
        if let last = parts.last, last.endIndex > 0, part.startIndex > 0, part.startIndex - 1 > 0,
          samples[part.startIndex - 2] != 0
        {
          parts[parts.count - 1] += [0] + part
        } else {
          parts.append(Array(part))
        }
      }.max { $0.count < $1.count } ?? []
    }

    @Test("Pausing loses no frame, and positions are what is heard", arguments: modes, SoundServer.Kind.allCases)
    func pausing(mode: AudioLatencyMode, kind: SoundServer.Kind) async throws {
      let server = try SoundServer(kind)
      let recording = try server.record("one")
      let feeder = feeder(server, mode: mode, sound: SoundFeeder.numbers)
      var rests: [Int64] = []
      for _ in 0..<6 {
        await feeder.started()
        await feeder.queue.sleep(.milliseconds(300))
        await feeder.rested()
        rests.append(feeder.sink.position().frame)
        await feeder.queue.sleep(.milliseconds(100))
      }
      await feeder.queue.sleep(.milliseconds(200))
      let (left, right) = recording.stop()
      let numbers = zip(left, right).map { SoundFeeder.number($0, $1) }
      var lasts: [Int64] = []
      var broken = 0
      for (before, after) in zip(numbers, numbers.dropFirst()) {
        if let before, let after, after != before + 1 { broken += 1 }
        if let before, after == nil { lasts.append(before + 1) }
      }
      let errors = rests.map { rest in lasts.map { abs($0 - rest) }.min() ?? .max }
      let mean = Double(errors.reduce(0, +)) / Double(max(errors.count, 1)) / 48
      // A machine that stops in between spoils one, a wrong clock all.
      let median = Double(errors.sorted()[errors.count / 2]) / 48
      print("position against what was recorded, \(kind), \(mode): mean error \(mean) ms, median \(median) ms")
      #expect(broken == 0)
      #expect(lasts.count >= rests.count)
      #expect(median <= 5)
      feeder.sink.close()
    }

    @Test(
      "Muting is heard within 50 ms and without a click, however much is queued", arguments: modes,
      SoundServer.Kind.allCases)
    func muting(mode: AudioLatencyMode, kind: SoundServer.Kind) async throws {
      let server = try SoundServer(kind)
      let recording = try server.record("one")
      // The left channel tells which frame is heard, the right one is muted. A constant would hide nothing: a ramp of
      // 10 ms moves it by 1/960 a frame.
      let feeder = feeder(server, mode: mode, gainChannel: 1, sound: SoundFeeder.numbersBesideConstant)
      await feeder.started()
      var asked: [Int64] = []
      for _ in 0..<5 {
        await feeder.queue.sleep(.milliseconds(200))
        asked.append(await feeder.setGain(0))
        await feeder.queue.sleep(.milliseconds(200))
        await feeder.setGain(1)
      }
      await feeder.queue.sleep(.milliseconds(200))
      let (left, right) = recording.stop()
      var delays: [Double] = []
      var clean = 0
      for heard in asked {
        // Frames that were heard before, whether or not the machine let a gap come in between.
        guard let from = left.firstIndex(where: { (SoundFeeder.minuteNumber($0) ?? -1) >= heard }),
          let silent = left.indices[from...].first(where: { left[$0] != 0 && right[$0] == 0 }),
          let number = SoundFeeder.minuteNumber(left[silent])
        else { continue }
        delays.append(Double(number - heard) / 48)
        if right[silent - 1] < 0.0025 { clean += 1 }
      }
      print("mute, \(kind), \(mode): heard after \(delays) ms; \(clean) of \(delays.count) clean")
      #expect(delays.count == 5)
      // A machine that stops for longer than the margin spoils one, a wrong rewrite all.
      #expect(clean >= 3)
      #expect(delays.sorted().dropFirst(2).first ?? .infinity <= 50)
      feeder.sink.close()
    }

    @Test("A device that is unloaded while playing is replaced by another, and the count goes on", arguments: modes)
    func deviceUnloaded(mode: AudioLatencyMode) async throws {
      let server = try SoundServer(sinks: ["one", "two"])
      try server.control("set-default-sink", "one")
      let feeder = feeder(server, mode: mode, sound: SoundFeeder.tone(440))
      await feeder.started()
      let name = await deviceName(feeder)
      #expect(name == "one")
      let before = feeder.sink.position()
      let recording = try server.record("two")
      try server.removeSink("one")
      #expect(await deviceName(feeder, becomes: "two") == "two")
      let after = feeder.sink.position()
      let expected = (after.time - before.time).seconds * 48_000
      #expect(abs(Double(after.frame - before.frame) - expected) < 12_000)
      #expect(await SoundMeasure.rms(recording.sound(on: feeder.queue)) > 0.2)
      feeder.sink.close()
    }

    @Test("Without any device time goes on; with a new one sound returns, playing or paused", arguments: [true, false])
    func lastDeviceUnloaded(playing: Bool) async throws {
      let server = try SoundServer()
      let feeder = feeder(server, mode: .interactive, sound: SoundFeeder.tone(440))
      await feeder.started()
      if !playing {
        await feeder.rested()
      }
      try server.removeSink("one")
      await feeder.event(.deviceLost)
      let lost = feeder.sink.position()
      await feeder.queue.sleep(.milliseconds(500))
      let silent = feeder.sink.position()
      let moved = Double(silent.frame - lost.frame) - (playing ? (silent.time - lost.time).seconds * 48_000 : 0)
      #expect(abs(moved) < 100)
      #expect(silent.isRunning == playing)
      _ = try server.addSink("new")
      await feeder.event(.deviceRecovered)
      let recording = try server.record("new")
      if !playing { await feeder.start() }
      #expect(await SoundMeasure.rms(recording.sound(on: feeder.queue)) > 0.2)
      feeder.sink.close()
    }

    @Test("A killed server is outlived, and used again when it is back", arguments: SoundServer.Kind.allCases)
    func serverRestarted(kind: SoundServer.Kind) async throws {
      let server = try SoundServer(kind)
      let feeder = feeder(server, mode: .audioOnly, sound: SoundFeeder.tone(440))
      await feeder.started()
      await feeder.queue.sleep(.milliseconds(200))
      let before = feeder.sink.position()
      server.kill()
      await feeder.event(.deviceLost)
      await feeder.queue.sleep(.milliseconds(300))
      let silent = feeder.sink.position()
      #expect(abs(Double(silent.frame - before.frame) - (silent.time - before.time).seconds * 48_000) < 2400)
      try server.start()
      await feeder.event(.deviceRecovered)
      let recovered = feeder.sink.position()
      #expect(abs(Double(recovered.frame - before.frame) - (recovered.time - before.time).seconds * 48_000) < 4800)
      let recording = try server.record("one")
      #expect(abs(await SoundMeasure.rms(longestStretch(recording.sound(on: feeder.queue))) - 0.35355) < 0.01)
      feeder.sink.close()
    }

    @Test("The default device is followed; a wanted one is used although it is not the default")
    func defaultChanged() async throws {
      let server = try SoundServer(sinks: ["one", "two"])
      try server.control("set-default-sink", "one")
      let follower = feeder(server, mode: .interactive, sound: { _, _ in 0.1 })
      let chooser = feeder(server, mode: .interactive, device: "two", sound: { _, _ in 0.1 })
      let loser = feeder(server, mode: .interactive, device: "nowhere", sound: { _, _ in 0.1 })
      for feeder in [follower, chooser, loser] {
        await feeder.started()
      }
      let followed = await deviceName(follower)
      #expect(followed == "one")
      #expect(await deviceName(chooser) == "two")
      #expect(await deviceName(loser) == "one")
      try server.control("set-default-sink", "two")
      let followedThen = await deviceName(follower, becomes: "two")
      #expect(followedThen == "two")
      chooser.sink.setDevice("one")
      #expect(await deviceName(chooser, becomes: "one") == "one")
      chooser.sink.setDevice(nil)
      #expect(await deviceName(chooser, becomes: "two") == "two")
      let inputs = try server.control("list", "sink-inputs")
      #expect(inputs.contains("media.role = \"video\"") && inputs.contains("application.name = \"Sprocket tests\""))
      for feeder in [follower, chooser, loser] { feeder.sink.close() }
    }
  }
}
