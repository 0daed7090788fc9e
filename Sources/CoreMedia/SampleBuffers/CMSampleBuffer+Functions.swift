public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.decodeTimeStamp
}

public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.duration
}

public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputPresentationTimeStamp
}

public func CMSampleBufferGetOutputDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDecodeTimeStamp
}

public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDuration
}

@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
  _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
  status { try sbuf.setOutputPresentationTimeStamp(outputPresentationTimeStamp) }
}

public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount {
  sbuf.numSamples
}

public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
  sbuf.totalSampleSize
}

public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
  sbuf.sampleSize(at: sampleIndex)
}

public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? {
  sbuf.imageBuffer
}

public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? {
  sbuf.dataBuffer
}

public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool {
  sbuf.isValid
}

public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool {
  if case .ready = sbuf.dataReadiness { return true }
  return false
}

@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  status { try sbuf.makeDataReady() }
}

@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  status { try sbuf.setDataReady() }
}

@discardableResult
public func CMSampleBufferSetDataFailed(_ sbuf: CMSampleBuffer, status failure: OSStatus) -> OSStatus {
  status { try sbuf.setDataFailed(status: failure) }
}

@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer) -> OSStatus {
  status { try sbuf.setDataBuffer(dataBuffer) }
}

@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  status { try sbuf.invalidate() }
}

@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
  status { timingInfoOut.pointee = try sbuf.sampleTimingInfo(at: sampleIndex) }
}

/// Gives the entries as stored: one, or one per sample. With too small an array only `entriesNeededOut` is set.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
  _ sbuf: CMSampleBuffer, entryCount numSampleTimingEntries: CMItemCount,
  arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
  entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard !sbuf.timings.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
  return fill(
    timingArrayOut, room: numSampleTimingEntries, with: sbuf.timings, needed: timingArrayEntriesNeededOut)
}

/// Gives the entries as stored: one, or one per sample. With too small an array only `entriesNeededOut` is set.
@discardableResult
public func CMSampleBufferGetSampleSizeArray(
  _ sbuf: CMSampleBuffer, entryCount sizeArrayEntries: CMItemCount,
  arrayToFill sizeArrayOut: UnsafeMutablePointer<Int>?,
  entriesNeededOut sizeArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard !sbuf.sizes.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleSizes }
  return fill(sizeArrayOut, room: sizeArrayEntries, with: sbuf.sizes, needed: sizeArrayEntriesNeededOut)
}

private func fill<Element>(
  _ destination: UnsafeMutablePointer<Element>?, room: Int, with elements: [Element],
  needed: UnsafeMutablePointer<Int>?
) -> OSStatus {
  needed?.pointee = elements.count
  guard let destination else { return needed == nil ? kCMSampleBufferError_RequiredParameterMissing : noErr }
  guard room >= elements.count else { return kCMSampleBufferError_ArrayTooSmall }
  for (index, element) in elements.enumerated() { destination[index] = element }
  return noErr
}

/// Calls the handler with each sample in a buffer of its own, for a marker never; a code other than 0 ends it and is
/// returned.
@discardableResult
public func CMSampleBufferCallBlockForEachSample(
  _ sbuf: CMSampleBuffer, handler: (CMSampleBuffer, CMItemIndex) -> OSStatus
) -> OSStatus {
  status {
    try sbuf.checkValid()
    guard sbuf.numSamples > 0 else { return }
    for (index, buffer) in try sbuf.singleSampleBuffers().enumerated() {
      let result = handler(buffer, index)
      if result != noErr { throw NSError.status(result) }
    }
  }
}

/// Same, with a context of the caller's own for the callback.
@discardableResult
public func CMSampleBufferCallForEachSample(
  _ sbuf: CMSampleBuffer, callback: (CMSampleBuffer, CMItemCount, UnsafeMutableRawPointer?) -> OSStatus,
  refcon: UnsafeMutableRawPointer?
) -> OSStatus {
  CMSampleBufferCallBlockForEachSample(sbuf) { callback($0, $1, refcon) }
}
