extension CMSampleBuffer {
  /// The earliest presentation time of all samples.
  public var presentationTimeStamp: CMTime {
    guard isValid, let first = timings.first else { return .invalid }
    return timings.dropFirst().reduce(first.presentationTimeStamp) { CMTimeMinimum($0, $1.presentationTimeStamp) }
  }

  /// That of the first sample to decode; invalid when unknown.
  public var decodeTimeStamp: CMTime {
    guard isValid else { return .invalid }
    return timings.first?.decodeTimeStamp ?? .invalid
  }

  /// The sum of all durations; invalid when one is.
  public var duration: CMTime {
    guard isValid, let first = timings.first else { return .invalid }
    guard timings.count == 1 else { return timings.dropFirst().reduce(first.duration) { $0 + $1.duration } }
    guard numSamples > 0, let count = Int32(exactly: numSamples) else { return numSamples == 0 ? .zero : .invalid }
    return CMTimeMultiply(first.duration, multiplier: count)
  }

  /// `presentationTimeStamp` after the trims at the start (at the end, when played in reverse), unless set.
  public var outputPresentationTimeStamp: CMTime {
    let explicit = state.withLock { $0.outputPresentationTimeStamp }
    guard isValid, !explicit.isValid else { return isValid ? explicit : .invalid }
    if isReversed { return presentationTimeStamp + duration - trim(kCMSampleBufferAttachmentKey_TrimDurationAtEnd) }
    return presentationTimeStamp + trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
  }

  /// `duration` without the trims, divided by the speed.
  public var outputDuration: CMTime {
    let left =
      duration - trim(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
      - trim(kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
    let speed = (attachment(kCMSampleBufferAttachmentKey_SpeedMultiplier) as? NSNumber)?.doubleValue ?? 1
    guard speed != 1, speed != 0, speed.isFinite else { return left }
    return CMTimeMultiplyByFloat64(left, multiplier: 1 / speed.magnitude)
  }

  /// `decodeTimeStamp` moved as far as the presentation time is.
  public var outputDecodeTimeStamp: CMTime {
    let output = outputPresentationTimeStamp
    return output == presentationTimeStamp
      ? decodeTimeStamp : decodeTimeStamp - presentationTimeStamp + output
  }

  /// `.invalid` goes back to the computed time.
  public func setOutputPresentationTimeStamp(_ time: CMTime) throws {
    try checkValid()
    state.withLock { $0.outputPresentationTimeStamp = time }
  }

  /// One entry per sample.
  public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
    try checkValid()
    guard !timings.isEmpty else { throw NSError.status(kCMSampleBufferError_BufferHasNoSampleTimingInfo) }
    return (0..<numSamples).map(timing)
  }

  public func sampleTimingInfo(at index: Int) throws -> CMSampleTimingInfo {
    try checkValid()
    guard !timings.isEmpty else { throw NSError.status(kCMSampleBufferError_BufferHasNoSampleTimingInfo) }
    guard (0..<numSamples).contains(index) else { throw NSError.status(kCMSampleBufferError_SampleIndexOutOfRange) }
    return timing(index)
  }

  /// Of a sample that exists, in a buffer with timing.
  private func timing(_ index: Int) -> CMSampleTimingInfo {
    guard timings.count == 1, index > 0 else { return timings[timings.count == 1 ? 0 : index] }
    var timing = timings[0]
    guard let steps = Int32(exactly: index) else { return .invalid }
    let offset = CMTimeMultiply(timing.duration, multiplier: steps)
    timing.presentationTimeStamp = timing.presentationTimeStamp + offset
    if timing.decodeTimeStamp.isValid { timing.decodeTimeStamp = timing.decodeTimeStamp + offset }
    return timing
  }

  private var isReversed: Bool {
    (attachment(kCMSampleBufferAttachmentKey_Reverse) as? NSNumber)?.boolValue ?? false
  }

  private func attachment(_ key: CFString) -> Any? {
    attachmentStore.withLock { $0[key]?.value }
  }

  /// Zero when there is none.
  private func trim(_ key: CFString) -> CMTime {
    let time = (attachment(key) as? CFDictionary).map { CMTimeMakeFromDictionary($0) } ?? .zero
    return time.isNumeric ? time : .zero
  }
}
