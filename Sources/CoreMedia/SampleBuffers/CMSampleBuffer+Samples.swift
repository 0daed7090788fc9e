extension CMSampleBuffer {
  /// In bytes; 0 without sizes.
  public var totalSampleSize: Int {
    sizes.count == 1
      ? sizes[0].multipliedReportingOverflow(by: numSamples).partialValue
      : sizes.reduce(0) { $0.addingReportingOverflow($1).partialValue }
  }

  /// One entry per sample.
  public func sampleSizes() throws -> [Int] {
    try checkValid()
    guard !sizes.isEmpty else { throw NSError.status(kCMSampleBufferError_BufferHasNoSampleSizes) }
    return sizes.count == 1 ? Array(repeating: sizes[0], count: numSamples) : sizes
  }

  /// 0 when unknown or there is no such sample.
  public func sampleSize(at index: Int) -> Int {
    guard (0..<numSamples).contains(index) else { return 0 }
    return sizes.count == 1 ? sizes[0] : sizes.indices.contains(index) ? sizes[index] : 0
  }

  /// A part of the samples, with their times and attachments; the bytes are shared.
  public convenience init(copying original: CMSampleBuffer, forRange range: Range<Int>) throws {
    try self.init(copying: original, withNewTiming: nil, samples: range)
  }

  /// Each sample in a buffer of its own; a marker gives itself.
  public func singleSampleBuffers() throws -> [CMSampleBuffer] {
    try checkValid()
    if numSamples <= 1 { return [self] }
    return try (0..<numSamples).map { try CMSampleBuffer(copying: self, forRange: $0..<$0 + 1) }
  }

  /// - Parameter timings: instead of the original's; nil to keep them.
  convenience init(
    copying original: CMSampleBuffer, withNewTiming timings: [CMSampleTimingInfo]?, samples range: Range<Int>
  ) throws {
    try original.checkValid()
    guard range.lowerBound >= 0, range.upperBound <= original.numSamples else {
      throw NSError.status(kCMSampleBufferError_SampleIndexOutOfRange)
    }
    let isWhole = range == 0..<original.numSamples
    let kept: [CMSampleTimingInfo]
    if let timings {
      kept = timings
    } else if isWhole || original.timings.isEmpty {
      kept = original.timings
    } else if original.timings.count == 1 {
      kept = range.isEmpty ? [] : [try original.sampleTimingInfo(at: range.lowerBound)]
    } else {
      kept = Array(original.timings[range])
    }
    let isReady = CMSampleBufferDataIsReady(original)
    try self.init(
      dataBuffer: try original.data(ofSamples: range), isReady: isReady, imageBuffer: original.imageBuffer,
      formatDescription: original.formatDescription, numSamples: range.count, timings: kept,
      sizes: original.sizes.count > 1 ? Array(original.sizes[range]) : original.sizes)
    if !isReady { state.withLock { $0.original = Original(buffer: original, samples: range) } }
    original.copyAttachments(of: range, to: self)
  }

  private func copyAttachments(of range: Range<Int>, to copy: CMSampleBuffer) {
    CMPropagateAttachments(self, destination: copy)
    let dictionaries = state.withLock { $0.sampleAttachments }
    guard dictionaries.count == numSamples, !dictionaries.isEmpty else { return }
    let copies = dictionaries[range].map { $0.duplicate() }
    copy.state.withLock { $0.sampleAttachments = copies }
  }

  /// The bytes of some samples, shared; planes of sound that is not interleaved are each cut.
  func data(ofSamples range: Range<Int>) throws -> CMBlockBuffer? {
    if range == 0..<numSamples { return dataBuffer }
    guard let dataBuffer else {
      if imageBuffer != nil && !range.isEmpty { throw NSError.status(kCMSampleBufferError_CannotSubdivide) }
      return nil
    }
    guard !sizes.isEmpty else { throw NSError.status(kCMSampleBufferError_CannotSubdivide) }
    var segments: [BlockSegment] = []
    for (offset, length) in byteRanges(ofSamples: range, in: dataBuffer) {
      guard let part = dataBuffer.segments(at: offset, length: length) else {
        throw NSError.status(kCMSampleBufferError_InvalidSampleData)
      }
      segments += part
    }
    return CMBlockBuffer(segments: segments)
  }

  private func byteRanges(ofSamples range: Range<Int>, in dataBuffer: CMBlockBuffer) -> [(offset: Int, length: Int)] {
    func bytes(_ range: Range<Int>) -> Int {
      sizes.count == 1
        ? sizes[0].multipliedReportingOverflow(by: range.count).partialValue : sizes[range].reduce(0, &+)
    }
    guard let stream = formatDescription?.audioStreamBasicDescription, stream.mFormatID == kAudioFormatLinearPCM,
      !stream.isInterleaved, stream.mChannelsPerFrame > 1, numSamples > 0
    else { return [(bytes(0..<range.lowerBound), bytes(range))] }
    let plane = dataBuffer.dataLength / Int(stream.mChannelsPerFrame)
    let frame = Int(stream.mBytesPerFrame)
    return (0..<Int(stream.mChannelsPerFrame)).map {
      ($0 * plane &+ range.lowerBound &* frame, range.count &* frame)
    }
  }
}
