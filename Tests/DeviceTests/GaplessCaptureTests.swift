import AVFoundation
import AudioOutput
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

extension DeviceTests {
  @Suite("A queue on a real sound server") struct GaplessCaptureTests {
    /// Three times 5 s of 440 Hz: whole periods, so that joined without a gap they are one sine.
    @Test("Three AAC items are heard as one sine: correlation at least 0.999, lag constant within a sample")
    func threeItems() async throws {
      let scheduler = RealScheduler.shared
      let server = try SoundServer()
      let environment = EngineEnvironment(
        scheduler: scheduler, backend: FFmpegMediaBackend(), sources: LocalSourceOpener(),
        audioSinks: AudioSinks(.server, address: server.address))
      let url = try Fixture.url("tone.m4a")
      let recording = try server.record("one")
      let player = EngineEnvironment.$override.withValue(environment) {
        AVQueuePlayer(items: (0..<3).map { _ in AVPlayerItem(url: url) })
      }
      player.play()
      let sound = await recording.sound(of: 15 * 48_000 - 240, on: scheduler.queue("gapless", .light))
      player.pause()
      #expect(abs(sound.count - 15 * 48_000) < 480, "\(sound.count) samples")
      let windows = stride(from: 4_800, to: sound.count - 9_600, by: 2_400).map { Sine.fit(sound[$0..<$0 + 4_800]) }
      let weakest = windows.map(\.correlation).min() ?? 0
      let lags = windows.map { $0.lag(relativeTo: windows[0]) }
      let spread = (lags.max() ?? 100) - (lags.min() ?? 0)
      print("three AAC items: \(windows.count) windows, correlation at least \(weakest), lag within \(spread) samples")
      #expect(windows.count > 250)
      #expect(weakest >= 0.999)
      #expect(spread <= 1)
    }
  }
}

/// How a piece of sound lies to 440 Hz.
private struct Sine {
  var correlation: Double
  /// In radians.
  var phase: Double

  private static let step = 2 * Double.pi * 440 / 48_000

  static func fit(_ samples: ArraySlice<Float>) -> Sine {
    var (sine, cosine, power) = (0.0, 0.0, 0.0)
    for index in samples.indices {
      let value = Double(samples[index])
      sine += value * sin(step * Double(index))
      cosine += value * cos(step * Double(index))
      power += value * value
    }
    let projected = (sine * sine + cosine * cosine).squareRoot() * (2 / Double(samples.count)).squareRoot()
    return Sine(correlation: power > 0 ? projected / power.squareRoot() : 0, phase: atan2(cosine, sine))
  }

  /// In samples.
  func lag(relativeTo other: Sine) -> Double {
    (phase - other.phase).remainder(dividingBy: 2 * .pi) / Self.step
  }
}
