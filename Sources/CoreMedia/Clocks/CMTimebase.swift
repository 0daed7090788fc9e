/// Supplies time and rate of a timebase that the engine drives, such as a player item's.
package protocol TimebaseProvider: AnyObject, Sendable {
  /// Item time and rate at an instant of host time. Called on any thread, often; must not wait.
  func timeAndRate(atHostNanoseconds nanoseconds: Int64) -> (time: CMTime, rate: Double)
}

/// A time that can be set, run and stopped, relative to a clock or to another timebase.
///
/// A timebase that the engine drives is read-only: its setters throw `kCMTimebaseError_ReadOnly`.
public final class CMTimebase: CMSyncProtocol {
  private let state: ValueLock<State>
  private let provider: (any TimebaseProvider)?

  private struct State {
    var source: any CMSyncProtocol
    var anchor: TimebaseAnchor
    /// Timebases that follow this one and must hear of its changes.
    var followers: [WeakTimebase] = []
  }

  private struct WeakTimebase {
    weak var timebase: CMTimebase?
  }

  /// At time zero, at rest.
  public convenience init(sourceClock: CMClock) throws {
    self.init(following: sourceClock)
  }

  /// At time zero, at rest.
  public convenience init(sourceTimebase: CMTimebase) throws {
    self.init(following: sourceTimebase)
    sourceTimebase.add(follower: self)
  }

  init(following source: any CMSyncProtocol) {
    provider = nil
    let anchor = TimebaseAnchor(time: .zero, sourceTime: CMSyncGetTime(source), rate: 0)
    state = ValueLock(State(source: source, anchor: anchor))
  }

  /// A read-only timebase over host time.
  package init(provider: any TimebaseProvider) {
    self.provider = provider
    let anchor = TimebaseAnchor(time: .zero, sourceTime: .zero, rate: 0)
    state = ValueLock(State(source: CMClock.hostTimeClock, anchor: anchor))
  }

  var isReadOnly: Bool { provider != nil }

  /// The clock or timebase that this one is set against.
  var source: any CMSyncProtocol { state.withLock { $0.source } }

  /// The present map from the source's time.
  func anchor() -> TimebaseAnchor {
    guard let provider else { return state.withLock { $0.anchor } }
    let now = HostTimeSources.nanoseconds
    let (time, rate) = provider.timeAndRate(atHostNanoseconds: now)
    return TimebaseAnchor(
      time: time, sourceTime: CMTime(value: now, timescale: CMClock.hostTimeScale), rate: rate)
  }

  func add(follower: CMTimebase) {
    state.withLock { state in
      state.followers.removeAll { $0.timebase == nil }
      state.followers.append(WeakTimebase(timebase: follower))
    }
  }

  func remove(follower: CMTimebase) {
    state.withLock { state in
      state.followers.removeAll { $0.timebase == nil || $0.timebase === follower }
    }
  }

  var followers: [CMTimebase] { state.withLock { $0.followers.compactMap(\.timebase) } }

  /// Replaces the anchor; `change` gets the present one and the source's time.
  func update(_ change: (TimebaseAnchor, CMTime) -> TimebaseAnchor) {
    let source = source
    let now = CMSyncGetTime(source)
    state.withLock { state in
      // A source exchanged in between would have other times; the exchange's anchor stays then.
      if state.source === source { state.anchor = change(state.anchor, now) }
    }
  }

  func exchange(source: any CMSyncProtocol) {
    let now = CMSyncGetTime(source)
    let time = time
    let old = state.withLock { state in
      defer {
        state.source = source
        state.anchor = TimebaseAnchor(time: time, sourceTime: now, rate: state.anchor.rate)
      }
      return state.source
    }
    (old as? CMTimebase)?.remove(follower: self)
    (source as? CMTimebase)?.add(follower: self)
  }
}

extension CMTimebase: Hashable {
  public static func == (left: CMTimebase, right: CMTimebase) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMTimebase {
  public var time: CMTime { timeAndRate.time }

  /// Relative to the source.
  public var rate: Double { anchor().rate }

  /// Both of one instant.
  public var timeAndRate: (time: CMTime, rate: Double) {
    if provider != nil {
      let anchor = anchor()
      return (anchor.time, anchor.rate)
    }
    let (source, anchor) = state.withLock { ($0.source, $0.anchor) }
    return (anchor.time(ofSource: CMSyncGetTime(source)), anchor.rate)
  }

  public func time(timescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(timescale, method: method)
  }

  /// The product of the rates up to the clock.
  public var effectiveRate: Double {
    let source = source
    return rate * ((source as? CMTimebase)?.effectiveRate ?? 1)
  }

  public var sourceClock: CMClock? { source as? CMClock }
  public var sourceTimebase: CMTimebase? { source as? CMTimebase }

  /// The clock at the end of the chain.
  public var ultimateSourceClock: CMClock {
    var next = source
    while let timebase = next as? CMTimebase { next = timebase.source }
    return next as? CMClock ?? .hostTimeClock
  }
}
