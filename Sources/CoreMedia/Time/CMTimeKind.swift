extension CMTime {
  /// The kinds in their order of comparison. `malformed` is numeric by its flags but has no positive timescale:
  /// only unchecked initialisation makes it; it computes as `invalid`.
  enum Kind: Int, Comparable {
    case negativeInfinity
    case numeric
    case indefinite
    case positiveInfinity
    case malformed
    case invalid

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  var kind: Kind {
    guard isValid else { return .invalid }
    if flags.contains(.positiveInfinity) { return .positiveInfinity }
    if flags.contains(.negativeInfinity) { return .negativeInfinity }
    if flags.contains(.indefinite) { return .indefinite }
    return timescale > 0 ? .numeric : .malformed
  }

  /// `kind` with `malformed` folded into `invalid`.
  var computingKind: Kind {
    let kind = kind
    return kind == .malformed ? .invalid : kind
  }

  static func infinity(negative: Bool) -> CMTime {
    negative ? .negativeInfinity : .positiveInfinity
  }
}
