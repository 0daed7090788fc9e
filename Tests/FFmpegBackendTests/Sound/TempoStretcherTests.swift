import FFmpegBackend
import Foundation
import MediaEngine
import MediaRuntime
import Testing

/// Another speed at the same pitch (case P093): measured on a tone and on clicks.
@Suite struct TempoStretcherTests {
  private static let rate = 48_000.0
  private static let format = AudioDeviceFormat.stereo48
  static let speeds = [0.25, 0.5, 0.95, 1.06, 1.5, 2, 3, 4]

  private func stretched(_ input: [Float], speed: Double, _ algorithm: PitchAlgorithm) throws -> [Float] {
    let stretcher = try FFmpegMediaBackend().audioStretcher(Self.format, rate: speed, algorithm: algorithm)
    let input = [Float](repeating: 0, count: stretcher.leadIn * 2) + input
    var output: [Float] = []
    for start in stride(from: 0, to: input.count, by: 2 * 1_000) {
      try stretcher.stretch(Array(input[start..<min(start + 2 * 1_000, input.count)]), into: &output)
    }
    try stretcher.finish(into: &output)
    return stride(from: 0, to: output.count, by: 2).map { output[$0] }
  }

  private func stereo(seconds: Double, _ value: (Int) -> Float) -> [Float] {
    (0..<Int(seconds * Self.rate)).flatMap { index in [value(index), value(index)] }
  }

  @Test(arguments: speeds, [PitchAlgorithm.timeDomain, .spectral])
  func tone_keepsItsPitch_andLastsAsLongAsItShould(speed: Double, algorithm: PitchAlgorithm) throws {
    let tone = stereo(seconds: 2) { Float(0.5 * sin(2 * .pi * 440 * Double($0) / Self.rate)) }
    let output = try stretched(tone, speed: speed, algorithm)
    let pitch = frequency(of: output)
    #expect(abs(pitch - 440) < 4.4)
    // The renderer cuts what is too much.
    let expected = 2 * Self.rate / speed
    #expect(Double(output.count) > expected - 100 && Double(output.count) < expected + 0.3 * Self.rate)
  }

  /// The strongest of the frequencies around the tone's, within the middle.
  private func frequency(of samples: [Float]) -> Double {
    let middle = samples[samples.count / 4..<samples.count * 3 / 4]
    func strength(_ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for index in stride(from: middle.startIndex, to: middle.endIndex, by: 16) {
        let angle = 2 * .pi * frequency * Double(index) / Self.rate
        real += Double(middle[index]) * cos(angle)
        imaginary += Double(middle[index]) * sin(angle)
      }
      return real * real + imaginary * imaginary
    }
    return stride(from: 430.0, through: 450, by: 1).max { strength($0) < strength($1) } ?? 0
  }

  @Test(arguments: speeds, [PitchAlgorithm.timeDomain, .spectral])
  func clicks_comeWhenTheyShould(speed: Double, algorithm: PitchAlgorithm) throws {
    // A burst of 10 ms each quarter of a second over silence.
    let input = stereo(seconds: 6) { index in
      index % 12_000 < 480 ? Float(0.5 * sin(2 * .pi * 1_000 * Double(index % 12_000) / Self.rate)) : 0
    }
    let output = try stretched(input, speed: speed, algorithm)
    var starts: [Int] = []
    var quiet = Int.max
    for (index, sample) in output.enumerated() {
      if abs(sample) > 0.1 {
        if quiet > Int(0.5 * 12_000 / speed) { starts.append(index) }
        quiet = 0
      } else if quiet < Int.max {
        quiet += 1
      }
    }
    let expected = (0..<24).map { Double($0) * 12_000 / speed }
    let errors = zip(starts, expected).map { (Double($0) - $1) / Self.rate * 1000 }
    #expect(starts.count == 24)
    // Of what is heard, or of the media: whichever is less.
    #expect(errors.allSatisfy { min(abs($0), abs($0) * speed) < 15 })
  }
}
