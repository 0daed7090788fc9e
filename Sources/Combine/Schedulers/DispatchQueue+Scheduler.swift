public import Dispatch

/// Carries a closure to where it runs: handing it over is what the caller of a scheduler asks for, and it runs once at
/// a time.
// @unchecked Sendable: see above; Combine's closures promise nothing, as at Apple's.
struct Errand: @unchecked Sendable {
  let run: () -> Void
}

extension DispatchQueue: Scheduler {
  /// A time of dispatch's clock.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
      Hashable, Codable, Sendable
    {
      /// Nanoseconds.
      public var magnitude: Int

      private init(nanoseconds: Int) { magnitude = nanoseconds }

      /// An interval that never ends is the longest.
      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let value): self = .seconds(value)
        case .milliseconds(let value): self = .milliseconds(value)
        case .microseconds(let value): self = .microseconds(value)
        case .nanoseconds(let value): self = .nanoseconds(value)
        default: magnitude = .max
        }
      }

      /// Seconds.
      public init(integerLiteral value: Int) { self = .seconds(value) }
      /// Seconds.
      public init(floatLiteral value: Double) { self = .seconds(value) }
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      private static func scaled(_ value: Int, _ factor: Int) -> Stride {
        let (product, isOverflow) = value.multipliedReportingOverflow(by: factor)
        return Stride(nanoseconds: isOverflow ? (value < 0 ? .min : .max) : product)
      }

      public static func seconds(_ s: Int) -> Stride { scaled(s, 1_000_000_000) }
      public static func seconds(_ s: Double) -> Stride { Stride(nanoseconds: Int(saturating: s * 1e9)) }
      public static func milliseconds(_ ms: Int) -> Stride { scaled(ms, 1_000_000) }
      public static func microseconds(_ us: Int) -> Stride { scaled(us, 1_000) }
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

      public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }
      public static func + (left: Stride, right: Stride) -> Stride {
        let (sum, isOverflow) = left.magnitude.addingReportingOverflow(right.magnitude)
        return Stride(nanoseconds: isOverflow ? (right.magnitude < 0 ? .min : .max) : sum)
      }
      public static func - (left: Stride, right: Stride) -> Stride {
        let (difference, isOverflow) = left.magnitude.subtractingReportingOverflow(right.magnitude)
        return Stride(nanoseconds: isOverflow ? (right.magnitude < 0 ? .max : .min) : difference)
      }
      public static func * (left: Stride, right: Stride) -> Stride { scaled(left.magnitude, right.magnitude) }
      public static func += (left: inout Stride, right: Stride) { left = left + right }
      public static func -= (left: inout Stride, right: Stride) { left = left - right }
      public static func *= (left: inout Stride, right: Stride) { left = left * right }
    }

    public var dispatchTime: DispatchTime

    public init(_ time: DispatchTime) { dispatchTime = time }

    public init(from decoder: any Decoder) throws {
      let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
      dispatchTime = DispatchTime(uptimeNanoseconds: nanoseconds)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }

    public func distance(to other: SchedulerTimeType) -> Stride {
      let (mine, theirs) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      return theirs >= mine
        ? .nanoseconds(Int(clamping: theirs - mine)) : .nanoseconds(-Int(clamping: mine - theirs))
    }

    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + n.timeInterval)
    }
  }

  /// How one closure runs.
  public struct SchedulerOptions {
    public var qos: DispatchQoS
    public var flags: DispatchWorkItemFlags
    public var group: DispatchGroup?

    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  public var now: SchedulerTimeType { SchedulerTimeType(DispatchTime.now()) }
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let errand = Errand(run: action)
    let options = options ?? SchedulerOptions()
    async(group: options.group, qos: options.qos, flags: options.flags) { errand.run() }
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let errand = Errand(run: action)
    let options = options ?? SchedulerOptions()
    asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) { errand.run() }
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let errand = Errand(run: action)
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.schedule(deadline: date.dispatchTime, repeating: interval.timeInterval, leeway: tolerance.timeInterval)
    timer.setEventHandler { errand.run() }
    timer.activate()
    return AnyCancellable { timer.cancel() }
  }
}
