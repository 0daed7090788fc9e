import AudioOutput
import Foundation
import MediaEngine
import MediaTestSupport
import Testing

extension DeviceTests {
  @Suite("Sound into a file, by the program") struct SoundFileTests {
    @Test("The file has all samples of the clip and none behind them, although the program exits at the clip's end")
    func exact() throws {
      let clip = try Fixture.url("tone.wav")
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("heard-\(UUID().uuidString).wav")
      defer { try? FileManager.default.removeItem(at: file) }
      let runner = try ProcessRunner("sprocket")
      let arguments = ["play", "--output", "wav:\(file.path)", clip.path]
      let result = try #require(try runner.run(1, arguments: arguments, environment: [:]).first)
      #expect(result.exitCode == 0)
      let frames = try (Data(contentsOf: file).count - WaveHeader.size) / 8
      // Five seconds at 44,100 Hz.
      #expect(frames == 220_500)
    }
  }
}
