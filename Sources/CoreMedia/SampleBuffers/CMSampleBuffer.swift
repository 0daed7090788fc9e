/// Media samples with their times, sizes and format: compressed data, uncompressed data, or a picture.
///
/// A buffer with no samples is a marker. The samples' bytes are shared, never copied.
public final class CMSampleBuffer: Sendable {
  let state: ValueLock<State>
  let attachmentStore = ValueLock<[CFString: CMAttachment]>([:])
  public let formatDescription: CMFormatDescription?
  public let numSamples: CMItemCount
  /// One entry for all samples, one for each, or none.
  let timings: [CMSampleTimingInfo]
  let sizes: [Int]

  /// Makes a buffer's data ready; an error or a code other than 0 marks it as failed.
  typealias MakeReady = (CMSampleBuffer) throws -> OSStatus

  struct State {
    var dataBuffer: CMBlockBuffer?
    var imageBuffer: CVImageBuffer?
    var isReady: Bool
    var failure: OSStatus = noErr
    var isInvalidated = false
    var makeReady: MakeReady?
    /// Whose data this has, as soon as it is ready there.
    var original: Original?
    var onInvalidate: ((CMSampleBuffer) -> Void)?
    /// One per sample once asked for.
    var sampleAttachments: [NSMutableDictionary] = []
    var outputPresentationTimeStamp: CMTime = .invalid
  }

  /// A buffer that was copied before its data was ready.
  struct Original {
    let buffer: CMSampleBuffer
    /// What was copied of it.
    let samples: Range<Int>
  }

  init(
    dataBuffer: CMBlockBuffer?, isReady: Bool, makeReady: MakeReady? = nil, imageBuffer: CVImageBuffer? = nil,
    formatDescription: CMFormatDescription?, numSamples: CMItemCount, timings: [CMSampleTimingInfo], sizes: [Int]
  ) throws {
    guard numSamples >= 0, timings.count <= 1 || timings.count == numSamples,
      sizes.count <= 1 || sizes.count == numSamples
    else { throw NSError.status(kCMSampleBufferError_InvalidEntryCount) }
    guard sizes.allSatisfy({ $0 >= 0 }) else { throw NSError.status(kCMSampleBufferError_InvalidSampleData) }
    state = ValueLock(
      State(dataBuffer: dataBuffer, imageBuffer: imageBuffer, isReady: isReady, makeReady: makeReady))
    self.formatDescription = formatDescription
    self.numSamples = numSamples
    self.timings = timings
    self.sizes = sizes
  }

  /// A buffer whose data is there.
  ///
  /// - Parameters:
  ///   - sampleTimings: one per sample; or one alone, whose duration all have, each following the one before; or none.
  ///   - sampleSizes: in bytes, one per sample; or one alone for all; or none.
  public convenience init(
    dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
    sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int]
  ) throws {
    try self.init(
      dataBuffer: dataBuffer, isReady: true, formatDescription: formatDescription, numSamples: numSamples,
      timings: sampleTimings, sizes: sampleSizes)
  }

  /// A buffer whose data may come later.
  public convenience init(
    dataBuffer: CMBlockBuffer?, dataReady: Bool, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
    sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int],
    makeDataReadyHandler: @escaping (CMSampleBuffer) throws -> Void
  ) throws {
    try self.init(
      dataBuffer: dataBuffer, isReady: dataReady,
      makeReady: { buffer in
        try makeDataReadyHandler(buffer)
        return noErr
      }, formatDescription: formatDescription, numSamples: numSamples, timings: sampleTimings, sizes: sampleSizes)
  }

  /// One picture. The format must be the picture's.
  public convenience init(
    imageBuffer: CVImageBuffer, formatDescription: CMFormatDescription, sampleTiming: CMSampleTimingInfo
  ) throws {
    guard formatDescription.matchesImageBuffer(imageBuffer) else {
      throw NSError.status(kCMSampleBufferError_InvalidMediaFormat)
    }
    try self.init(
      dataBuffer: nil, isReady: true, imageBuffer: imageBuffer, formatDescription: formatDescription, numSamples: 1,
      timings: [sampleTiming], sizes: [])
  }

  /// The same samples and attachments with other times.
  public convenience init(copying original: CMSampleBuffer, withNewTiming timings: [CMSampleTimingInfo]) throws {
    try self.init(copying: original, withNewTiming: timings, samples: 0..<original.numSamples)
  }
}

extension CMSampleBuffer: Hashable {
  /// The same object.
  public static func == (left: CMSampleBuffer, right: CMSampleBuffer) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
