import AudioOutput
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("Every audio sink keeps the same rules") struct AudioContractTests {
  static let modes = [AudioLatencyMode.interactive, .audioOnly]

  @Test("A virtual device, whatever its skew, latency and burst", arguments: modes, [-200, 0, 200])
  func virtualDevice(mode: AudioLatencyMode, skew: Int) async throws {
    try await VirtualScheduler.test { scheduler, _ in
      var options = VirtualAudioDevice.Options()
      options.skew = skew
      options.latency = .milliseconds(15)
      let device = VirtualAudioDevice(mode: mode, options: options, scheduler: scheduler)
      let broken = await AudioSinkContract(tolerance: 0).violations(of: device, scheduler: scheduler)
      #expect(broken == [])
    }
  }

  @Test("The silent sink on virtual time", arguments: modes)
  func silentVirtual(mode: AudioLatencyMode) async throws {
    try await VirtualScheduler.test { scheduler, _ in
      let sink = SilentSink.make(format: .stereo48, mode: mode, scheduler: scheduler)
      let violations = await AudioSinkContract(tolerance: 0).violations(of: sink, scheduler: scheduler)
      #expect(violations == [])
    }
  }

  @Test("The WAV sink", arguments: modes)
  func wave(mode: AudioLatencyMode) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("contract-\(UUID().uuidString).wav").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await VirtualScheduler.test { scheduler, _ in
      let sink = try WAVCaptureSink(path: path, format: .stereo48, mode: mode, scheduler: scheduler)
      let violations = await AudioSinkContract(tolerance: 0).violations(of: sink, scheduler: scheduler)
      #expect(violations == [])
    }
  }
}
