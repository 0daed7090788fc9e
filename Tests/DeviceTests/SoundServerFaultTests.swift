import AVFoundation
import AudioOutput
import Dispatch
import FFmpegBackend
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

extension DeviceTests {
  /// A sound server that is late, hangs, sleeps or asks for silence: nothing of ours may wait for it without end.
  @Suite("Sound server at fault") struct SoundServerFaultTests {
    let scheduler = RealScheduler.shared

    func feeder(_ server: SoundServer, mode: AudioLatencyMode = .interactive) -> SoundFeeder {
      let pulse = PulseServer(scheduler: scheduler, address: server.address, applicationName: "Sprocket tests")
      return feeder(pulse, mode: mode)
    }

    func feeder(_ pulse: PulseServer, mode: AudioLatencyMode = .interactive) -> SoundFeeder {
      let sink = PulseSink(server: pulse, format: .stereo48, device: nil, mode: mode, scheduler: scheduler)
      return SoundFeeder(sink, scheduler: scheduler, sound: SoundFeeder.tone(440))
    }

    @Test("A sink that is told to run before its server knows it still hears what it is told later")
    func toldEarly() async throws {
      let server = try SoundServer()
      let pulse = PulseServer(scheduler: scheduler, address: server.address, applicationName: "Sprocket tests")
      // With one sink open the device thread runs; at rest, so that it wakes for the other one alone.
      let first = feeder(pulse)
      await first.started()
      await first.rested()
      // The server's queue is busy while the device thread already looks for the second sink.
      let door = DispatchSemaphore(value: 0)
      (first.sink as? PulseSink)?.deviceName { _ in door.wait() }
      let second = feeder(pulse)
      await second.start()
      await second.queue.sleep(.milliseconds(100))
      door.signal()
      await second.event(.started)
      await second.rested()
      await second.started()
      first.sink.close()
      second.sink.close()
    }

    @Test(
      "A server that hangs while playing is left for silence, and used again when it answers",
      arguments: [AudioLatencyMode.interactive, .audioOnly])
    func frozenWhilePlaying(mode: AudioLatencyMode) async throws {
      let server = try SoundServer()
      let feeder = feeder(server, mode: mode)
      await feeder.started()
      server.freeze(true)
      let before = feeder.sink.position()
      await feeder.event(.deviceLost)
      // Frames go on, and can still be asked for.
      feeder.clearEvents()
      await feeder.event(.needsFrames)
      let silent = feeder.sink.position()
      #expect(abs(Double(silent.frame - before.frame) - (silent.time - before.time).seconds * 48_000) < 2400)
      await feeder.rested()
      await feeder.started()
      server.freeze(false)
      await feeder.event(.deviceRecovered)
      let recording = try server.record("one")
      #expect(await SoundMeasure.rms(recording.sound(on: feeder.queue)) > 0.2)
      feeder.sink.close()
    }

    @Test("A server that hangs when told to rest or to play, or from the start, delays that by its limit alone")
    func frozenAtCommands() async throws {
      let server = try SoundServer()
      let stopping = feeder(server)
      await stopping.started()
      let starting = feeder(server)
      await starting.started()
      await starting.rested()
      server.freeze(true)
      await stopping.rested()
      #expect(!stopping.sink.position().isRunning)
      await starting.started()
      let fresh = feeder(server)
      await fresh.started()
      await starting.event(.deviceLost)
      await fresh.event(.deviceLost)
      server.freeze(false)
      await starting.event(.deviceRecovered)
      await fresh.event(.deviceRecovered)
      for feeder in [stopping, starting, fresh] { feeder.sink.close() }
    }

    @Test("Closing while the server hangs leaves no thread behind")
    func frozenAtClose() async throws {
      let server = try SoundServer()
      let feeder = feeder(server)
      await feeder.started()
      server.freeze(true)
      feeder.sink.close()
      // The thread of the last sink ends half a second after it, when the next player did not come.
      for _ in 0..<40 where !ThreadCensus.names("sprocket.audio").isEmpty {
        await feeder.queue.sleep(.milliseconds(250))
      }
      #expect(ThreadCensus.names("sprocket.audio") == [])
      server.freeze(false)
    }

    @Test("A device that is put to sleep is left for silence, and used again when it wakes")
    func suspended() async throws {
      let server = try SoundServer()
      let feeder = feeder(server)
      await feeder.started()
      try server.suspend("one", true)
      await feeder.event(.deviceLost)
      let before = feeder.sink.position()
      await feeder.queue.sleep(.milliseconds(300))
      #expect(feeder.sink.position().frame > before.frame)
      try server.suspend("one", false)
      await feeder.event(.deviceRecovered)
      let recording = try server.record("one")
      #expect(await SoundMeasure.rms(recording.sound(on: feeder.queue)) > 0.2)
      feeder.sink.close()
    }

    @Test("A device that sleeps when playing begins delays it by its limit alone, and is heard when it wakes")
    func suspendedAtStart() async throws {
      let server = try SoundServer()
      try server.suspend("one", true)
      let feeder = feeder(server)
      await feeder.started()
      await feeder.event(.deviceLost)
      try server.suspend("one", false)
      await feeder.event(.deviceRecovered)
      feeder.sink.close()
    }

    @Test("A call asks for silence and gives leave again; then the sound returns")
    func calls() async throws {
      let server = try SoundServer(hasRoleCork: true)
      let feeder = feeder(server)
      await feeder.started()
      let call = try server.call()
      await feeder.event(.interruptionBegan)
      await feeder.rested()
      let rest = feeder.sink.position().frame
      call.end()
      await feeder.event(.interruptionEnded)
      #expect(feeder.sink.position().frame == rest)
      let recording = try server.record("one")
      await feeder.started()
      #expect(await SoundMeasure.rms(recording.sound(on: feeder.queue)) > 0.2)
      feeder.sink.close()
    }

    @Test("A call pauses a player, which plays on when it is told to")
    func callPausesPlayer() async throws {
      let server = try SoundServer(hasRoleCork: true)
      let environment = EngineEnvironment(
        scheduler: scheduler, backend: FFmpegMediaBackend(), sources: LocalSourceOpener(),
        audioSinks: AudioSinks(.server, address: server.address))
      let url = try Fixture.film()
      let queue = scheduler.queue("call test", .light)
      let player = EngineEnvironment.$override.withValue(environment) { AVPlayer(url: url) }
      /// Moves on when the condition holds; the test's own limit ends a wait in vain.
      func until(_ condition: () -> Bool) async {
        for _ in 0..<2000 where !condition() { await queue.sleep(.milliseconds(10)) }
        #expect(condition())
      }
      player.play()
      await until { player.timeControlStatus == .playing && player.currentTime().seconds > 0.2 }
      let call = try server.call()
      await until { player.timeControlStatus == .paused }
      #expect(player.rate == 0)
      call.end()
      let rest = player.currentTime()
      let recording = try server.record("one")
      player.play()
      await until { player.currentTime().seconds > rest.seconds + 0.5 }
      #expect(SoundMeasure.rms(SoundMeasure.sounding(recording.stop().left)) > 0.001)
      player.pause()
    }
  }
}
