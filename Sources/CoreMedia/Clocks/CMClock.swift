public let kCMClockError_MissingRequiredParameter: OSStatus = -12745
public let kCMClockError_InvalidParameter: OSStatus = -12746
public let kCMClockError_AllocationFailed: OSStatus = -12747
public let kCMClockError_UnsupportedOperation: OSStatus = -12756

/// A source of time that always runs forward and cannot be set.
public final class CMClock: CMSyncProtocol {
  private let reading: @Sendable () -> CMTime
  private let follows: CMClock?

  /// A device's clock, or the host's.
  ///
  /// - Parameters:
  ///   - host: the clock that this one keeps pace with exactly, or nil when it may drift from all others.
  ///   - reading: called on any thread; must not wait or go back.
  package init(inStepWith host: CMClock? = nil, reading: @escaping @Sendable () -> CMTime) {
    self.reading = reading
    follows = host
  }

  /// The host's monotonic clock in nanoseconds.
  public static let hostTimeClock = CMClock {
    CMTime(value: HostTimeSources.nanoseconds, timescale: CMClock.hostTimeScale)
  }

  static let hostTimeScale: CMTimeScale = 1_000_000_000

  public var time: CMTime { reading() }

  /// The clock's time and that of the host clock at the same instant.
  public func anchorTime() throws -> (anchorTime: CMTime, referenceTime: CMTime) {
    let time = time
    return (time, self === CMClock.hostTimeClock ? time : CMClock.hostTimeClock.time)
  }

  /// True when the two do not keep pace exactly.
  public func mightDrift(relativeTo clock: CMClock) -> Bool {
    (follows ?? self) !== (clock.follows ?? clock)
  }

  /// The host clock can't be invalidated; does nothing.
  public func invalidate() {}

  /// Host time as a count of the system's ticks, which are nanoseconds.
  public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    CMClockConvertHostTimeToSystemUnits(hostTime)
  }
}

extension CMClock: Hashable {
  public static func == (left: CMClock, right: CMClock) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public func CMClockGetHostTimeClock() -> CMClock {
  .hostTimeClock
}

public func CMClockGetTime(_ clock: CMClock) -> CMTime {
  clock.time
}

@discardableResult
public func CMClockGetAnchorTime(
  _ clock: CMClock, clockTimeOut: UnsafeMutablePointer<CMTime>, referenceClockTimeOut: UnsafeMutablePointer<CMTime>
) -> OSStatus {
  status { (clockTimeOut.pointee, referenceClockTimeOut.pointee) = try clock.anchorTime() }
}

public func CMClockMightDrift(_ clock: CMClock, otherClock: CMClock) -> Bool {
  clock.mightDrift(relativeTo: otherClock)
}

public func CMClockInvalidate(_ clock: CMClock) {
  clock.invalidate()
}

/// A count of nanoseconds as host time.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTime(value: Int64(clamping: hostTime), timescale: CMClock.hostTimeScale)
}

/// Host time as a count of nanoseconds; 0 for times that are not numbers or negative.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
  let time = hostTime.convertScale(CMClock.hostTimeScale, method: .default)
  return time.isNumeric && time.value > 0 ? UInt64(time.value) : 0
}
