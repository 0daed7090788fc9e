/// A clock or a timebase.
public protocol CMSyncProtocol: AnyObject, Sendable {}

/// A clock or a timebase, in the C functions.
public typealias CMClockOrTimebase = any CMSyncProtocol

public let kCMSyncError_MissingRequiredParameter: OSStatus = -12752
public let kCMSyncError_InvalidParameter: OSStatus = -12753
public let kCMSyncError_AllocationFailed: OSStatus = -12754
public let kCMSyncError_RateMustBeNonZero: OSStatus = -12755

extension CMSyncProtocol {
  /// What a time here is over there at the same instant; invalid when it can't be told, as from a timebase at rest.
  public func convertTime(_ time: CMTime, to clockOrTimebase: any CMSyncProtocol) -> CMTime {
    CMSyncConvertTime(time, from: self, to: clockOrTimebase)
  }

  /// How fast this runs as seen from the other; NaN when the other is at rest.
  public func rate(relativeTo clockOrTimebase: any CMSyncProtocol) -> Double {
    CMSyncGetRelativeRate(self, relativeTo: clockOrTimebase)
  }

  /// The relative rate and a pair of times that are simultaneous, all of one instant.
  public func rateAndAnchorTime(
    relativeTo clockOrTimebase: any CMSyncProtocol
  ) throws -> (rate: Double, anchorTime: CMTime, referenceTime: CMTime) {
    guard let path = SyncPath(from: clockOrTimebase, to: self) else {
      throw NSError.status(kCMSyncError_InvalidParameter)
    }
    let reference = CMSyncGetTime(clockOrTimebase)
    return (path.rate, path.convert(reference), reference)
  }

  /// False when both follow the same clock.
  public func mightDrift(relativeTo clockOrTimebase: any CMSyncProtocol) -> Bool {
    CMSyncMightDrift(self, clockOrTimebase)
  }
}

public func CMSyncGetTime(_ clockOrTimebase: CMClockOrTimebase) -> CMTime {
  switch clockOrTimebase {
  case let clock as CMClock: clock.time
  case let timebase as CMTimebase: timebase.time
  default: .invalid
  }
}

public func CMSyncConvertTime(
  _ time: CMTime, from fromClockOrTimebase: CMClockOrTimebase, to toClockOrTimebase: CMClockOrTimebase
) -> CMTime {
  guard let path = SyncPath(from: fromClockOrTimebase, to: toClockOrTimebase) else { return .invalid }
  return path.convert(time)
}

public func CMSyncGetRelativeRate(
  _ ofClockOrTimebase: CMClockOrTimebase, relativeTo relativeToClockOrTimebase: CMClockOrTimebase
) -> Double {
  SyncPath(from: relativeToClockOrTimebase, to: ofClockOrTimebase)?.rate ?? .nan
}

@discardableResult
public func CMSyncGetRelativeRateAndAnchorTime(
  _ ofClockOrTimebase: CMClockOrTimebase, relativeTo relativeToClockOrTimebase: CMClockOrTimebase,
  outRelativeRate: UnsafeMutablePointer<Double>?, outOfClockOrTimebaseAnchorTime: UnsafeMutablePointer<CMTime>?,
  outRelativeToClockOrTimebaseAnchorTime: UnsafeMutablePointer<CMTime>?
) -> OSStatus {
  status {
    let (rate, anchor, reference) = try ofClockOrTimebase.rateAndAnchorTime(relativeTo: relativeToClockOrTimebase)
    outRelativeRate?.pointee = rate
    outOfClockOrTimebaseAnchorTime?.pointee = anchor
    outRelativeToClockOrTimebaseAnchorTime?.pointee = reference
  }
}

public func CMSyncMightDrift(
  _ clockOrTimebase1: CMClockOrTimebase, _ clockOrTimebase2: CMClockOrTimebase
) -> Bool {
  guard let (root1, root2) = SyncPath.roots(clockOrTimebase1, clockOrTimebase2) else { return true }
  return root1.mightDrift(relativeTo: root2)
}
