/// A segment of an edit list: `source` of the media plays during `target` of the track.
///
/// The rate is `source.duration / target.duration`. An empty edit has an invalid source start.
public struct CMTimeMapping: Sendable {
  public var source: CMTimeRange
  public var target: CMTimeRange

  /// The invalid mapping.
  public init() {
    self = .invalid
  }

  public init(source: CMTimeRange, target: CMTimeRange) {
    self.source = source
    self.target = target
  }

  public static let invalid = CMTimeMapping(source: .invalid, target: .invalid)
}

extension CMTimeMapping: Hashable {
  public static func == (left: CMTimeMapping, right: CMTimeMapping) -> Bool {
    left.source == right.source && left.target == right.target
  }
}

/// True when the target is valid, whatever the source.
public func CMTIMEMAPPING_IS_VALID(_ mapping: CMTimeMapping) -> Bool {
  mapping.target.isValid
}

public func CMTIMEMAPPING_IS_INVALID(_ mapping: CMTimeMapping) -> Bool {
  !CMTIMEMAPPING_IS_VALID(mapping)
}

/// True for a valid target whose source starts at no number.
public func CMTIMEMAPPING_IS_EMPTY(_ mapping: CMTimeMapping) -> Bool {
  mapping.target.isValid && !mapping.source.start.isNumeric
}

/// Invalid when a duration has an epoch.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
  guard target.duration.epoch == 0, !source.start.isValid || source.duration.epoch == 0 else { return .invalid }
  return CMTimeMapping(source: source, target: target)
}

/// A stretch of the track during which nothing plays. Invalid when the target's duration has an epoch.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
  CMTimeMappingMake(source: .invalid, target: target)
}
