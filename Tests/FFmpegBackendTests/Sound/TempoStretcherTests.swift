import FFmpegBackend
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
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

  /// A voice-like sound: a gliding fundamental with overtones, in syllables of uneven length and loudness.
  private func voice(seconds: Int) -> [Float] {
    var generator = SeededNumbers(7)
    let count = seconds * Int(Self.rate)
    var loudness = [Double](repeating: 0, count: count)
    var start = 2_400
    while start < count - 20_000 {
      let length = 4_800 + Int(generator.next() % 9_600)
      let level = 0.3 + 0.7 * Double(generator.next() % 1_000) / 1_000
      for index in 0..<length { loudness[start + index] = level * pow(sin(.pi * Double(index) / Double(length)), 2) }
      start += length + 1_200 + Int(generator.next() % 4_800)
    }
    var phase = 0.0
    return (0..<count).map { index -> Float in
      phase += (120 + 30 * sin(2 * .pi * 0.7 * Double(index) / Self.rate)) / Self.rate
      let tone = (1...12).reduce(0.0) { $0 + sin(2 * .pi * phase * Double($1)) / Double($1) }
      return Float(0.2 * loudness[index] * tone)
    }
  }

  /// Loudness by milliseconds, smoothed over thirty.
  private func envelope(_ value: (Int) -> Double, count: Int) -> [Double] {
    let power = (0..<count / 48).map { piece in (0..<48).reduce(0.0) { $0 + pow(value(piece * 48 + $1), 2) } }
    return power.indices.map { index in
      let near = max(index - 15, 0)...min(index + 15, power.count - 1)
      return (near.reduce(0) { $0 + power[$1] } / Double(near.count)).squareRoot()
    }
  }

  @Test(
    "P093: a voice is heard when it should be", arguments: [0.25, 0.5, 0.75, 1.25, 1.5, 2],
    [PitchAlgorithm.timeDomain, .spectral])
  func voicesComeWhenTheyShould(speed: Double, algorithm: PitchAlgorithm) throws {
    let samples = voice(seconds: 8)
    let output = try stretched(samples.flatMap { [$0, $0] }, speed: speed, algorithm)
    let count = min(output.count, Int(8 * Self.rate / speed) - 4_800)
    let heard = envelope({ Double(output[$0]) }, count: count)
    let media = envelope({ Double(samples[$0]) }, count: samples.count)
    let expected = heard.indices.map { media[min(Int(Double($0) * speed), media.count - 1)] }
    func likeness(_ lag: Int) -> Double {
      (100..<heard.count - 100).reduce(0) { $0 + heard[$1] * expected[$1 + lag] }
    }
    let lag = try #require((-60...60).max { likeness($0) < likeness($1) })
    print("voice at \(speed), \(algorithm): ahead by \(lag) ms")
    // In wall time.
    #expect(abs(lag) <= (speed < 0.5 ? 12 : 6))
  }

  @Test("P093: clicks keep their distances", arguments: speeds, [PitchAlgorithm.timeDomain, .spectral])
  func clicks_comeWhenTheyShould(speed: Double, algorithm: PitchAlgorithm) throws {
    // A burst of 10 ms in each quarter of a second, over silence that goes on behind the last.
    let input = stereo(seconds: 6.5) { index in
      let place = index % 12_000 - 3_000
      return index < 288_000 && (0..<480).contains(place)
        ? Float(0.5 * sin(2 * .pi * 1_000 * Double(place) / Self.rate)) : 0
    }
    let output = try stretched(input, speed: speed, algorithm)
    // The middle of what is heard in each quarter.
    let quarter = 12_000 / speed
    let errors = (0..<24).compactMap { number -> Double? in
      let range = Int(Double(number) * quarter)..<min(Int(Double(number + 1) * quarter), output.count)
      let power = range.map { Double(output[$0] * output[$0]) }
      let sum = power.reduce(0, +)
      guard sum > 0.1 else { return nil }
      let middle = Double(range.lowerBound) + power.enumerated().reduce(0) { $0 + Double($1.0) * $1.1 } / sum
      return (middle - (Double(number) * 12_000 + 3_240) / speed) / Self.rate * 1_000
    }
    #expect(errors.count == 24)
    // Of what is heard, or of the media: whichever is less.
    #expect(errors.allSatisfy { min(abs($0), abs($0) * speed) < 15 }, "\(errors.map { Int($0.rounded()) })")
  }
}
