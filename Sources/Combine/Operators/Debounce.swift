extension Publishers {
  /// A value that none has followed for some time.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let dueTime: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    private struct Memory {
      var number: UInt64 = 0
      var latest: Upstream.Output?
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (dueTime, scheduler, options) = (dueTime, scheduler, options)
      let stage = TimedStage<Memory, Output, Output, Failure>("Debounce", subscriber, Memory())
      stage.onValue = { stage, value in
        let (number, _) = stage.withMemory { memory in
          let before = memory.latest
          memory.number += 1
          memory.latest = value
          return (memory.number, before)
        }
        let due = scheduler.now.advanced(by: dueTime)
        scheduler.schedule(after: due, tolerance: scheduler.minimumTolerance, options: options) {
          stage.emit(always: true) { memory in
            guard memory.number == number else { return nil }
            defer { memory.latest = nil }
            return memory.latest
          }
        }
      }
      // A value that still waits for its time does not come any more: as at Apple's.
      stage.onCompletion = { stage, completion in
        stage.withMemory { $0.number += 1 }
        scheduler.schedule(options: options) { stage.finish(completion) }
      }
      upstream.subscribe(stage)
    }
  }

  /// At most one value in each interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let latest: Bool

    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    private struct Memory {
      /// When the last value was told, or will be.
      var last: Context.SchedulerTimeType?
      /// Waits for its time, which a timer knows.
      var waiting: Upstream.Output?
      var completion: Subscribers.Completion<Upstream.Failure>?
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (interval, scheduler, latest) = (interval, scheduler, latest)
      let stage = TimedStage<Memory, Output, Output, Failure>("Throttle", subscriber, Memory())
      let fire: (TimedStage<Memory, Output, Output, Failure>) -> Void = { stage in
        stage.emit(always: true) { memory in
          defer { memory.waiting = nil }
          return memory.waiting
        }
        if let completion = stage.withMemory({ $0.completion }) { stage.finish(completion) }
      }
      stage.onValue = { stage, value in
        let now = scheduler.now
        let (due, _) = stage.withMemory { memory -> (Context.SchedulerTimeType?, Output?) in
          let before = memory.waiting
          if before != nil {
            if latest { memory.waiting = value }
            return (nil, before)
          }
          memory.waiting = value
          let due = memory.last.map { Swift.max($0.advanced(by: interval), now) } ?? now
          memory.last = due
          return (due, nil)
        }
        guard let due else { return }
        if due > now {
          scheduler.schedule(after: due) { fire(stage) }
        } else {
          scheduler.schedule { fire(stage) }
        }
      }
      // A value that waits comes at its time, and the end behind it; a failure waits for nothing.
      stage.onCompletion = { stage, completion in
        let waits = stage.withMemory { memory -> Bool in
          guard case .finished = completion, memory.waiting != nil else { return false }
          memory.completion = completion
          return true
        }
        if !waits { scheduler.schedule { stage.finish(completion) } }
      }
      upstream.subscribe(stage)
    }
  }
}

extension Publisher {
  /// Sends a value when none has followed it for some time.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }

  /// Sends at most one value in each interval: of those that come within one the latest, or the first.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
