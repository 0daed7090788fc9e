/// An instant on the host's monotonic clock (`CLOCK_MONOTONIC`; virtual time under test), in nanoseconds.
package struct HostTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static let zero = HostTime(nanoseconds: 0)

  package static func < (left: HostTime, right: HostTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func + (left: HostTime, right: Nanoseconds) -> HostTime {
    HostTime(nanoseconds: left.nanoseconds.saturatingAdd(right.count))
  }

  package static func - (left: HostTime, right: Nanoseconds) -> HostTime {
    HostTime(nanoseconds: left.nanoseconds.saturatingSubtract(right.count))
  }

  package static func - (left: HostTime, right: HostTime) -> Nanoseconds {
    Nanoseconds(left.nanoseconds.saturatingSubtract(right.nanoseconds))
  }
}

/// A length of host time, in nanoseconds. Sixty-four bits are 292 years; sums that do not fit stay at the edge,
/// so that a time given by an app, however far, is only never reached.
package struct Nanoseconds: Hashable, Comparable, Sendable {
  package var count: Int64

  package init(_ count: Int64) {
    self.count = count
  }

  package static let zero = Nanoseconds(0)

  package static func milliseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count.saturatingMultiply(1_000_000)) }
  package static func microseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count.saturatingMultiply(1_000)) }
  package static func seconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count.saturatingMultiply(1_000_000_000)) }

  /// Clamped to what 64 bits hold; a value that is not a number gives zero.
  package static func seconds(_ count: Double) -> Nanoseconds {
    let value = count * 1_000_000_000
    guard value == value else { return .zero }
    return Nanoseconds(value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value))
  }

  package var seconds: Double { Double(count) / 1_000_000_000 }

  package static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
  package static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.count.saturatingAdd(right.count))
  }
  package static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.count.saturatingSubtract(right.count))
  }
}

extension Int64 {
  fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : sum
  }

  fileprivate func saturatingSubtract(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }

  fileprivate func saturatingMultiply(_ factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? (self < 0 ? .min : .max) : product
  }
}
