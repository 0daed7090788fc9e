extension Publishers {
  /// How values are put together by time.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// All that come within an interval.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// All that come within an interval, but at most so many.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// Arrays of the values that came within an interval.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let strategy: TimeGroupingStrategy<Context>
    public let options: Context.SchedulerOptions?

    public init(
      upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let scheduler: Context
      let interval: Context.SchedulerTimeType.Stride
      var count: Int?
      switch strategy {
      case .byTime(let context, let stride): (scheduler, interval) = (context, stride)
      case .byTimeOrCount(let context, let stride, let limit): (scheduler, interval, count) = (context, stride, limit)
      }
      let (limit, options) = (count, options)
      let stage = TimedStage<[Upstream.Output], Upstream.Output, Output, Failure>("CollectByTime", subscriber, [])
      // What has no demand yet stays for the next time.
      let take: (inout [Upstream.Output]) -> Output? = { values in
        guard !values.isEmpty else { return nil }
        defer { values = [] }
        return values
      }
      stage.onStart = { stage in
        stage.keep(
          scheduler.schedule(
            after: scheduler.now.advanced(by: interval), interval: interval, tolerance: scheduler.minimumTolerance,
            options: options
          ) { stage.emit(take) })
      }
      stage.onValue = { stage, value in
        let count = stage.withMemory { values in
          values.append(value)
          return values.count
        }
        if let limit, count >= limit {
          scheduler.schedule(options: options) { stage.emit { $0.count >= limit ? take(&$0) : nil } }
        }
      }
      stage.onCompletion = { stage, completion in
        scheduler.schedule(options: options) {
          if case .finished = completion { stage.emit(take) }
          stage.finish(completion)
        }
      }
      upstream.subscribe(stage)
    }
  }
}

extension Publisher {
  /// Arrays of the values that came within an interval; none for an interval without values.
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}
