/// When a sample is shown and decoded, and for how long.
public struct CMSampleTimingInfo: Sendable {
  public var duration: CMTime
  public var presentationTimeStamp: CMTime
  /// Invalid when unknown, or when samples are decoded in the order in which they are shown.
  public var decodeTimeStamp: CMTime

  /// All invalid.
  public init() {
    self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid)
  }

  public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
    self.duration = duration
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
  }

  public static let invalid = CMSampleTimingInfo()
}

public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid
