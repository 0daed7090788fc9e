import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaTestSupport
import Testing

@Suite struct SoundConverterTests {
  private final class Samples: AudioSamples {
    let values: [Float]
    init(_ values: [Float]) { self.values = values }
    func copyInterleaved(_ into: UnsafeMutableBufferPointer<Float>) {
      for index in 0..<min(into.count, values.count) { into[index] = values[index] }
    }
    func checksum() -> UInt64 { 0 }
  }

  private func convert(
    _ values: [Float], channels: Int, mask: UInt64, rate: Int = 48_000, inBlocksOf frames: Int = 1_000,
    to device: AudioDeviceFormat, _ processing: SoundProcessing = SoundProcessing()
  ) throws -> [Float] {
    let format = AudioFormat(sampleRate: rate, channelCount: channels, channelMask: mask)
    let converter = try FFmpegMediaBackend().audioConverter(from: format, to: device, processing)
    var output: [Float] = []
    let block = frames * channels
    for start in stride(from: 0, to: values.count, by: block) {
      let part = Array(values[start..<min(start + block, values.count)])
      let samples = AudioBlock(
        startSample: Int64(start / channels), sampleCount: part.count / channels, format: format, generation: .first,
        storage: Samples(part))
      try converter.convert(samples, into: &output)
    }
    try converter.finish(into: &output)
    return output
  }

  private func sine(_ count: Int, _ level: Float) -> [Float] { (0..<count).map { level * sin(Float($0) * 0.05) } }

  @Test func dialogueGoesToBothSidesThreeDecibelsDown() throws {
    let center = sine(4_800, 0.5)
    let surround = center.flatMap { (sample: Float) -> [Float] in [0, 0, sample, 0, 0, 0] }
    let output = try convert(surround, channels: 6, mask: 0x3F, to: .stereo48)
    #expect(output.count == center.count * 2)
    for index in center.indices {
      #expect(abs(output[index * 2] - center[index] * 0.7071) < 1e-4)
      #expect(output[index * 2] == output[index * 2 + 1])
    }
  }

  @Test(
    "An app's dialogue level stands above the usual one, and what is too loud then is limited",
    arguments: [1, 2] as [Float])
  func dialogueAsTheAppWants(gain: Float) throws {
    var processing = SoundProcessing()
    processing.dialogueGain = gain
    let center = sine(48_000, 0.8)
    let surround = center.flatMap { (sample: Float) -> [Float] in [0, 0, sample, 0, 0, 0] }
    let output = try convert(surround, channels: 6, mask: 0x3F, to: .stereo48, processing)
    #expect(output.count == center.count * 2)
    let peak = output[24_000...].map { abs($0) }.max() ?? 0
    #expect(abs(peak - min(0.8 * gain, 1)) < 0.01)
  }

  @Test(
    "By night loud and quiet passages come near each other; as many samples come out as went in",
    arguments: [48_000, 44_100])
  func evened(rate: Int) throws {
    var processing = SoundProcessing()
    processing.evensLoudness = true
    // Three seconds each at −46 and −6 dB of full scale.
    let parts = [Float(0.005), 0.5, 0.005, 0.5].map { sine(3 * rate, $0) }
    let mono = parts.flatMap { $0 }
    let output = try convert(mono, channels: 1, mask: 0x4, rate: rate, to: .stereo48, processing)
    #expect(abs(output.count / 2 - 12 * 48_000) <= 2)
    func level(_ seconds: Range<Double>) -> Float {
      let range = Int(seconds.lowerBound * 96_000)..<Int(seconds.upperBound * 96_000)
      return 20 * log10((output[range].reduce(0) { $0 + $1 * $1 } / Float(range.count)).squareRoot())
    }
    let (quiet, loud) = (level(7.2..<7.8), level(10..<11))
    #expect(loud - quiet < 28 && loud > quiet)
    #expect(quiet > -46 - 3 + 10)
    #expect((output.map { abs($0) }.max() ?? 2) <= 1)
  }

  @Test func soundBelowFullScalePassesBitByBitAndOneChannelGoesToBoth() throws {
    let mono = sine(10_001, 0.999)
    let output = try convert(mono, channels: 1, mask: 0x4, to: .stereo48)
    #expect(output == mono.flatMap { [$0, $0] })
  }

  @Test func loudSoundIsHeldWithinFullScaleWithoutClipping() throws {
    var loud = sine(48_000, 0.5)
    for index in 20_000..<24_000 { loud[index] *= 6 }
    let output = try convert(loud.flatMap { [$0, $0] }, channels: 2, mask: 0x3, to: .stereo48)
    #expect(output.count == loud.count * 2)
    #expect(output.allSatisfy { abs($0) <= 1 })
    // A clipped sine lies on full scale for long; a limited one touches it.
    #expect(output[41_000..<47_000].filter { abs($0) > 0.999 }.count < 400)
    #expect(Array(output[0..<38_000]) == Array(loud.flatMap { [$0, $0] }[0..<38_000]))
  }

  @Test func theSameComesOutHoweverSoundIsCut() throws {
    let values = sine(50_000, 0.5)
    let small = try convert(values, channels: 1, mask: 0x4, rate: 44_100, to: .stereo48)
    let whole = try convert(values, channels: 1, mask: 0x4, rate: 44_100, inBlocksOf: 50_000, to: .stereo48)
    #expect(small == whole)
  }

  @Test(arguments: [44_100, 22_050, 96_000])
  func otherRatesComeOutInTheRightNumber(rate: Int) throws {
    let output = try convert(sine(rate, 0.5), channels: 1, mask: 0x4, rate: rate, to: .stereo48)
    #expect(abs(output.count / 2 - 48_000) <= 2)
  }
}
