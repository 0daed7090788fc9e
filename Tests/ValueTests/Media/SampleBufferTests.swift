import CoreMedia
import Foundation
import Testing

@Suite struct SampleBufferTests {
  private func time(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 25) }

  private func timing(_ presentation: Int64, decode: Int64? = nil, duration: Int64 = 1) -> CMSampleTimingInfo {
    CMSampleTimingInfo(
      duration: time(duration), presentationTimeStamp: time(presentation),
      decodeTimeStamp: decode.map(time) ?? .invalid)
  }

  private func make(
    _ bytes: Int, count: Int, timings: [CMSampleTimingInfo], sizes: [Int]
  ) throws -> CMSampleBuffer {
    try CMSampleBuffer(
      dataBuffer: CMBlockBuffer(copying: Data((0..<bytes).map { UInt8($0) })), formatDescription: nil,
      numSamples: count, sampleTimings: timings, sampleSizes: sizes)
  }

  @Test func oneTiming_countsOn() throws {
    let buffer = try make(12, count: 3, timings: [timing(10, decode: 8)], sizes: [4])
    #expect(buffer.presentationTimeStamp == time(10) && buffer.decodeTimeStamp == time(8))
    #expect(buffer.duration == time(3) && buffer.totalSampleSize == 12)
    let third = try buffer.sampleTimingInfo(at: 2)
    #expect(third.presentationTimeStamp == time(12) && third.decodeTimeStamp == time(10))
    #expect(try buffer.sampleTimingInfos().count == 3 && buffer.sampleSizes() == [4, 4, 4])
  }

  @Test func reorderedTimings_giveTheEarliestTime() throws {
    let buffer = try make(
      6, count: 3, timings: [timing(4, decode: 1), timing(2, decode: 2), timing(3, decode: 3, duration: 2)],
      sizes: [1, 2, 3])
    #expect(CMSampleBufferGetPresentationTimeStamp(buffer) == time(2))
    #expect(CMSampleBufferGetDecodeTimeStamp(buffer) == time(1) && CMSampleBufferGetDuration(buffer) == time(4))
    #expect(CMSampleBufferGetSampleSize(buffer, at: 2) == 3 && CMSampleBufferGetSampleSize(buffer, at: 9) == 0)
  }

  @Test func wrongEntryCounts_areRefused() throws {
    for (count, timings, sizes) in [(3, 2, 1), (3, 1, 2), (1, 2, 0), (-1, 0, 0)] {
      #expect(throws: NSError.self) {
        try make(
          1, count: count, timings: Array(repeating: timing(0), count: timings),
          sizes: Array(repeating: 1, count: sizes))
      }
    }
  }

  @Test func marker_hasNoSamples() throws {
    var buffer: CMSampleBuffer?
    #expect(
      CMSampleBufferCreate(
        allocator: kCFAllocatorDefault, dataBuffer: nil, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: nil, sampleCount: 0, sampleTimingEntryCount: 0, sampleTimingArray: nil,
        sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &buffer) == noErr)
    let marker = try #require(buffer)
    #expect(CMSampleBufferGetNumSamples(marker) == 0 && !marker.presentationTimeStamp.isValid)
    #expect(try marker.singleSampleBuffers() == [marker])
    #expect(CMSampleBufferCallBlockForEachSample(marker) { _, _ in -1 } == noErr)
    #expect(CMSampleBufferCallForEachSample(marker, callback: { _, _, _ in -1 }, refcon: nil) == noErr)
    var timing = CMSampleTimingInfo()
    #expect(
      CMSampleBufferGetSampleTimingInfo(marker, at: 0, timingInfoOut: &timing)
        == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
  }

  @Test func cArrays_areCopiedAndReadBack() throws {
    var (timings, sizes) = ([timing(0), timing(1)], [3, 4])
    var made: CMSampleBuffer?
    CMSampleBufferCreateReady(
      allocator: nil, dataBuffer: try CMBlockBuffer(length: 7), formatDescription: nil, sampleCount: 2,
      sampleTimingEntryCount: 2, sampleTimingArray: &timings, sampleSizeEntryCount: 2, sampleSizeArray: &sizes,
      sampleBufferOut: &made)
    let buffer = try #require(made)
    var needed = 0
    #expect(
      CMSampleBufferGetSampleTimingInfoArray(buffer, entryCount: 0, arrayToFill: nil, entriesNeededOut: &needed)
        == noErr)
    var back = [CMSampleTimingInfo](repeating: .invalid, count: needed)
    CMSampleBufferGetSampleTimingInfoArray(buffer, entryCount: needed, arrayToFill: &back, entriesNeededOut: nil)
    #expect(back.map(\.presentationTimeStamp) == [time(0), time(1)])
    #expect(
      CMSampleBufferGetSampleSizeArray(buffer, entryCount: 1, arrayToFill: &sizes, entriesNeededOut: nil)
        == kCMSampleBufferError_ArrayTooSmall)
  }

  @Test func singleSamples_shareTheirBytesAndKeepWhatIsSaid() throws {
    let buffer = try make(6, count: 3, timings: [timing(10)], sizes: [1, 2, 3])
    CMSetAttachment(buffer, key: "whole", value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    buffer.sampleAttachments[1][.notSync] = true
    let singles = try buffer.singleSampleBuffers()
    #expect(try singles.map { try $0.dataBuffer?.dataBytes() } == [Data([0]), Data([1, 2]), Data([3, 4, 5])])
    #expect(singles.map(\.presentationTimeStamp) == [time(10), time(11), time(12)])
    #expect(singles[1].sampleAttachments[0][.notSync] as? Bool == true)
    #expect(singles[2].sampleAttachments[0][.notSync] == nil)
    #expect(CMGetAttachment(singles[2], key: "whole", attachmentModeOut: nil) as? Int == 1)
    var visited: [CMItemIndex] = []
    let status = CMSampleBufferCallBlockForEachSample(buffer) { _, index in
      visited.append(index)
      return index == 1 ? -5 : noErr
    }
    #expect(status == -5 && visited == [0, 1])
    var sum = 100
    let other = CMSampleBufferCallForEachSample(
      buffer,
      callback: { _, index, context in
        context?.assumingMemoryBound(to: Int.self).pointee += index
        return noErr
      }, refcon: &sum)
    #expect(other == noErr && sum == 103)
  }

  @Test func partsWithoutSizes_cannotBeCut() throws {
    let buffer = try make(6, count: 3, timings: [timing(0)], sizes: [])
    var part: CMSampleBuffer?
    #expect(
      CMSampleBufferCopySampleBufferForRange(
        allocator: nil, sampleBuffer: buffer, sampleRange: CFRangeMake(0, 1), sampleBufferOut: &part)
        == kCMSampleBufferError_CannotSubdivide)
    #expect(
      CMSampleBufferCopySampleBufferForRange(
        allocator: nil, sampleBuffer: buffer, sampleRange: CFRangeMake(2, .max), sampleBufferOut: &part)
        == kCMSampleBufferError_SampleIndexOutOfRange)
    #expect(CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: buffer, sampleBufferOut: &part) == noErr)
    #expect(part?.dataBuffer === buffer.dataBuffer)
  }

  @Test func sizesBeyondTheData_areInvalid() throws {
    let buffer = try make(4, count: 2, timings: [timing(0)], sizes: [.max])
    #expect(throws: NSError.self) { try CMSampleBuffer(copying: buffer, forRange: 1..<2) }
    _ = buffer.totalSampleSize
  }

  @Test func copyWithNewTiming_keepsTheRest() throws {
    let buffer = try make(4, count: 1, timings: [timing(0)], sizes: [4])
    var timings = [timing(50)]
    var copy: CMSampleBuffer?
    CMSampleBufferCreateCopyWithNewTiming(
      allocator: nil, sampleBuffer: buffer, sampleTimingEntryCount: 1, sampleTimingArray: &timings,
      sampleBufferOut: &copy)
    #expect(copy?.presentationTimeStamp == time(50) && copy?.dataBuffer == buffer.dataBuffer)
  }

  @Test func attachmentsArray_isMadeOnDemandAndLive() throws {
    let buffer = try make(4, count: 2, timings: [timing(0)], sizes: [2])
    #expect(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) == nil)
    let array = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true)
    let dictionaries = try #require(array as? [NSMutableDictionary])
    dictionaries[0][kCMSampleAttachmentKey_DisplayImmediately] = true
    #expect(buffer.sampleAttachments[0][.displayImmediately] as? Bool == true)
    let read = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) as? [[CFString: Any]]
    #expect(read?[0][kCMSampleAttachmentKey_DisplayImmediately] as? Bool == true)
    #expect(read?[1].isEmpty == true)
  }

  @Test func outputTimes_followTrimsSpeedAndDirection() throws {
    let buffer = try make(4, count: 10, timings: [timing(100)], sizes: [])
    let trim = CMTimeCopyAsDictionary(time(2), allocator: nil)
    CMSetAttachment(buffer, key: kCMSampleBufferAttachmentKey_TrimDurationAtStart, value: trim, attachmentMode: 1)
    CMSetAttachment(buffer, key: kCMSampleBufferAttachmentKey_SpeedMultiplier, value: 2.0, attachmentMode: 1)
    #expect(buffer.outputPresentationTimeStamp == time(102) && buffer.outputDuration == time(4))
    CMSetAttachment(buffer, key: kCMSampleBufferAttachmentKey_Reverse, value: true, attachmentMode: 1)
    CMSetAttachment(
      buffer, key: kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
      value: CMTimeCopyAsDictionary(time(1), allocator: nil), attachmentMode: 1)
    #expect(CMSampleBufferGetOutputPresentationTimeStamp(buffer) == time(109))
    CMSampleBufferSetOutputPresentationTimeStamp(buffer, newValue: time(7))
    #expect(buffer.outputPresentationTimeStamp == time(7))
  }

  @Test func data_becomesReadyThroughItsHandler() throws {
    let buffer = try CMSampleBuffer(
      dataBuffer: nil, dataReady: false, formatDescription: nil, numSamples: 1, sampleTimings: [], sampleSizes: []
    ) { try $0.setDataBuffer(CMBlockBuffer(length: 3)) }
    #expect(!CMSampleBufferDataIsReady(buffer))
    #expect(CMSampleBufferMakeDataReady(buffer) == noErr && CMSampleBufferDataIsReady(buffer))
    #expect(buffer.dataBuffer?.dataLength == 3)
    #expect(
      CMSampleBufferSetDataBuffer(buffer, newValue: try CMBlockBuffer(length: 1))
        == kCMSampleBufferError_AlreadyHasDataBuffer)
    let failed = try make(1, count: 1, timings: [], sizes: [])
    CMSampleBufferSetDataFailed(failed, status: -3)
    #expect(CMSampleBufferMakeDataReady(failed) == kCMSampleBufferError_DataFailed)
  }

  @Test func copies_haveWhatShouldPropagateAlone() throws {
    let buffer = try make(2, count: 2, timings: [timing(0)], sizes: [1])
    CMSetAttachment(buffer, key: "goes", value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    CMSetAttachment(buffer, key: "stays", value: 1, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    let copies = [
      try CMSampleBuffer(copying: buffer, withNewTiming: [timing(5)]),
      try CMSampleBuffer(copying: buffer, forRange: 0..<1),
    ]
    for copy in copies {
      var mode: CMAttachmentMode = 9
      #expect(CMGetAttachment(copy, key: "goes", attachmentModeOut: &mode) as? Int == 1)
      #expect(mode == kCMAttachmentMode_ShouldPropagate)
      #expect(CMGetAttachment(copy, key: "stays", attachmentModeOut: nil) == nil)
    }
  }

  @Test func copiesOfABufferThatIsNotReady_becomeReadyWithIt() throws {
    var calls = 0
    let buffer = try CMSampleBuffer(
      dataBuffer: nil, dataReady: false, formatDescription: nil, numSamples: 2, sampleTimings: [timing(0)],
      sampleSizes: [3]
    ) { buffer in
      calls += 1
      try buffer.setDataBuffer(CMBlockBuffer(length: 6))
    }
    let whole = try CMSampleBuffer(copying: buffer, withNewTiming: [timing(5)])
    let part = try CMSampleBuffer(copying: whole, forRange: 1..<2)
    #expect(!CMSampleBufferDataIsReady(whole) && whole.dataBuffer == nil && part.dataBuffer == nil)
    try part.makeDataReady()
    #expect(calls == 1)
    for one in [buffer, whole, part] { #expect(CMSampleBufferDataIsReady(one)) }
    try whole.makeDataReady()
    #expect(calls == 1 && whole.dataBuffer === buffer.dataBuffer)
    #expect(part.dataBuffer?.dataLength == 3 && part.dataBuffer === part.dataBuffer)
    try part.invalidate()
    #expect(part.dataBuffer == nil && buffer.dataBuffer != nil)
  }

  @Test func copiesOfABufferWhoseDataFails_failWithIt() throws {
    let buffer = try CMSampleBuffer(
      dataBuffer: nil, dataReady: false, formatDescription: nil, numSamples: 1, sampleTimings: [], sampleSizes: []
    ) { _ in throw NSError.status(-7) }
    let copy = try CMSampleBuffer(copying: buffer, forRange: 0..<1)
    #expect(CMSampleBufferMakeDataReady(copy) == -7)
    let isFailed = if case .failed(-7) = copy.dataReadiness { true } else { false }
    #expect(isFailed)
    #expect(CMSampleBufferMakeDataReady(copy) == kCMSampleBufferError_DataFailed)
  }

  @Test func failedHandlers_areCalledOnceAndRemembered() throws {
    enum Fault: Error { case first }
    let faults: [(any Error, OSStatus)] = [
      (NSError.status(-7), -7), (Fault.first, kCMSampleBufferError_DataFailed),
    ]
    for (fault, code) in faults {
      var calls = 0
      let buffer = try CMSampleBuffer(
        dataBuffer: nil, dataReady: false, formatDescription: nil, numSamples: 1, sampleTimings: [], sampleSizes: []
      ) { _ in
        calls += 1
        throw fault
      }
      #expect(CMSampleBufferMakeDataReady(buffer) == code)
      guard case .failed(code) = buffer.dataReadiness else {
        Issue.record("\(buffer.dataReadiness)")
        continue
      }
      #expect(CMSampleBufferMakeDataReady(buffer) == kCMSampleBufferError_DataFailed && calls == 1)
    }
  }

  @Test func aSecondCallWhileTheHandlerRuns_doesNotRunIt() throws {
    var calls = 0
    let buffer = try CMSampleBuffer(
      dataBuffer: nil, dataReady: false, formatDescription: nil, numSamples: 1, sampleTimings: [], sampleSizes: []
    ) { buffer in
      calls += 1
      if calls == 1 { #expect(CMSampleBufferMakeDataReady(buffer) == kCMSampleBufferError_BufferNotReady) }
    }
    #expect(CMSampleBufferMakeDataReady(buffer) == noErr && calls == 1 && CMSampleBufferDataIsReady(buffer))
  }

  @Test func invalidatedBuffers_letTheirDataGoAfterTheHandler() throws {
    let flag = Flag()
    var owner: FrameOwner? = FrameOwner(count: 8) { flag.raise() }
    let bytes = UnsafeRawBufferPointer(try #require(owner).bytes)
    let buffer = try CMSampleBuffer(
      dataBuffer: CMBlockBuffer(bytes: bytes, owner: try #require(owner)), formatDescription: nil, numSamples: 1,
      sampleTimings: [], sampleSizes: [8])
    owner = nil
    try buffer.setInvalidateHandler { buffer in #expect(!flag.isRaised && buffer.dataBuffer == nil) }
    try buffer.invalidate()
    #expect(flag.isRaised)
  }

  @Test func invalidatedPictures_areGone() throws {
    var image: CVPixelBuffer?
    CVPixelBufferCreate(nil, 8, 8, kCVPixelFormatType_32BGRA, nil, &image)
    let buffer = try CMSampleBuffer(
      imageBuffer: try #require(image), formatDescription: CMFormatDescription(imageBuffer: try #require(image)),
      sampleTiming: timing(0))
    weak let picture = image
    image = nil
    #expect(buffer.imageBuffer != nil && buffer.imageBuffer === picture)
    try buffer.invalidate()
    #expect(buffer.imageBuffer == nil && CMSampleBufferGetImageBuffer(buffer) == nil && picture == nil)
  }

  @Test func invalidatedBuffers_failEverything() throws {
    let flag = Flag()
    let buffer = try make(4, count: 1, timings: [timing(0)], sizes: [4])
    try buffer.setInvalidateHandler { _ in flag.raise() }
    #expect(CMSampleBufferInvalidate(buffer) == noErr && flag.isRaised && !CMSampleBufferIsValid(buffer))
    #expect(buffer.dataBuffer == nil && !buffer.presentationTimeStamp.isValid)
    var copy: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: buffer, sampleBufferOut: &copy)
        == kCMSampleBufferError_Invalidated)
    #expect(CMSampleBufferSetDataReady(buffer) == -12744)
  }

  @Test func imageBuffers_needTheirOwnFormat() throws {
    var image: CVPixelBuffer?
    CVPixelBufferCreate(nil, 8, 8, kCVPixelFormatType_32BGRA, nil, &image)
    let picture = try #require(image)
    var info = timing(3)
    var made: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateReadyWithImageBuffer(
        allocator: nil, imageBuffer: picture, formatDescription: try CMFormatDescription(imageBuffer: picture),
        sampleTiming: &info, sampleBufferOut: &made) == noErr)
    #expect(made.flatMap { CMSampleBufferGetImageBuffer($0) } == picture && made?.dataBuffer == nil)
    let other = try CMFormatDescription(videoCodecType: .h264, width: 8, height: 8)
    #expect(
      CMSampleBufferCreateReadyWithImageBuffer(
        allocator: nil, imageBuffer: picture, formatDescription: other, sampleTiming: &info, sampleBufferOut: &made)
        == kCMSampleBufferError_InvalidMediaFormat)
  }
}
