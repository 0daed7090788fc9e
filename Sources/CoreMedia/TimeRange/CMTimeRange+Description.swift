/// Text for logs: start and duration.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? {
  range.text
}

/// Prints the range's description and a line end on standard error.
public func CMTimeRangeShow(_ range: CMTimeRange) {
  show(range.text)
}

/// Text for logs: source and target.
public func CMTimeMappingCopyDescription(allocator: CFAllocator?, mapping: CMTimeMapping) -> CFString? {
  "{\(mapping.source.text), \(mapping.target.text)}"
}

/// Prints the mapping's description and a line end on standard error.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) {
  show("{\(mapping.source.text), \(mapping.target.text)}")
}

extension CMTimeRange {
  package var text: String {
    isValid ? "{\(start.text), \(duration.text)}" : "{INVALID}"
  }
}
