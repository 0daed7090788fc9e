import AudioOutput
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

extension DeviceTests {
  @Suite("Every audio sink keeps the same rules in real time") struct SinkContract {
    static let modes = [AudioLatencyMode.interactive, .audioOnly]

    @Test("The silent sink in real time", arguments: modes)
    func silentReal(mode: AudioLatencyMode) async {
      let scheduler = RealScheduler.shared
      let sink = SilentSink.make(format: .stereo48, mode: mode, scheduler: scheduler)
      let violations = await AudioSinkContract(tolerance: 2400).violations(of: sink, scheduler: scheduler)
      #expect(violations == [])
    }

    @Test("The sound server", arguments: modes)
    func soundServer(mode: AudioLatencyMode) async throws {
      let daemon = try SoundServer()
      let scheduler = RealScheduler.shared
      let pulse = PulseServer(scheduler: scheduler, address: daemon.address)
      let sink = PulseSink(server: pulse, format: .stereo48, device: nil, mode: mode, scheduler: scheduler)
      let violations = await AudioSinkContract(tolerance: 2400).violations(of: sink, scheduler: scheduler)
      #expect(violations == [])
    }

    @Test("A sink without any sound server plays silently in real time", arguments: modes)
    func noServer(mode: AudioLatencyMode) async throws {
      let scheduler = RealScheduler.shared
      let pulse = PulseServer(scheduler: scheduler, address: "unix:/nonexistent/native")
      let sink = PulseSink(server: pulse, format: .stereo48, device: nil, mode: mode, scheduler: scheduler)
      let violations = await AudioSinkContract(tolerance: 2400).violations(of: sink, scheduler: scheduler)
      #expect(violations == [])
    }
  }
}
