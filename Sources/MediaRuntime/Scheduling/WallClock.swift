package import Foundation

/// Calendar time for logs that people read; nothing is ever scheduled by it.
package enum WallClock {
  /// The date at an instant of the scheduler's clock. On virtual time the clock's zero is the start of 2001, so that
  /// dumps are the same every time.
  package static func date(of time: HostTime, _ scheduler: any Scheduler) -> Date {
    if scheduler.isVirtual { return Date(timeIntervalSinceReferenceDate: Nanoseconds(time.nanoseconds).seconds) }
    return Date(timeIntervalSinceNow: (time - scheduler.now).seconds)
  }
}
