import CoreMedia
import Foundation
import Testing

@Suite struct AudioSampleBufferTests {
  private func make(
    _ stream: AudioStreamBasicDescription, frames: Int, block: CMBlockBuffer
  ) throws -> CMSampleBuffer {
    var buffer: CMSampleBuffer?
    let status = CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: kCFAllocatorDefault, dataBuffer: block,
      formatDescription: try CMFormatDescription(audioStreamBasicDescription: stream), sampleCount: frames,
      presentationTimeStamp: CMTime(value: 48000, timescale: 48000), packetDescriptions: nil, sampleBufferOut: &buffer)
    #expect(status == noErr)
    return try #require(buffer)
  }

  private func pcm(interleaved: Bool) -> AudioStreamBasicDescription {
    .linearPCM(sampleRate: 48000, channels: 2, bytes: 2, isFloat: false, isInterleaved: interleaved)
  }

  @Test func interleavedSound_isOneBufferWithoutACopy() throws {
    let block = try CMBlockBuffer(copying: Data(0..<40))
    let buffer = try make(pcm(interleaved: true), frames: 10, block: block)
    #expect(buffer.duration == CMTime(value: 10, timescale: 48000) && buffer.totalSampleSize == 40)
    try buffer.withAudioBufferList { list, kept in
      #expect(list.count == 1 && list[0].mNumberChannels == 2 && list[0].mDataByteSize == 40)
      #expect(kept === block)
      #expect(list[0].mData?.load(fromByteOffset: 39, as: UInt8.self) == 39)
    }
  }

  @Test func separateChannels_areOneBufferEach() throws {
    let buffer = try make(pcm(interleaved: false), frames: 10, block: try CMBlockBuffer(copying: Data(0..<40)))
    try buffer.withAudioBufferList(flags: .audioBufferListAssure16ByteAlignment) { list, _ in
      #expect(list.count == 2 && list.map(\.mDataByteSize) == [20, 20])
      #expect(list[1].mData?.load(as: UInt8.self) == 20)
      #expect(list.allSatisfy { UInt(bitPattern: $0.mData) & 15 == 0 })
    }
    let part = try CMSampleBuffer(copying: buffer, forRange: 4..<6)
    #expect(try part.dataBuffer?.dataBytes() == Data([8, 9, 10, 11, 28, 29, 30, 31]))
    #expect(part.presentationTimeStamp == CMTime(value: 48004, timescale: 48000))
  }

  @Test func soundInSeveralRuns_isJoined() throws {
    let block = try CMBlockBuffer(copying: Data(0..<18))
    try block.append(bufferReference: CMBlockBuffer(copying: Data(18..<40)))
    let buffer = try make(pcm(interleaved: true), frames: 10, block: block)
    try buffer.withAudioBufferList { list, _ in
      let data = try #require(list[0].mData)
      #expect(Data(bytes: data, count: 40) == Data(0..<40))
    }
  }

  @Test func sizeQuery_comesFirst() throws {
    let buffer = try make(pcm(interleaved: false), frames: 1, block: try CMBlockBuffer(length: 4))
    var needed = 0
    CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      buffer, bufferListSizeNeededOut: &needed, bufferListOut: nil, bufferListSize: 0, blockBufferAllocator: nil,
      blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
    #expect(needed == AudioBufferList.sizeInBytes(maximumBuffers: 2) && needed == 40)
    var (list, block) = (AudioBufferList(), CMBlockBuffer?.none)
    #expect(
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        buffer, bufferListSizeNeededOut: nil, bufferListOut: &list, bufferListSize: MemoryLayout<AudioBufferList>.size,
        blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: &block)
        == kCMSampleBufferError_ArrayTooSmall)
  }

  @Test func frames_areCopiedIntoTheCallersBuffers() throws {
    let buffer = try make(pcm(interleaved: false), frames: 10, block: try CMBlockBuffer(copying: Data(0..<40)))
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 16)
    defer {
      free(list.unsafeMutablePointer)
      memory.deallocate()
    }
    let base = try #require(memory.baseAddress)
    list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4, mData: base)
    list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4, mData: base + 4)
    func copy(_ offset: Int32, _ count: Int32) -> OSStatus {
      CMSampleBufferCopyPCMDataIntoAudioBufferList(
        buffer, at: offset, frameCount: count, into: list.unsafeMutablePointer)
    }
    #expect(copy(3, 2) == noErr && Array(memory) == [6, 7, 8, 9, 26, 27, 28, 29])
    #expect(copy(9, 2) == kCMSampleBufferError_SampleIndexOutOfRange)
    #expect(copy(.max, .max) == kCMSampleBufferError_SampleIndexOutOfRange)
    #expect(copy(0, 3) == kCMSampleBufferError_ArrayTooSmall)
  }

  @Test func bufferList_becomesTheData() throws {
    var made: CMSampleBuffer?
    CMAudioSampleBufferCreateWithPacketDescriptions(
      allocator: nil, dataBuffer: nil, dataReady: false, makeDataReadyCallback: nil, refcon: nil,
      formatDescription: try CMFormatDescription(audioStreamBasicDescription: pcm(interleaved: true)), sampleCount: 2,
      presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &made)
    let buffer = try #require(made)
    var bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let status = bytes.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 8, mData: bytes.baseAddress))
      return CMSampleBufferSetDataBufferFromAudioBufferList(
        buffer, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, bufferList: &list)
    }
    #expect(status == noErr && CMSampleBufferDataIsReady(buffer))
    #expect(try buffer.dataBuffer?.dataBytes() == Data(1...8))
  }

  @Test func packets_haveSizesAndTimes() throws {
    var stream = AudioStreamBasicDescription()
    (stream.mSampleRate, stream.mFormatID, stream.mFramesPerPacket) = (44100, kAudioFormatMPEG4AAC, 1024)
    var packets = [3, 5].map {
      AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: $0)
    }
    var made: CMSampleBuffer?
    CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: nil, dataBuffer: try CMBlockBuffer(length: 8),
      formatDescription: try CMFormatDescription(audioStreamBasicDescription: stream), sampleCount: 2,
      presentationTimeStamp: .zero, packetDescriptions: &packets, sampleBufferOut: &made)
    let buffer = try #require(made)
    #expect(try buffer.sampleSizes() == [3, 5] && buffer.duration == CMTime(value: 2048, timescale: 44100))
    packets[0].mVariableFramesInPacket = 960
    CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: nil, dataBuffer: try CMBlockBuffer(length: 8),
      formatDescription: try #require(buffer.formatDescription), sampleCount: 2, presentationTimeStamp: .zero,
      packetDescriptions: &packets, sampleBufferOut: &made)
    #expect(try made?.sampleTimingInfo(at: 1).presentationTimeStamp == CMTime(value: 960, timescale: 44100))
  }

  @Test func videoFormats_areRefused() throws {
    var made: CMSampleBuffer?
    #expect(
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: try CMBlockBuffer(length: 1),
        formatDescription: try CMFormatDescription(videoCodecType: .h264, width: 1, height: 1), sampleCount: 1,
        presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &made)
        == kCMSampleBufferError_InvalidMediaTypeForOperation)
  }
}
