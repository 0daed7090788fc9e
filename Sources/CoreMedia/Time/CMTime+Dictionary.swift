public let kCMTimeValueKey: CFString = "value"
public let kCMTimeScaleKey: CFString = "timescale"
public let kCMTimeEpochKey: CFString = "epoch"
public let kCMTimeFlagsKey: CFString = "flags"

/// The fields as numbers under the `kCMTime…Key`s.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
  [
    kCMTimeValueKey: NSNumber(value: time.value),
    kCMTimeScaleKey: NSNumber(value: time.timescale),
    kCMTimeEpochKey: NSNumber(value: time.epoch),
    kCMTimeFlagsKey: NSNumber(value: time.flags.rawValue),
  ]
}

/// The time that `CMTimeCopyAsDictionary` described; invalid when a field is missing or does not fit.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
  guard let fields = dictionaryRepresentation,
    let value: Int64 = integer(fields[kCMTimeValueKey]),
    let timescale: Int32 = integer(fields[kCMTimeScaleKey]),
    let epoch: Int64 = integer(fields[kCMTimeEpochKey]),
    let flags: UInt32 = integer(fields[kCMTimeFlagsKey])
  else { return .invalid }
  return CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
}

private func integer<Value: FixedWidthInteger>(_ field: Any?) -> Value? {
  if let number = field as? NSNumber { return Value(exactly: number.int64Value) }
  return (field as? any BinaryInteger).flatMap { Value(exactly: $0) }
}
