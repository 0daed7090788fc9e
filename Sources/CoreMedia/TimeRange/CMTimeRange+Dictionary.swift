public let kCMTimeRangeStartKey: CFString = "start"
public let kCMTimeRangeDurationKey: CFString = "duration"
public let kCMTimeMappingSourceKey: CFString = "source"
public let kCMTimeMappingTargetKey: CFString = "target"

public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
  [
    kCMTimeRangeStartKey: CMTimeCopyAsDictionary(range.start, allocator: allocator) ?? [:],
    kCMTimeRangeDurationKey: CMTimeCopyAsDictionary(range.duration, allocator: allocator) ?? [:],
  ]
}

/// Invalid where a part is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
  CMTimeRange(
    start: CMTimeMakeFromDictionary(dictionaryRepresentation[kCMTimeRangeStartKey] as? CFDictionary),
    duration: CMTimeMakeFromDictionary(dictionaryRepresentation[kCMTimeRangeDurationKey] as? CFDictionary))
}

public func CMTimeMappingCopyAsDictionary(_ mapping: CMTimeMapping, allocator: CFAllocator?) -> CFDictionary? {
  [
    kCMTimeMappingSourceKey: CMTimeRangeCopyAsDictionary(mapping.source, allocator: allocator) ?? [:],
    kCMTimeMappingTargetKey: CMTimeRangeCopyAsDictionary(mapping.target, allocator: allocator) ?? [:],
  ]
}

/// Invalid where a part is missing.
public func CMTimeMappingMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeMapping {
  CMTimeMapping(
    source: CMTimeRangeMakeFromDictionary(dictionaryRepresentation[kCMTimeMappingSourceKey] as? CFDictionary ?? [:]),
    target: CMTimeRangeMakeFromDictionary(dictionaryRepresentation[kCMTimeMappingTargetKey] as? CFDictionary ?? [:]))
}
