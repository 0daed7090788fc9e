/// Makes a buffer's data ready for its creator; a code other than 0 means failure.
public typealias CMSampleBufferMakeDataReadyCallback =
  (_ sbuf: CMSampleBuffer, _ makeDataReadyRefcon: UnsafeMutableRawPointer?) -> OSStatus

private func array<Element>(_ pointer: UnsafePointer<Element>?, _ count: Int) throws -> [Element] {
  guard count >= 0 else { throw NSError.status(kCMSampleBufferError_InvalidEntryCount) }
  guard count > 0 else { return [] }
  guard let pointer else { throw NSError.status(kCMSampleBufferError_RequiredParameterMissing) }
  return Array(UnsafeBufferPointer(start: pointer, count: count))
}

@discardableResult
public func CMSampleBufferCreate(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription?, sampleCount numSamples: CMItemCount,
  sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  return status {
    sampleBufferOut.pointee = try CMSampleBuffer(
      dataBuffer: dataBuffer, isReady: dataReady,
      makeReady: makeDataReadyCallback.map { callback in { callback($0, makeDataReadyRefcon) } },
      formatDescription: formatDescription, numSamples: numSamples,
      timings: try array(sampleTimingArray, numSampleTimingEntries),
      sizes: try array(sampleSizeArray, numSampleSizeEntries))
  }
}

@discardableResult
public func CMSampleBufferCreateReady(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
  sampleCount numSamples: CMItemCount, sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  CMSampleBufferCreate(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
    formatDescription: formatDescription, sampleCount: numSamples, sampleTimingEntryCount: numSampleTimingEntries,
    sampleTimingArray: sampleTimingArray, sampleSizeEntryCount: numSampleSizeEntries,
    sampleSizeArray: sampleSizeArray, sampleBufferOut: sampleBufferOut)
}

@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
  sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  return status {
    sampleBufferOut.pointee = try CMSampleBuffer(
      imageBuffer: imageBuffer, formatDescription: formatDescription, sampleTiming: sampleTiming.pointee)
  }
}

@discardableResult
public func CMSampleBufferCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
  formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  guard formatDescription.matchesImageBuffer(imageBuffer) else { return kCMSampleBufferError_InvalidMediaFormat }
  return status {
    sampleBufferOut.pointee = try CMSampleBuffer(
      dataBuffer: nil, isReady: dataReady,
      makeReady: makeDataReadyCallback.map { callback in { callback($0, makeDataReadyRefcon) } },
      imageBuffer: imageBuffer, formatDescription: formatDescription, numSamples: 1,
      timings: [sampleTiming.pointee], sizes: [])
  }
}

@discardableResult
public func CMSampleBufferCreateCopy(
  allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  return status { sampleBufferOut.pointee = try CMSampleBuffer(copying: sbuf, forRange: 0..<sbuf.numSamples) }
}

@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
  allocator: CFAllocator?, sampleBuffer originalSBuf: CMSampleBuffer,
  sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  return status {
    sampleBufferOut.pointee = try CMSampleBuffer(
      copying: originalSBuf, withNewTiming: try array(sampleTimingArray, numSampleTimingEntries))
  }
}

@discardableResult
public func CMSampleBufferCopySampleBufferForRange(
  allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleRange: CFRange,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  sampleBufferOut.pointee = nil
  let (end, overflow) = sampleRange.location.addingReportingOverflow(sampleRange.length)
  guard sampleRange.location >= 0, sampleRange.length >= 0, !overflow else {
    return kCMSampleBufferError_SampleIndexOutOfRange
  }
  return status {
    sampleBufferOut.pointee = try CMSampleBuffer(copying: sbuf, forRange: sampleRange.location..<end)
  }
}
