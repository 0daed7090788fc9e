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
    HostTime(nanoseconds: left.nanoseconds + right.count)
  }

  package static func - (left: HostTime, right: Nanoseconds) -> HostTime {
    HostTime(nanoseconds: left.nanoseconds - right.count)
  }

  package static func - (left: HostTime, right: HostTime) -> Nanoseconds {
    Nanoseconds(left.nanoseconds - right.nanoseconds)
  }
}

/// A length of host time, in nanoseconds. Sixty-four bits are 292 years; arithmetic is a machine instruction.
package struct Nanoseconds: Hashable, Comparable, Sendable {
  package var count: Int64

  package init(_ count: Int64) {
    self.count = count
  }

  package static let zero = Nanoseconds(0)

  package static func milliseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000) }
  package static func microseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000) }
  package static func seconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000_000) }

  /// Clamped to what 64 bits hold; a value that is not a number gives zero.
  package static func seconds(_ count: Double) -> Nanoseconds {
    let value = count * 1_000_000_000
    guard value == value else { return .zero }
    return Nanoseconds(value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value))
  }

  package var seconds: Double { Double(count) / 1_000_000_000 }

  package static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
  package static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds { Nanoseconds(left.count + right.count) }
  package static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds { Nanoseconds(left.count - right.count) }
}
