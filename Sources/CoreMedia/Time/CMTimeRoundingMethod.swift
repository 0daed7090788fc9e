/// How a value that does not fall on a tick is brought to one.
public enum CMTimeRoundingMethod: UInt32, Sendable {
  case roundHalfAwayFromZero = 1
  case roundTowardZero = 2
  case roundAwayFromZero = 3
  /// Toward zero on the way to a smaller timescale, away from zero to a larger; a negative time never becomes zero.
  case quickTime = 4
  case roundTowardPositiveInfinity = 5
  case roundTowardNegativeInfinity = 6

  public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}
