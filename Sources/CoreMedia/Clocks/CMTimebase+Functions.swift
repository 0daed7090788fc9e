@discardableResult
public func CMTimebaseCreateWithSourceClock(
  allocator: CFAllocator?, sourceClock: CMClock, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
  status { timebaseOut.pointee = try CMTimebase(sourceClock: sourceClock) }
}

@discardableResult
public func CMTimebaseCreateWithSourceTimebase(
  allocator: CFAllocator?, sourceTimebase: CMTimebase, timebaseOut: UnsafeMutablePointer<CMTimebase?>
) -> OSStatus {
  status { timebaseOut.pointee = try CMTimebase(sourceTimebase: sourceTimebase) }
}

public func CMTimebaseCopySourceClock(_ timebase: CMTimebase) -> CMClock? {
  timebase.sourceClock
}

public func CMTimebaseCopySourceTimebase(_ timebase: CMTimebase) -> CMTimebase? {
  timebase.sourceTimebase
}

public func CMTimebaseCopyUltimateSourceClock(_ timebase: CMTimebase) -> CMClock {
  timebase.ultimateSourceClock
}

@discardableResult
public func CMTimebaseSetSourceClock(_ timebase: CMTimebase, newSourceClock: CMClock) -> OSStatus {
  status { try timebase.setSourceClock(newSourceClock) }
}

@discardableResult
public func CMTimebaseSetSourceTimebase(_ timebase: CMTimebase, newSourceTimebase: CMTimebase) -> OSStatus {
  status { try timebase.setSourceTimebase(newSourceTimebase) }
}

public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime {
  timebase.time
}

public func CMTimebaseGetTimeWithTimeScale(
  _ timebase: CMTimebase, timescale: CMTimeScale, method: CMTimeRoundingMethod
) -> CMTime {
  timebase.time(timescale: timescale, method: method)
}

@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
  status { try timebase.setTime(time) }
}

@discardableResult
public func CMTimebaseSetAnchorTime(
  _ timebase: CMTimebase, timebaseTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
  status { try timebase.setAnchorTime(timebaseTime, immediateSourceTime: immediateSourceTime) }
}

public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Double {
  timebase.rate
}

@discardableResult
public func CMTimebaseGetTimeAndRate(
  _ timebase: CMTimebase, timeOut: UnsafeMutablePointer<CMTime>?, rateOut: UnsafeMutablePointer<Double>?
) -> OSStatus {
  let (time, rate) = timebase.timeAndRate
  timeOut?.pointee = time
  rateOut?.pointee = rate
  return noErr
}

@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Double) -> OSStatus {
  status { try timebase.setRate(rate) }
}

@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
  _ timebase: CMTimebase, rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
  status { try timebase.setRate(rate, anchorTime: anchorTime, immediateSourceTime: immediateSourceTime) }
}

public func CMTimebaseGetEffectiveRate(_ timebase: CMTimebase) -> Double {
  timebase.effectiveRate
}

@discardableResult
public func CMTimebaseNotificationBarrier(_ timebase: CMTimebase) -> OSStatus {
  timebase.notificationBarrier()
  return noErr
}

/// The code of the error that `body` throws.
func status(_ body: () throws -> Void) -> OSStatus {
  do {
    try body()
    return noErr
  } catch {
    return statusCode(of: error)
  }
}

/// The code of an error as a status, never `noErr`: an app's own error may have the code 0.
func statusCode(of error: any Error) -> OSStatus {
  let code = OSStatus(clamping: (error as NSError).code)
  return code == noErr ? kCMSampleBufferError_DataFailed : code
}
