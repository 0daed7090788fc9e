import CoreMedia
import MediaRuntime

/// When observers are due, in item time: pure.
struct ObserverSchedule: Sendable {
  struct Watch: Sendable {
    var kind: TimeObserver.Kind
    /// The last time up to which this observer has been served.
    var served: CMTime
  }

  var rate: Float = 0
  var watches: [UInt64: Watch] = [:]
  /// In the order in which the observers were added.
  var order: [UInt64] = []

  /// A prediction may be off by a rounding of the clock; what is this near counts as reached.
  static let tolerance = CMTime(value: 1, timescale: 1000)
  /// A call that comes no later than this carries the exact multiple.
  static let exactness = CMTime(value: 1, timescale: 100)
  /// Calls of one observer are at least this far apart, in seconds of host time.
  static let shortestPeriod = 0.005

  private var isForward: Bool { rate >= 0 }

  mutating func add(_ id: UInt64, _ kind: TimeObserver.Kind, at time: CMTime) {
    watches[id] = Watch(kind: kind, served: time)
    order.append(id)
  }

  mutating func remove(_ id: UInt64) {
    watches[id] = nil
    order.removeAll { $0 == id }
  }

  /// Time is somewhere else now: nothing between was passed.
  mutating func leap(to time: CMTime) {
    for id in order { watches[id]?.served = time }
  }

  /// The next item time at which anything is due; nil when nothing is, in this direction.
  var next: CMTime? {
    let times = order.compactMap { id in watches[id].flatMap { next(of: $0) } }
    return isForward ? times.min() : times.max()
  }

  /// Time has gone on to here by playing: who is to be called, and with which time.
  mutating func pass(to time: CMTime) -> [(id: UInt64, time: CMTime)] {
    var due: [(id: UInt64, time: CMTime)] = []
    for id in order {
      guard let watch = watches[id], let next = next(of: watch), isReached(next, at: time) else { continue }
      let isNear = isForward ? time - next <= Self.exactness : next - time <= Self.exactness
      due.append((id, isNear ? next : time))
      let served = isForward ? max(next, time) : min(next, time)
      watches[id]?.served = served
    }
    return due
  }

  private func isReached(_ target: CMTime, at time: CMTime) -> Bool {
    isForward ? target <= time + Self.tolerance : target >= time - Self.tolerance
  }

  private func next(of watch: Watch) -> CMTime? {
    switch watch.kind {
    case .boundary(let times):
      return isForward ? times.first { $0 > watch.served } : times.last { $0 < watch.served }
    case .periodic(let interval): return nextMultiple(of: interval, from: watch.served)
    }
  }

  private func nextMultiple(of interval: CMTime, from time: CMTime) -> CMTime? {
    let seconds = interval.seconds
    guard interval.isNumeric, interval.value > 0, seconds > 0, time.isNumeric else { return nil }
    let stride = max((Self.shortestPeriod * Double(abs(rate)) / seconds).rounded(.up), 1)
    let position = time.seconds / (seconds * stride)
    guard position.isFinite, abs(position) < 1e15, stride < 1e15 else { return nil }
    // The quotient is rounded; the exact comparison decides.
    var count = Int64(isForward ? position.rounded(.down) : position.rounded(.up))
    for _ in 0..<3 {
      guard let multiple = Self.multiple(interval, count, Int64(stride)) else { return nil }
      if isForward ? multiple > time : multiple < time { return multiple }
      count += isForward ? 1 : -1
    }
    return nil
  }

  private static func multiple(_ interval: CMTime, _ count: Int64, _ stride: Int64) -> CMTime? {
    let (number, first) = count.multipliedReportingOverflow(by: stride)
    let (value, second) = interval.value.multipliedReportingOverflow(by: number)
    return first || second ? nil : CMTime(value: value, timescale: interval.timescale)
  }
}
