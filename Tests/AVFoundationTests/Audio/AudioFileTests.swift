import AVFoundation
import Foundation
import MediaTestSupport
import Testing

@Suite struct AudioFileReadingTests {
  /// 5 s of 440 Hz: what the encoders add at both ends is not counted.
  @Test(arguments: [
    ("tone.wav", 44_100), ("tone.aiff", 44_100), ("tone.caf", 44_100), ("tone.flac", 44_100), ("tone.m4a", 44_100),
    ("tone.mp3", 44_100), ("tone.ogg", 44_100), ("tone.opus", 48_000), ("tone-alac.m4a", 44_100),
  ])
  func everyFrameOnce(_ name: String, _ rate: Int) throws {
    let file = try AVAudioFile(forReading: Fixture.url(name))
    #expect(file.processingFormat.isStandard && file.processingFormat.channelCount == 2)
    #expect(file.processingFormat.sampleRate == Double(rate) && file.fileFormat.sampleRate == Double(rate))
    #expect(file.length == AVAudioFramePosition(5 * rate))
    let sound = try TestSound.read(file)
    #expect(sound.map(\.count) == [5 * rate, 5 * rate])
    #expect(file.framePosition == file.length)
    // A quarter of full scale, at its time; LAME makes it a little softer.
    let level = name == "tone.mp3" ? 0.2375 : 0.25
    var product = 0.0
    for frame in 0..<5 * rate {
      product += Double(sound[1][frame]) * sin(2 * .pi * 440 * Double(frame) / Double(rate))
    }
    #expect(abs(product * 2 / Double(5 * rate) - level) < 0.005)
  }

  @Test(arguments: ["tone.wav", "tone.flac", "tone.m4a", "tone.mp3", "tone.opus"])
  func everyPositionIsExact(_ name: String) throws {
    let file = try AVAudioFile(forReading: Fixture.url(name))
    let whole = try TestSound.read(file)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 3_000))
    // Codings that lose come back by other packets, but at their time.
    let limit: Float = ["tone.wav", "tone.flac"].contains(name) ? 0 : 0.01
    for start in [100_000, 1, 0, 131_071, whole[0].count - 1_000] {
      file.framePosition = AVAudioFramePosition(start)
      try file.read(into: buffer)
      let expected = whole[0][start..<min(start + 3_000, whole[0].count)]
      #expect(buffer.frameLength == AVAudioFrameCount(expected.count))
      let worst = zip(TestSound.samples(buffer), expected).map { abs($0 - $1) }.max() ?? 1
      #expect(worst <= limit, "at \(start)")
      #expect(file.framePosition == AVAudioFramePosition(start + expected.count))
    }
    file.framePosition = file.length + 10
    try file.read(into: buffer)
    #expect(buffer.frameLength == 0)
  }

  @Test func otherFormsOfSamples() throws {
    let url = try Fixture.url("tone.wav")
    let floats = try TestSound.read(AVAudioFile(forReading: url))
    let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
    #expect(file.processingFormat.commonFormat == .pcmFormatInt16 && file.processingFormat.isInterleaved)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 300_000))
    try file.read(into: buffer, frameCount: 200)
    #expect(buffer.frameLength == 200)
    let data = try #require(buffer.int16ChannelData)
    #expect((0..<200).allSatisfy { Float(data[1][$0 * 2]) / 32_768 == floats[1][$0] })
    #expect(file.fileFormat.settings[AVLinearPCMBitDepthKey] as? UInt32 == 16)
  }

  @Test func eightChannels() throws {
    let file = try AVAudioFile(forReading: Fixture.url("tone-96k-7.1.wav"))
    #expect(file.processingFormat.channelCount == 8 && file.processingFormat.channelLayout?.channelCount == 8)
    #expect(file.length == 192_000)
    let sound = try TestSound.read(file)
    #expect(sound.count == 8 && sound[7].count == 192_000)
  }

  @Test func whatCannotBeOpened() throws {
    func error(_ body: () throws -> Void) -> NSError? {
      do {
        try body()
        return nil
      } catch { return error as NSError }
    }
    let missing = error { _ = try AVAudioFile(forReading: URL(fileURLWithPath: "/no/such/file.wav")) }
    #expect(missing?.domain == "com.apple.coreaudio.avfaudio" && missing?.localizedDescription.isEmpty == false)
    #expect(missing?.userInfo[NSUnderlyingErrorKey] is NSError)
    try TestSound.inFolder { folder in
      let text = folder.appendingPathComponent("text.wav")
      try Data("no sound at all, only words".utf8).write(to: text)
      let unknown = error { _ = try AVAudioFile(forReading: text) }
      #expect(unknown?.code == 0x7479_703f, "\(String(describing: unknown))")
    }
    let silent = error { _ = try AVAudioFile(forReading: Fixture.url("video-only.mp4")) }
    #expect(silent?.localizedDescription.contains("no sound") == true)
  }

  @Test func misuse() async throws {
    await #expect(processExitsWith: .failure) {
      let file = try AVAudioFile(forReading: Fixture.url("tone.wav"))
      let format = AVAudioFormat(standardFormatWithSampleRate: 8_000, channels: 2)
      if let format, let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10) { try file.read(into: buffer) }
    }
    await #expect(processExitsWith: .failure) {
      try AVAudioFile(forReading: Fixture.url("tone.wav")).framePosition = -1
    }
  }
}

@Suite struct AudioFileWritingTests {
  /// Every container with every form of linear samples that it has.
  @Test(arguments: ["wav", "aiff", "aifc", "caf"], [8, 16, 24, 32, -32, -64])
  func linearSamplesComeBack(_ ending: String, _ bits: Int) throws {
    try TestSound.inFolder { folder in
      let url = folder.appendingPathComponent("a.\(ending)")
      let settings: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: abs(bits), AVLinearPCMIsFloatKey: bits < 0,
      ]
      let sound = try TestSound.buffer(10_001)
      do {
        let file = try AVAudioFile(forWriting: url, settings: settings)
        #expect(file.processingFormat.isStandard && file.length == 0)
        try file.write(from: sound)
        #expect(file.length == 10_001 && file.framePosition == 10_001)
      }
      let file = try AVAudioFile(forReading: url)
      #expect(file.length == 10_001 && file.fileFormat.channelCount == 2)
      let read = try TestSound.read(file, piece: 4_321)
      for channel in 0..<2 {
        let expected = TestSound.samples(sound, channel)
        // Half a step; 8 bits end at 127 steps.
        let (limit, most): (Float, Float) = bits == 8 ? (1 / 256, 127 / 128) : (0, 1)
        #expect(read[channel].count == 10_001)
        #expect(zip(read[channel], expected).allSatisfy { abs($0 - min($1, most)) <= limit }, "channel \(channel)")
      }
    }
  }

  @Test(arguments: [
    ("a.flac", kAudioFormatFLAC, 44_100.0), ("a.m4a", kAudioFormatMPEG4AAC, 44_100),
    ("a.m4a", kAudioFormatAppleLossless, 44_100), ("a.opus", kAudioFormatOpus, 48_000),
    ("a.mp3", kAudioFormatMPEGLayer3, 44_100), ("a.caf", kAudioFormatAppleLossless, 48_000),
    ("a.ogg", kAudioFormatFLAC, 48_000),
  ])
  func codedSoundHasItsLength(_ name: String, _ id: AudioFormatID, _ rate: Double) throws {
    try TestSound.inFolder { folder in
      let url = folder.appendingPathComponent(name)
      let settings: [String: Any] = [AVFormatIDKey: id, AVSampleRateKey: rate, AVNumberOfChannelsKey: 2]
      let file = try AVAudioFile(forWriting: url, settings: settings)
      for part in 0..<20 {
        try file.write(
          from: TestSound.buffer(3_001, rate: rate, from: part * 3_001) { frame, _ in
            TestSound.sine(440, frame, rate: rate)
          })
      }
      file.close()
      #expect(!file.isOpen && file.length == 60_020)
      let again = try AVAudioFile(forReading: url)
      #expect(again.length == 60_020)
      let sound = try TestSound.read(again)
      #expect(sound[0].count == 60_020)
      let isLossless = id == kAudioFormatFLAC || id == kAudioFormatAppleLossless
      var (signal, noise) = (0.0, 0.0)
      // Encoders that lose begin softly.
      for frame in (isLossless ? 0 : 4_000)..<min(sound[0].count, 56_000) {
        let expected = Double(TestSound.sine(440, frame, rate: rate))
        signal += expected * expected
        noise += (expected - Double(sound[0][frame])) * (expected - Double(sound[0][frame]))
      }
      #expect(noise < signal * (isLossless ? 1e-8 : 0.01), "\(10 * log10(signal / noise)) dB")
    }
  }

  @Test func theFileIsRightAfterEveryWrite() throws {
    try TestSound.inFolder { folder in
      for ending in ["wav", "caf", "aiff"] {
        let url = folder.appendingPathComponent("a.\(ending)")
        let settings: [String: Any] = [
          AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        for part in 1...3 {
          try file.write(from: TestSound.buffer(1_000))
          #expect(try AVAudioFile(forReading: url).length == AVAudioFramePosition(part * 1_000), "\(ending)")
        }
      }
    }
  }

  @Test func settingsThatNobodyCanWrite() throws {
    try TestSound.inFolder { folder in
      let linear: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2,
      ]
      let cases: [(String, [String: Any])] = [
        ("a.xyz", [:]), ("a", [:]), ("a.wav", [AVFormatIDKey: kAudioFormatMPEG4AAC]),
        ("a.m4a", [AVFormatIDKey: kAudioFormatLinearPCM]), ("a.wav", [AVLinearPCMBitDepthKey: 13]),
        ("a.wav", [AVSampleRateKey: 0.0]), ("a.wav", [AVSampleRateKey: Double.nan]),
        ("a.wav", [AVNumberOfChannelsKey: 0]), ("a.wav", [AVNumberOfChannelsKey: 100_000]),
        ("a.m4a", [AVFormatIDKey: kAudioFormatMPEG4AAC, AVEncoderBitRateKey: -5]),
        ("a.opus", [AVFormatIDKey: kAudioFormatOpus, AVSampleRateKey: 44_100.0]),
        ("a.wav", [AVFormatIDKey: 0x3f3f_3f3f]),
      ]
      for (name, change) in cases {
        let settings = linear.merging(change) { $1 }
        let url = folder.appendingPathComponent(name)
        #expect {
          _ = try AVAudioFile(forWriting: url, settings: settings)
        } throws: { error in
          let error = error as NSError
          return error.domain == "com.apple.coreaudio.avfaudio" && error.localizedRecoverySuggestion?.isEmpty == false
        }
      }
    }
  }

  @Test func placesThatNobodyCanWrite() throws {
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2,
    ]
    #expect(throws: (any Error).self) {
      try AVAudioFile(forWriting: URL(fileURLWithPath: "/no/such/folder/a.wav"), settings: settings)
    }
    let full = settings.merging([AVAudioFileTypeKey: 0x5741_5645]) { $1 }
    #expect {
      let file = try AVAudioFile(forWriting: URL(fileURLWithPath: "/dev/full"), settings: full)
      try file.write(from: TestSound.buffer(1_000))
    } throws: { error in
      (error as NSError).code == -34
    }
    try TestSound.inFolder { folder in
      let file = try AVAudioFile(forWriting: folder.appendingPathComponent("a.wav"), settings: settings)
      file.close()
      #expect(throws: (any Error).self) { try file.write(from: TestSound.buffer(10)) }
    }
  }
}
