import Dispatch
public import Foundation

extension OperationQueue: Scheduler {
  /// There is nothing to say of one closure.
  public struct SchedulerOptions: Sendable {
    public init() {}
  }

  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let errand = Errand(run: action)
    addOperation { errand.run() }
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let errand = Errand(run: action)
    // An operation that waited for its time would keep others from running.
    DispatchQueue.global().asyncAfter(deadline: Self.deadline(date, from: now)) {
      self.addOperation { errand.run() }
    }
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let errand = Errand(run: action)
    let isOver = Flag(false)
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(
      deadline: Self.deadline(date, from: now),
      repeating: DispatchQueue.SchedulerTimeType.Stride.seconds(interval.timeInterval).timeInterval,
      leeway: DispatchQueue.SchedulerTimeType.Stride.seconds(tolerance.timeInterval).timeInterval)
    timer.setEventHandler {
      self.addOperation { if !isOver.isSet { errand.run() } }
    }
    timer.activate()
    return AnyCancellable {
      isOver.set(true)
      timer.cancel()
    }
  }

  private static func deadline(_ date: SchedulerTimeType, from now: SchedulerTimeType) -> DispatchTime {
    let wait = Swift.max(now.distance(to: date).timeInterval, 0)
    return .now() + DispatchQueue.SchedulerTimeType.Stride.seconds(wait).timeInterval
  }
}
