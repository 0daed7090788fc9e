import Combine

/// A scheduler whose time the test moves. Times are whole units. One thread.
final class VirtualTime: Combine.Scheduler {
  struct SchedulerTimeType: Strideable, Equatable, CustomStringConvertible {
    struct Stride: Comparable, SignedNumeric, SchedulerTimeIntervalConvertible {
      var magnitude: Int

      init(_ value: Int) { magnitude = value }
      init(integerLiteral value: Int) { magnitude = value }
      init?<T: BinaryInteger>(exactly source: T) { magnitude = Int(source) }

      static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }
      static func + (left: Stride, right: Stride) -> Stride { Stride(left.magnitude + right.magnitude) }
      static func - (left: Stride, right: Stride) -> Stride { Stride(left.magnitude - right.magnitude) }
      static func * (left: Stride, right: Stride) -> Stride { Stride(left.magnitude * right.magnitude) }
      static func *= (left: inout Stride, right: Stride) { left = left * right }
      static func seconds(_ s: Int) -> Stride { Stride(s * 1000) }
      static func seconds(_ s: Double) -> Stride { Stride(Int(s * 1000)) }
      static func milliseconds(_ ms: Int) -> Stride { Stride(ms) }
      static func microseconds(_ us: Int) -> Stride { Stride(us / 1000) }
      static func nanoseconds(_ ns: Int) -> Stride { Stride(ns / 1_000_000) }
    }

    var time: Int
    var description: String { "\(time)" }

    func distance(to other: SchedulerTimeType) -> Stride { Stride(other.time - time) }
    func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(time: time + n.magnitude) }
  }

  typealias SchedulerOptions = Never

  private struct Entry {
    let time: Int
    let number: Int
    let interval: Int?
    let action: () -> Void
  }

  private(set) var now = SchedulerTimeType(time: 0)
  let minimumTolerance = SchedulerTimeType.Stride(0)
  private var entries: [Entry] = []
  private var last = 0

  var waiting: Int { entries.count }

  private func add(_ time: Int, interval: Int? = nil, _ action: @escaping () -> Void) -> Int {
    last += 1
    entries.append(Entry(time: max(time, now.time), number: last, interval: interval, action: action))
    return last
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    _ = add(now.time, action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    _ = add(date.time, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    var number = 0
    var again: () -> Void = {}
    var isOver = false
    again = { [weak self] in
      guard let self, !isOver else { return }
      action()
      if !isOver { number = self.add(self.now.time + interval.magnitude, again) }
    }
    number = add(date.time, again)
    return AnyCancellable { [weak self] in
      isOver = true
      again = {}
      self?.entries.removeAll { $0.number == number }
    }
  }

  /// Runs what is due, in the order of time and of scheduling, until `time`.
  func run(until time: Int) {
    while let next = entries.filter({ $0.time <= time }).min(by: { ($0.time, $0.number) < ($1.time, $1.number) }) {
      entries.removeAll { $0.number == next.number }
      now.time = next.time
      next.action()
    }
    now.time = time
  }
}
