extension CMTime {
  public static func + (left: CMTime, right: CMTime) -> CMTime {
    sum(left, right, negatesRight: false)
  }

  public static func - (left: CMTime, right: CMTime) -> CMTime {
    sum(left, right, negatesRight: true)
  }

  private static func sum(_ left: CMTime, _ right: CMTime, negatesRight: Bool) -> CMTime {
    let (leftKind, rightKind) = (left.computingKind, right.computingKind)
    guard leftKind == .numeric, rightKind == .numeric else {
      return sumOfKinds(leftKind, negatesRight ? rightKind.negated : rightKind)
    }
    guard let epoch = epochOfSum(left.epoch, right.epoch) else { return .invalid }
    let wasRounded = left.hasBeenRounded || right.hasBeenRounded
    if left.timescale == right.timescale {
      let (value, overflow) =
        negatesRight
        ? left.value.subtractingReportingOverflow(right.value) : left.value.addingReportingOverflow(right.value)
      if !overflow {
        let flags: CMTimeFlags = wasRounded ? [.valid, .hasBeenRounded] : .valid
        return CMTime(value: value, timescale: left.timescale, flags: flags, epoch: epoch)
      }
    }
    let (leftScale, rightScale) = (Int128(left.timescale), Int128(right.timescale))
    let leftPart = Int128(left.value) * rightScale
    let rightPart = Int128(right.value) * leftScale
    let exact = ExactTime(
      numerator: negatesRight ? leftPart - rightPart : leftPart + rightPart,
      denominator: UInt128(leftScale * rightScale))
    let scale = commonScale(left.timescale, right.timescale)
    return CMTime(exact, scale: scale, wasRounded: wasRounded, epoch: epoch)
  }

  /// Invalid beats infinite beats indefinite; infinities of opposite sign have no sum.
  private static func sumOfKinds(_ left: Kind, _ right: Kind) -> CMTime {
    if left == .invalid || right == .invalid { return .invalid }
    switch (left.isInfinite, right.isInfinite) {
    case (true, true): return left == right ? infinity(negative: left == .negativeInfinity) : .invalid
    case (true, false): return infinity(negative: left == .negativeInfinity)
    case (false, true): return infinity(negative: right == .negativeInfinity)
    case (false, false): return .indefinite
    }
  }

  /// Nil for two different epochs. Equal ones cancel: the distance of two times of a loop's third round is just a distance.
  private static func epochOfSum(_ left: CMTimeEpoch, _ right: CMTimeEpoch) -> CMTimeEpoch? {
    if left == right { return 0 }
    if left == 0 { return right }
    return right == 0 ? left : nil
  }
}

extension CMTime.Kind {
  var isInfinite: Bool { self == .positiveInfinity || self == .negativeInfinity }

  var negated: CMTime.Kind {
    switch self {
    case .positiveInfinity: .negativeInfinity
    case .negativeInfinity: .positiveInfinity
    default: self
    }
  }
}

public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  lhs + rhs
}

public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  lhs - rhs
}

/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  switch time.kind {
  case .negativeInfinity: return .positiveInfinity
  case .numeric where time.value < 0:
    let exact = ExactTime(numerator: -Int128(time.value), denominator: UInt128(time.timescale.magnitude))
    return CMTime(exact, scale: time.timescale, wasRounded: time.hasBeenRounded, epoch: time.epoch)
  default: return time
  }
}
