/// A stretch of time: from `start`, `duration` long, its end not included.
public struct CMTimeRange: Sendable {
  public var start: CMTime
  /// In epoch 0: a length belongs to no epoch.
  public var duration: CMTime

  /// The invalid range.
  public init() {
    self = .invalid
  }

  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }

  public init(start: CMTime, end: CMTime) {
    self = CMTimeRangeFromTimeToTime(start: start, end: end)
  }

  /// Valid and empty.
  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)
}

extension CMTimeRange {
  public var isValid: Bool {
    start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0
  }

  public var isIndefinite: Bool {
    isValid && (start.isIndefinite || duration.isIndefinite)
  }

  public var isEmpty: Bool {
    isValid && duration == .zero
  }

  /// The first time after the range.
  public var end: CMTime { start + duration }
}

extension CMTimeRange: Hashable {
  /// Both times compare equal.
  public static func == (left: CMTimeRange, right: CMTimeRange) -> Bool {
    left.start == right.start && left.duration == right.duration
  }

  public static func != (left: CMTimeRange, right: CMTimeRange) -> Bool {
    !(left == right)
  }
}
