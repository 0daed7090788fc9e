extension Publishers {
  /// Ends when no value comes for some time.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?
    public let customError: (() -> Upstream.Failure)?

    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Upstream.Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (scheduler, options) = (scheduler, options)
      let watch = Watch(self)
      let handover = Handover<Output, Failure>(
        "Timeout", subscriber, onStart: watch.start, observe: watch.touch,
        hop: { scheduler.schedule(options: options, $0) })
      upstream.subscribe(handover)
    }

    /// Looks after each interval whether anything has come, instead of setting a timer for each value.
    private final class Watch {
      private let timeout: Timeout
      private let last: Guarded<Context.SchedulerTimeType>

      init(_ timeout: Timeout) {
        self.timeout = timeout
        last = Guarded(timeout.scheduler.now)
      }

      func touch() {
        let now = timeout.scheduler.now
        last.withLock { $0 = now }
      }

      func start(_ handover: Handover<Output, Failure>) {
        touch()
        wait(handover)
      }

      private func wait(_ handover: Handover<Output, Failure>) {
        let due = last.withLock { $0 }.advanced(by: timeout.interval)
        let scheduler = timeout.scheduler
        scheduler.schedule(after: due, tolerance: scheduler.minimumTolerance, options: timeout.options) {
          [weak handover] in
          guard let handover, handover.isOpen else { return }
          if self.last.withLock({ $0 }).advanced(by: self.timeout.interval) > scheduler.now {
            self.wait(handover)
          } else {
            handover.finish(self.timeout.customError.map { .failure($0()) } ?? .finished)
          }
        }
      }
    }
  }

  /// How much time has passed since the value before.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Context.SchedulerTimeType.Stride
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let scheduler: Context

    public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var last = scheduler.now
      upstream.subscribe(
        Relay<Upstream.Output, Upstream.Failure, S>(
          "MeasureInterval", subscriber,
          step: { [scheduler] _ in
            let now = scheduler.now
            defer { last = now }
            return .emit(last.distance(to: now))
          }))
    }
  }
}

extension Publisher {
  /// Ends, or fails, when no value comes for some time; values are told on the scheduler.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }

  /// Sends how much time has passed between values.
  public func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}
