import AVFoundation
import Testing

@Suite struct AudioConverterTests {
  private func format(
    _ kind: AVAudioCommonFormat, _ rate: Double, _ channels: AVAudioChannelCount, interleaved: Bool = true
  ) throws -> AVAudioFormat {
    try #require(AVAudioFormat(commonFormat: kind, sampleRate: rate, channels: channels, interleaved: interleaved))
  }

  /// All that a converter makes of a sound that is given in pieces.
  private func convert(
    _ converter: AVAudioConverter, frames: Int, input: Int, output: AVAudioFrameCount,
    _ sound: (Int, Int) -> Float
  ) throws -> [Float] {
    var all: [Float] = []
    var place = 0
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: output))
    while true {
      var error: NSError?
      let status = converter.convert(to: buffer, error: &error) { _, status in
        guard place < frames else {
          status.pointee = .endOfStream
          return nil
        }
        status.pointee = .haveData
        let count = min(input, frames - place)
        defer { place += count }
        return try? TestSound.buffer(converter.inputFormat, count, from: place, sound)
      }
      #expect(error == nil && status != .error)
      all += TestSound.samples(buffer)
      if status == .endOfStream {
        #expect(buffer.frameLength == 0)
        return all
      }
      #expect(status == .haveData && buffer.frameLength > 0)
    }
  }

  @Test func wholeNumbersAndFloatsAreExact() throws {
    let floats = try format(.pcmFormatFloat32, 48_000, 2, interleaved: false)
    let sound = try TestSound.buffer(70_000)
    for kind in [AVAudioCommonFormat.pcmFormatInt16, .pcmFormatInt32, .pcmFormatFloat64] {
      let other = try format(kind, 48_000, 2)
      let (there, back) = try (
        #require(AVAudioConverter(from: floats, to: other)), #require(AVAudioConverter(from: other, to: floats))
      )
      let middle = try #require(AVAudioPCMBuffer(pcmFormat: other, frameCapacity: 70_000))
      try there.convert(to: middle, from: sound)
      let result = try #require(AVAudioPCMBuffer(pcmFormat: floats, frameCapacity: 70_000))
      try back.convert(to: result, from: middle)
      #expect(result.frameLength == 70_000)
      #expect(TestSound.samples(result, 1) == TestSound.samples(sound, 1))
    }
  }

  @Test func loudSamplesStayWithinWholeNumbers() throws {
    let floats = try format(.pcmFormatFloat32, 48_000, 1)
    let whole = try format(.pcmFormatInt16, 48_000, 1)
    let converter = try #require(AVAudioConverter(from: floats, to: whole))
    let values: [Float] = [2, -2, 1, -1, .nan, .infinity, -.infinity, 0]
    let result = try #require(AVAudioPCMBuffer(pcmFormat: whole, frameCapacity: 8))
    try converter.convert(to: result, from: TestSound.buffer(floats, 8) { frame, _ in values[frame] })
    let made = (0..<8).map { result.int16ChannelData?[0][$0] }
    #expect(made == [32_767, -32_768, 32_767, -32_768, 0, 32_767, -32_768, 0])
  }

  /// n frames at one rate last as long as ⌈n · to / from⌉ at another, however they come.
  @Test(arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (8_000, 48_000), (96_000, 44_100), (22_050, 44_100)])
  func ratesKeepTheLength(_ from: Double, _ to: Double) throws {
    let source = try format(.pcmFormatFloat32, from, 1)
    let target = try format(.pcmFormatFloat32, to, 1)
    var results: [[Float]] = []
    for (input, output) in [(1_000, 4_096), (333, 100), (20_000, 30_000)] as [(Int, AVAudioFrameCount)] {
      let converter = try #require(AVAudioConverter(from: source, to: target))
      results.append(
        try convert(converter, frames: 20_000, input: input, output: output) { frame, _ in
          TestSound.sine(1_000, frame, rate: from)
        })
    }
    let expected = 20_000 * to / from
    for result in results {
      #expect(abs(Double(result.count) - expected) <= 1, "\(result.count) for \(expected)")
      #expect(result == results[0])
    }
    var (signal, noise) = (0.0, 0.0)
    for frame in 500..<results[0].count - 500 {
      let wanted = Double(TestSound.sine(1_000, frame, rate: to))
      signal += wanted * wanted
      noise += (wanted - Double(results[0][frame])) * (wanted - Double(results[0][frame]))
    }
    #expect(10 * log10(signal / noise) > 80)
  }

  @Test func theInputMayRunDry() throws {
    let source = try format(.pcmFormatFloat32, 44_100, 1)
    let target = try format(.pcmFormatFloat32, 44_100, 1, interleaved: false)
    let converter = try #require(AVAudioConverter(from: source, to: target))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 100))
    var asked = 0
    func fill(_ frames: Int?) -> AVAudioConverterOutputStatus {
      var given = false
      return converter.convert(to: buffer, error: nil) { _, status in
        asked += 1
        guard let frames, !given else {
          status.pointee = .noDataNow
          return nil
        }
        given = true
        status.pointee = .haveData
        return try? TestSound.buffer(source, frames)
      }
    }
    #expect(fill(nil) == .inputRanDry && buffer.frameLength == 0)
    #expect(fill(60) == .inputRanDry && buffer.frameLength == 60)
    #expect(fill(150) == .haveData && buffer.frameLength == 100)
    asked = 0
    #expect(fill(nil) == .inputRanDry && buffer.frameLength == 50 && asked == 1)
  }

  @Test func resettingBeginsAnew() throws {
    let source = try format(.pcmFormatFloat32, 44_100, 1)
    let target = try format(.pcmFormatFloat32, 48_000, 1)
    let converter = try #require(AVAudioConverter(from: source, to: target))
    let first = try convert(converter, frames: 5_000, input: 700, output: 512, TestSound.ramp)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 10))
    let status = converter.convert(to: buffer, error: nil) { _, status in
      status.pointee = .haveData
      return try? TestSound.buffer(source, 10)
    }
    #expect(status == .endOfStream && buffer.frameLength == 0)
    converter.reset()
    #expect(try convert(converter, frames: 5_000, input: 700, output: 512, TestSound.ramp) == first)
  }

  @Test func channels() throws {
    let mono = try format(.pcmFormatFloat32, 48_000, 1)
    let stereo = try format(.pcmFormatFloat32, 48_000, 2)
    let up = try #require(AVAudioConverter(from: mono, to: stereo))
    #expect(up.channelMap == [0, 0])
    let wide = try #require(AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 100))
    try up.convert(to: wide, from: TestSound.buffer(mono, 100))
    #expect(TestSound.samples(wide, 0) == TestSound.samples(wide, 1))
    #expect(TestSound.samples(wide, 0)[99] == TestSound.ramp(99, 0))
    up.channelMap = [-1, 0]
    try up.convert(to: wide, from: TestSound.buffer(mono, 100))
    #expect(TestSound.samples(wide, 0).allSatisfy { $0 == 0 })
    #expect(TestSound.samples(wide, 1)[99] == TestSound.ramp(99, 0))
    let down = try #require(AVAudioConverter(from: stereo, to: mono))
    let narrow = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 100))
    try down.convert(to: narrow, from: TestSound.buffer(stereo, 100))
    #expect(TestSound.samples(narrow)[99] == TestSound.ramp(99, 0))
    down.downmix = true
    try down.convert(to: narrow, from: TestSound.buffer(stereo, 100) { _, channel in channel == 0 ? 0.5 : -0.25 })
    let mixed = TestSound.samples(narrow)[50]
    #expect(mixed > 0.1 && mixed < 0.5 && TestSound.samples(narrow).allSatisfy { $0 == mixed })
  }

  @Test func whatCannotBeConverted() throws {
    let linear = try format(.pcmFormatFloat32, 48_000, 2)
    let coded = try #require(
      AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]))
    #expect(AVAudioConverter(from: linear, to: coded) == nil && AVAudioConverter(from: coded, to: linear) == nil)
    let slow = try format(.pcmFormatFloat32, 44_100, 2)
    let rates = try #require(AVAudioConverter(from: linear, to: slow))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: slow, frameCapacity: 10))
    #expect {
      try rates.convert(to: output, from: TestSound.buffer(linear, 10))
    } throws: {
      ($0 as NSError).code == -50
    }
    let same = try #require(AVAudioConverter(from: linear, to: format(.pcmFormatInt16, 48_000, 2)))
    let small = try #require(AVAudioPCMBuffer(pcmFormat: same.outputFormat, frameCapacity: 9))
    #expect {
      try same.convert(to: small, from: TestSound.buffer(linear, 10))
    } throws: {
      ($0 as NSError).code == -50
    }
  }

  @Test func misuse() async {
    await #expect(processExitsWith: .failure) {
      let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
      let other = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
      guard let format, let other, let converter = AVAudioConverter(from: format, to: format),
        let buffer = AVAudioPCMBuffer(pcmFormat: other, frameCapacity: 10),
        let right = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10)
      else { return }
      try converter.convert(to: right, from: buffer)
    }
    await #expect(processExitsWith: .failure) {
      let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
      if let format { AVAudioConverter(from: format, to: format)?.channelMap = [5, 0] }
    }
  }
}
