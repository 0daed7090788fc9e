import AudioOutput
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("Sound server", .serialized) struct AudioPulseTests {
  let scheduler = RealScheduler.shared

  func feeder(
    _ server: SoundServer, mode: AudioLatencyMode, device: String? = nil, sound: @escaping SoundFeeder.Sound
  ) -> SoundFeeder {
    let pulse = PulseServer(scheduler: scheduler, address: server.address, applicationName: "Sprocket tests")
    let sink = PulseSink(server: pulse, format: .stereo48, device: device, mode: mode, scheduler: scheduler)
    return SoundFeeder(sink, scheduler: scheduler, sound: sound)
  }

  @Test(
    "A tone arrives with its frequency and level, in both modes", arguments: [AudioLatencyMode.interactive, .audioOnly])
  func tone(mode: AudioLatencyMode) async throws {
    let server = try SoundServer()
    let recording = try server.record("one")
    let feeder = feeder(server, mode: mode, sound: SoundFeeder.tone(440))
    await feeder.start()
    await feeder.event { if case .started = $0 { true } else { false } }
    await feeder.queue.sleep(.seconds(2 as Int64))
    await feeder.stop()
    await feeder.event { if case .stopped = $0 { true } else { false } }
    await feeder.queue.sleep(.milliseconds(700))
    let (left, right) = recording.stop()
    let sounding = Array(SoundMeasure.sounding(left))
    print(
      "\(mode): \(sounding.count) frames, events \(feeder.events.count)",
      SoundMeasure.frequency(sounding, sampleRate: 48000), SoundMeasure.rms(sounding),
      SoundMeasure.largestStep(sounding), feeder.sink.position())
    #expect(sounding.count > 90_000 && sounding.count < 104_000)
    #expect(abs(SoundMeasure.frequency(sounding, sampleRate: 48_000) - 440) < 0.5)
    #expect(abs(SoundMeasure.rms(sounding) - 0.35355) < 0.002)
    #expect(left == right)
    #expect(!feeder.events.contains { if case .underrun = $0 { true } else { false } })
    feeder.sink.close()
  }

  @Test(
    "Pausing loses no frame and position says what was heard", arguments: [AudioLatencyMode.interactive, .audioOnly])
  func pausing(mode: AudioLatencyMode) async throws {
    let server = try SoundServer()
    let recording = try server.record("one")
    let feeder = feeder(server, mode: mode, sound: SoundFeeder.numbers)
    var atStop: [Int64] = []
    var atRest: [Int64] = []
    for _ in 0..<8 {
      feeder.clearEvents()
      await feeder.start()
      await feeder.event { if case .started = $0 { true } else { false } }
      await feeder.queue.sleep(.milliseconds(350))
      atStop.append(
        await feeder.run { feeder in
          let frame = feeder.sink.position().frame
          feeder.sink.setRunning(false)
          return frame
        })
      await feeder.event { if case .stopped = $0 { true } else { false } }
      atRest.append(feeder.sink.position().frame)
      await feeder.queue.sleep(.milliseconds(150))
    }
    await feeder.queue.sleep(.milliseconds(600))
    let (left, right) = recording.stop()
    let numbers = zip(left, right).map { SoundFeeder.number($0, $1) }
    var lasts: [Int64] = []
    var firsts: [Int64] = []
    var broken = 0
    for (before, after) in zip(numbers, numbers.dropFirst()) {
      if let before, let after, after != before + 1 { broken += 1 }
      if let before, after == nil { lasts.append(before) }
      if before == nil, let after { firsts.append(after) }
    }
    print(mode, "stop", atStop, "rest", atRest, "last", lasts, "first", firsts, "broken", broken)
    feeder.sink.close()
  }
}
