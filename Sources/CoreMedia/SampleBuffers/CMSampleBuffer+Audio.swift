/// A buffer of audio packets. Frames of linear PCM count as packets and need no descriptions.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  guard let stream = formatDescription.audioStreamBasicDescription else {
    return kCMSampleBufferError_InvalidMediaTypeForOperation
  }
  guard numSamples >= 0 else { return kCMSampleBufferError_InvalidEntryCount }
  return status {
    let descriptions = packetDescriptions.map { Array(UnsafeBufferPointer(start: $0, count: numSamples)) } ?? []
    let (timings, sizes) = try audioEntries(stream, numSamples, presentationTimeStamp, descriptions)
    sampleBufferOut.pointee = try CMSampleBuffer(
      dataBuffer: dataBuffer, isReady: dataReady,
      makeReady: makeDataReadyCallback.map { callback in { callback($0, makeDataReadyRefcon) } },
      formatDescription: formatDescription, numSamples: numSamples, timings: timings, sizes: sizes)
  }
}

@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
  sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  CMAudioSampleBufferCreateWithPacketDescriptions(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
    formatDescription: formatDescription, sampleCount: numSamples, presentationTimeStamp: presentationTimeStamp,
    packetDescriptions: packetDescriptions, sampleBufferOut: sampleBufferOut)
}

/// Times and sizes of packets, one entry where all are alike.
private func audioEntries(
  _ stream: AudioStreamBasicDescription, _ count: Int, _ start: CMTime,
  _ descriptions: [AudioStreamPacketDescription]
) throws -> ([CMSampleTimingInfo], [Int]) {
  guard let rate = Int32(exactly: stream.mSampleRate.rounded()), rate > 0 else {
    throw NSError.status(kCMSampleBufferError_InvalidMediaFormat)
  }
  func duration(_ frames: UInt32) -> CMTime { CMTime(value: Int64(frames), timescale: rate) }
  guard !descriptions.isEmpty else {
    guard count == 0 || (stream.mBytesPerPacket > 0 && stream.mFramesPerPacket > 0) else {
      throw NSError.status(kCMSampleBufferError_RequiredParameterMissing)
    }
    let channels = stream.isInterleaved ? 1 : max(stream.mChannelsPerFrame, 1)
    let timing = CMSampleTimingInfo(
      duration: duration(stream.mFramesPerPacket), presentationTimeStamp: start, decodeTimeStamp: .invalid)
    return ([timing], [Int(stream.mBytesPerPacket) * Int(channels)])
  }
  let sizes = descriptions.map { Int($0.mDataByteSize) }
  guard descriptions.contains(where: { $0.mVariableFramesInPacket > 0 }) else {
    let timing = CMSampleTimingInfo(
      duration: duration(stream.mFramesPerPacket), presentationTimeStamp: start, decodeTimeStamp: .invalid)
    return ([timing], sizes)
  }
  var time = start
  let timings = descriptions.map { description in
    let frames = description.mVariableFramesInPacket > 0 ? description.mVariableFramesInPacket : stream.mFramesPerPacket
    defer { time = time + duration(frames) }
    return CMSampleTimingInfo(
      duration: duration(frames), presentationTimeStamp: time, decodeTimeStamp: .invalid)
  }
  return (timings, sizes)
}

/// One buffer list entry for interleaved or compressed data, one per channel otherwise.
private func bufferCount(_ stream: AudioStreamBasicDescription) -> Int {
  stream.mFormatID == kAudioFormatLinearPCM && !stream.isInterleaved ? max(Int(stream.mChannelsPerFrame), 1) : 1
}

/// Describes the buffer's audio. The list's pointers are valid while `blockBufferOut` lives.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  blockBufferOut?.pointee = nil
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard let stream = sbuf.formatDescription?.audioStreamBasicDescription else {
    return kCMSampleBufferError_InvalidMediaTypeForOperation
  }
  let count = bufferCount(stream)
  let needed = AudioBufferList.sizeInBytes(maximumBuffers: count)
  bufferListSizeNeededOut?.pointee = needed
  guard let bufferListOut else { return noErr }
  guard bufferListSize >= needed else { return kCMSampleBufferError_ArrayTooSmall }
  guard let blockBufferOut else { return kCMSampleBufferError_RequiredParameterMissing }
  guard let data = sbuf.dataBuffer else { return kCMSampleBufferError_BufferNotReady }
  let isAligned = flags & kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment != 0
  return status {
    let (block, starts, length) = try contiguousPlanes(data, count: count, isAligned: isAligned)
    try block.withUnsafeMutableBytes { bytes in
      bufferListOut.pointee.mNumberBuffers = UInt32(count)
      let list = UnsafeMutableAudioBufferListPointer(bufferListOut)
      for (index, start) in starts.enumerated() {
        list[index] = AudioBuffer(
          mNumberChannels: count > 1 ? 1 : max(stream.mChannelsPerFrame, 1), mDataByteSize: UInt32(clamping: length),
          mData: bytes.baseAddress.map { $0 + start })
      }
    }
    blockBufferOut.pointee = block
  }
}

/// The data in one run, cut into `count` planes of equal length; copied only when it must be.
private func contiguousPlanes(
  _ data: CMBlockBuffer, count: Int, isAligned: Bool
) throws -> (block: CMBlockBuffer, starts: [Int], length: Int) {
  let length = data.dataLength / count
  let starts = (0..<count).map { $0 * length }
  if data.isContiguous {
    let fits = try data.withUnsafeMutableBytes { bytes in
      !isAligned || starts.allSatisfy { (UInt(bitPattern: bytes.baseAddress) &+ UInt($0)) & 15 == 0 }
    }
    if fits { return (data, starts, length) }
  }
  // Memory from the allocator is aligned to 16 bytes already.
  let stride = isAligned ? (length + 15) / 16 * 16 : length
  let copy = try CMBlockBuffer(length: stride * count)
  let source = try data.dataBytes()
  for index in 0..<count {
    _ = source.withUnsafeBytes { bytes in
      copy.replace(
        UnsafeRawBufferPointer(rebasing: bytes[index * length..<(index + 1) * length]), at: index * stride)
    }
  }
  return (copy, (0..<count).map { $0 * stride }, length)
}

extension CMSampleBuffer {
  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    public static let audioBufferListAssure16ByteAlignment = Flags(
      rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
  }

  /// Runs `body` on the buffer's audio as a list.
  public func withAudioBufferList<Result>(
    blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = [],
    body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> Result
  ) throws -> Result {
    guard let stream = formatDescription?.audioStreamBasicDescription else {
      throw NSError.status(kCMSampleBufferError_InvalidMediaTypeForOperation)
    }
    let count = bufferCount(stream)
    let list = AudioBufferList.allocate(maximumBuffers: count)
    defer { free(list.unsafeMutablePointer) }
    var block: CMBlockBuffer?
    let result = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      self, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer,
      bufferListSize: AudioBufferList.sizeInBytes(maximumBuffers: count), blockBufferAllocator: nil,
      blockBufferMemoryAllocator: blockBufferMemoryAllocator, flags: flags.rawValue, blockBufferOut: &block)
    guard result == noErr, let block else { throw NSError.status(result) }
    return try withExtendedLifetime(block) { try body(list, block) }
  }

  /// Copies frames of linear PCM into buffers of the same layout.
  public func copyPCMData(
    fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>
  ) throws {
    guard let stream = formatDescription?.audioStreamBasicDescription, stream.mFormatID == kAudioFormatLinearPCM else {
      throw NSError.status(kCMSampleBufferError_InvalidMediaFormat)
    }
    let frame = Int(stream.mBytesPerFrame)
    let (offset, offsetOverflow) = range.lowerBound.multipliedReportingOverflow(by: frame)
    let (length, lengthOverflow) = range.count.multipliedReportingOverflow(by: frame)
    guard range.lowerBound >= 0, range.upperBound <= numSamples, !offsetOverflow, !lengthOverflow else {
      throw NSError.status(kCMSampleBufferError_SampleIndexOutOfRange)
    }
    let targets = UnsafeMutableAudioBufferListPointer(bufferList)
    try withAudioBufferList { sources, _ in
      guard targets.count == sources.count else { throw NSError.status(kCMSampleBufferError_ArrayTooSmall) }
      for index in sources.indices {
        let (source, target) = (sources[index], targets[index])
        guard Int(target.mDataByteSize) >= length, Int(source.mDataByteSize) >= offset &+ length,
          let from = source.mData, let to = target.mData
        else { throw NSError.status(kCMSampleBufferError_ArrayTooSmall) }
        to.copyMemory(from: from + offset, byteCount: length)
      }
    }
  }
}

@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  let (end, overflow) = frameOffset.addingReportingOverflow(numFrames)
  guard frameOffset >= 0, numFrames >= 0, !overflow else { return kCMSampleBufferError_SampleIndexOutOfRange }
  return status { try sbuf.copyPCMData(fromRange: Int(frameOffset)..<Int(end), into: bufferList) }
}

/// Gives the buffer a copy of the list's audio, planes one after the other, and makes it ready.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
  _ sbuf: CMSampleBuffer, blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
  let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
  return status {
    guard sbuf.formatDescription?.audioStreamBasicDescription != nil else {
      throw NSError.status(kCMSampleBufferError_InvalidMediaTypeForOperation)
    }
    let block = try CMBlockBuffer(length: list.reduce(0) { $0 + Int($1.mDataByteSize) })
    var offset = 0
    for buffer in list {
      guard let data = buffer.mData else { throw NSError.status(kCMSampleBufferError_RequiredParameterMissing) }
      let bytes = UnsafeRawBufferPointer(start: data, count: Int(buffer.mDataByteSize))
      guard block.replace(bytes, at: offset) else { throw NSError.status(kCMSampleBufferError_InvalidSampleData) }
      offset += bytes.count
    }
    try sbuf.setDataBuffer(block)
    try sbuf.setDataReady()
  }
}
