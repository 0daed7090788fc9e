import AVFoundation
import MediaRuntime
import Testing

@Suite struct AudioFormatTests {
  @Test func theStandardFormat() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    #expect(format.isStandard && !format.isInterleaved && format.commonFormat == .pcmFormatFloat32)
    #expect(format.sampleRate == 44_100 && format.channelCount == 2 && format.channelLayout == nil)
    let stream = format.streamDescription.pointee
    #expect(stream.mFormatID == kAudioFormatLinearPCM && stream.mBytesPerFrame == 4 && stream.mBitsPerChannel == 32)
    #expect(stream.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0)
  }

  @Test func commonFormats() throws {
    let bytes: [(AVAudioCommonFormat, UInt32)] = [
      (.pcmFormatFloat32, 4), (.pcmFormatFloat64, 8), (.pcmFormatInt16, 2), (.pcmFormatInt32, 4),
    ]
    for (kind, size) in bytes {
      let format = try #require(
        AVAudioFormat(commonFormat: kind, sampleRate: 48_000, channels: 2, interleaved: true))
      #expect(format.commonFormat == kind && format.isInterleaved && !format.isStandard)
      #expect(format.streamDescription.pointee.mBytesPerFrame == 2 * size)
    }
    #expect(AVAudioFormat(commonFormat: .otherFormat, sampleRate: 48_000, channels: 2, interleaved: true) == nil)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 0) == nil)
    #expect(AVAudioFormat(standardFormatWithSampleRate: .nan, channels: 2) == nil)
    #expect(AVAudioFormat(standardFormatWithSampleRate: -1, channels: 2) == nil)
  }

  @Test func moreThanTwoChannelsNeedALayout() throws {
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 3) == nil)
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    #expect(layout.channelCount == 6 && layout.layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    #expect(format.channelCount == 6 && format.channelLayout == layout)
    var stream = format.streamDescription.pointee
    #expect(AVAudioFormat(streamDescription: &stream) == nil)
    #expect(AVAudioFormat(streamDescription: &stream, channelLayout: layout) == format)
    let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    #expect(AVAudioFormat(streamDescription: &stream, channelLayout: stereo) == nil)
    #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
  }

  @Test func settingsMakeTheSameFormatAgain() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    for format in [
      AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8_000, channels: 1, interleaved: true),
      AVAudioFormat(commonFormat: .pcmFormatFloat64, sampleRate: 96_000, interleaved: false, channelLayout: layout),
    ] {
      let format = try #require(format)
      #expect(AVAudioFormat(settings: format.settings) == format)
    }
    #expect(AVAudioFormat(settings: [:]) == nil)
    let coded = try #require(
      AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]))
    #expect(coded.commonFormat == .otherFormat && coded.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC)
    #expect(AVAudioFormat(settings: [AVFormatIDKey: "no", AVSampleRateKey: 1, AVNumberOfChannelsKey: 1]) == nil)
  }

  @Test func formatsAreEqualByWhatTheyAre() throws {
    let one = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let same = try #require(
      AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 2, interleaved: false))
    let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    #expect(one == same && one.hash == same.hash && one != other)
    #expect(one.formatDescription.audioStreamBasicDescription == one.streamDescription.pointee)
    #expect(AVAudioFormat(cmAudioFormatDescription: one.formatDescription) == one)
  }
}

@Suite struct AudioBufferTests {
  @Test func capacityAndLength() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
    #expect(buffer.frameCapacity == 100 && buffer.frameLength == 0 && buffer.stride == 1)
    #expect(buffer.int16ChannelData == nil && buffer.int32ChannelData == nil && buffer.floatChannelData != nil)
    buffer.frameLength = 25
    let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: buffer.audioBufferList))
    #expect(list.map(\.mDataByteSize) == [100, 100] && list.map(\.mNumberChannels) == [1, 1])
    let whole = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    #expect(whole.map(\.mDataByteSize) == [400, 400])
  }

  @Test func interleavedChannelsLieSideBySide() throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
    buffer.frameLength = 4
    let data = try #require(buffer.int16ChannelData)
    #expect(buffer.stride == 2 && data[1] == data[0] + 1)
    data[1][2 * buffer.stride] = 77
    let bytes = try #require(buffer.audioBufferList.pointee.mBuffers.mData)
    #expect(bytes.load(fromByteOffset: 10, as: Int16.self) == 77)
  }

  @Test func aCopyHasItsOwnSamples() throws {
    let buffer = try TestSound.buffer(50)
    let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
    buffer.floatChannelData?[0][3] = 9
    #expect(copy.frameLength == 50 && TestSound.samples(copy)[3] == TestSound.ramp(3, 0))
  }

  @Test func memoryOfTheApps() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 8)
    memory.initialize(repeating: 0.5, count: 8)
    let released = Lock(0)
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 32, mData: UnsafeMutableRawPointer(memory)))
    do {
      let buffer = try #require(
        AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: &list) { _ in released.withLock { $0 += 1 } })
      #expect(buffer.frameCapacity == 8 && buffer.frameLength == 8 && TestSound.samples(buffer)[7] == 0.5)
      #expect(buffer.floatChannelData?[0] == memory)
    }
    #expect(released.withLock { $0 } == 1)
    memory.deallocate()
    let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    #expect(AVAudioPCMBuffer(pcmFormat: stereo, bufferListNoCopy: &list) == nil)
  }

  @Test func aBufferThatNoMemoryHolds() throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatFloat64, sampleRate: 48_000, channels: 2, interleaved: true))
    #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: .max) == nil)
  }

  @Test func misuse() async {
    await #expect(processExitsWith: .failure) {
      let format = AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      ])
      if let format { _ = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8) }
    }
    await #expect(processExitsWith: .failure) {
      let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
      if let format { AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8)?.frameLength = 9 }
    }
    await #expect(processExitsWith: .success) {
      let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
      if let format { AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8)?.frameLength = 8 }
    }
  }
}

@Suite struct AudioTimeTests {
  @Test func hostTimeIsNanoseconds() {
    #expect(AVAudioTime.hostTime(forSeconds: 1.5) == 1_500_000_000)
    #expect(AVAudioTime.seconds(forHostTime: 2_500_000_000) == 2.5)
    #expect(AVAudioTime.hostTime(forSeconds: -1) == 0 && AVAudioTime.hostTime(forSeconds: .nan) == 0)
    #expect(AVAudioTime.hostTime(forSeconds: .infinity) == .max)
  }

  @Test func whatATimeHas() {
    let host = AVAudioTime(hostTime: 5)
    #expect(host.isHostTimeValid && !host.isSampleTimeValid && host.hostTime == 5)
    let samples = AVAudioTime(sampleTime: 480, atRate: 48_000)
    #expect(!samples.isHostTimeValid && samples.isSampleTimeValid && samples.sampleTime == 480)
    #expect(samples.sampleRate == 48_000)
    let both = AVAudioTime(hostTime: 5, sampleTime: -3, atRate: 8_000)
    #expect(both.isHostTimeValid && both.isSampleTimeValid && both.sampleTime == -3)
    var stamp = both.audioTimeStamp
    #expect(stamp.mFlags == .sampleHostTimeValid && AVAudioTime(audioTimeStamp: &stamp, sampleRate: 8_000) == both)
  }

  @Test func extrapolating() throws {
    let anchor = AVAudioTime(hostTime: 10_000_000_000, sampleTime: 1_000, atRate: 48_000)
    let later = try #require(AVAudioTime(hostTime: 10_500_000_000).extrapolateTime(fromAnchor: anchor))
    #expect(later.sampleTime == 25_000 && later.hostTime == 10_500_000_000)
    let earlier = try #require(AVAudioTime(sampleTime: -47_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
    #expect(earlier.hostTime == 9_000_000_000)
    #expect(AVAudioTime(sampleTime: 0, atRate: 44_100).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(AVAudioTime(hostTime: 0).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 1)) == nil)
    #expect(AVAudioTime(sampleTime: -48_000_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor) == nil)
  }
}
