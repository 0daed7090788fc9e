public import CoreMedia
public import Foundation

extension NSValue {
  /// Boxes a time for Apple's arrays of values, such as `addBoundaryTimeObserver(forTimes:…)`.
  public convenience init(time: CMTime) {
    self.init(making: { Self.boxed(ExactTimeValue(time)) })
  }

  /// Boxes a range of time.
  public convenience init(timeRange: CMTimeRange) {
    self.init(making: { Self.boxed(ExactTimeRangeValue(timeRange)) })
  }

  /// Boxes a mapping between two ranges.
  public convenience init(timeMapping: CMTimeMapping) {
    self.init(making: { Self.boxed(ExactTimeMappingValue(timeMapping)) })
  }

  /// The boxed time; `.invalid` when something else is inside.
  public var timeValue: CMTime { (self as? MediaValueBox<ExactTimeValue>)?.content?.time ?? .invalid }

  /// The boxed range; `.invalid` when something else is inside.
  public var timeRangeValue: CMTimeRange {
    (self as? MediaValueBox<ExactTimeRangeValue>)?.content?.range ?? .invalid
  }

  /// The boxed mapping; invalid when something else is inside.
  public var timeMappingValue: CMTimeMapping {
    (self as? MediaValueBox<ExactTimeMappingValue>)?.content?.mapping
      ?? CMTimeMapping(source: .invalid, target: .invalid)
  }

  private static func boxed<Content: Hashable & Sendable>(_ content: Content) -> Self {
    guard let box = MediaValueBox(content) as? Self else {
      preconditionFailure("Media values are made by NSValue itself, not by its subclass \(Self.self).")
    }
    return box
  }
}

/// A time compared field by field: two boxes are equal when they hold the same bits, as values made from bytes are.
struct ExactTimeValue: Hashable, Sendable {
  let value: CMTimeValue
  let timescale: CMTimeScale
  let flags: UInt32
  let epoch: CMTimeEpoch

  init(_ time: CMTime) {
    value = time.value
    timescale = time.timescale
    flags = time.flags.rawValue
    epoch = time.epoch
  }

  var time: CMTime {
    CMTime(value: value, timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: epoch)
  }
}

struct ExactTimeRangeValue: Hashable, Sendable {
  let start: ExactTimeValue
  let duration: ExactTimeValue

  init(_ range: CMTimeRange) {
    start = ExactTimeValue(range.start)
    duration = ExactTimeValue(range.duration)
  }

  var range: CMTimeRange { CMTimeRange(start: start.time, duration: duration.time) }
}

struct ExactTimeMappingValue: Hashable, Sendable {
  let source: ExactTimeRangeValue
  let target: ExactTimeRangeValue

  init(_ mapping: CMTimeMapping) {
    source = ExactTimeRangeValue(mapping.source)
    target = ExactTimeRangeValue(mapping.target)
  }

  var mapping: CMTimeMapping { CMTimeMapping(source: source.range, target: target.range) }
}
