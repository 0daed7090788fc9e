public import Foundation

extension RunLoop: Scheduler {
  /// There is nothing to say of one closure.
  public struct SchedulerOptions: Sendable {
    public init() {}
  }

  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs a closure in the loop's next turn, in its default mode.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let errand = Errand(run: action)
    perform(inModes: [.default]) { errand.run() }
    // A loop that waits does not notice by itself that another thread has brought a block; a timer wakes it.
    add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: .default)
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let errand = Errand(run: action)
    let timer = Timer(fire: date.date, interval: 0, repeats: false) { _ in errand.run() }
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: .default)
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let errand = Errand(run: action)
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in errand.run() }
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: .default)
    return AnyCancellable { timer.invalidate() }
  }
}
