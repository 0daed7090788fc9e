/// The way of a time from one clock or timebase to another: up to what both follow, across if they follow different
/// clocks, and down again. All anchors are read once, so that one conversion is consistent.
struct SyncPath {
  private var up: [TimebaseAnchor] = []
  /// Simultaneous times of the two clocks at the top, if they are two.
  private var crossing: (from: CMTime, to: CMTime)?
  private var down: [TimebaseAnchor] = []

  /// Nil for objects that are neither clocks nor timebases of this module.
  init?(from: any CMSyncProtocol, to: any CMSyncProtocol) {
    let (fromChain, toChain) = (SyncPath.chain(from), SyncPath.chain(to))
    guard let fromRoot = fromChain.last as? CMClock, let toRoot = toChain.last as? CMClock else { return nil }
    let common = fromChain.first { link in toChain.contains { $0 === link } }
    up = fromChain.prefix { $0 !== common }.compactMap { ($0 as? CMTimebase)?.anchor() }
    down = toChain.prefix { $0 !== common }.compactMap { ($0 as? CMTimebase)?.anchor() }.reversed()
    if fromRoot !== toRoot { crossing = (fromRoot.time, toRoot.time) }
  }

  /// How fast the end runs as seen from the start; NaN when the start is at rest.
  var rate: Double {
    let start = up.reduce(1) { $0 * $1.rate }
    return start == 0 ? .nan : down.reduce(1) { $0 * $1.rate } / start
  }

  func convert(_ time: CMTime) -> CMTime {
    var time = time
    for anchor in up { time = anchor.sourceTime(of: time) }
    if let crossing { time = time - crossing.from + crossing.to }
    for anchor in down { time = anchor.time(ofSource: time) }
    return time
  }

  static func roots(_ left: any CMSyncProtocol, _ right: any CMSyncProtocol) -> (CMClock, CMClock)? {
    guard let left = chain(left).last as? CMClock, let right = chain(right).last as? CMClock else { return nil }
    return (left, right)
  }

  /// Itself, its source, the source's source, up to the clock.
  private static func chain(_ start: any CMSyncProtocol) -> [any CMSyncProtocol] {
    var chain: [any CMSyncProtocol] = [start]
    var next = start
    while let timebase = next as? CMTimebase {
      next = timebase.source
      chain.append(next)
    }
    return chain
  }
}

/// A linear map between a source's time and a timebase's.
struct TimebaseAnchor {
  var time: CMTime
  var sourceTime: CMTime
  var rate: Double

  func time(ofSource source: CMTime) -> CMTime {
    rate == 0 ? time : time + TimebaseAnchor.scaled(source - sourceTime, by: rate)
  }

  /// Invalid at rest: every instant has the same time.
  func sourceTime(of other: CMTime) -> CMTime {
    rate == 0 ? .invalid : sourceTime + TimebaseAnchor.scaled(other - time, by: 1 / rate)
  }

  private static func scaled(_ time: CMTime, by rate: Double) -> CMTime {
    rate == 1 ? time : CMTimeMultiplyByFloat64(time, multiplier: rate)
  }
}
