package import CoreMedia

/// Seconds per tick as a fraction: the unit in which a stream counts time (ISO 14496-12 `mdhd` timescale, for one).
///
/// Packets and frames stay integers in it up to the sinks; nothing in the engine compares seconds as `Double`.
package struct TimeBase: Hashable, Sendable {
  package let numerator: Int32
  package let denominator: Int32

  /// - Precondition-free: a zero or negative part gives 1/1, so that a damaged header can't divide by zero.
  package init(_ numerator: Int32, _ denominator: Int32) {
    let valid = numerator > 0 && denominator > 0
    self.numerator = valid ? numerator : 1
    self.denominator = valid ? denominator : 1
  }

  /// The exact time of a tick; `.invalid` when the product does not fit 64 bits.
  package func time(_ ticks: Int64) -> CMTime {
    let (value, overflow) = ticks.multipliedReportingOverflow(by: Int64(numerator))
    return overflow ? .invalid : CMTime(value: value, timescale: denominator)
  }

  /// The tick nearest to a time (half away from zero). Nil for times that are not numeric or do not fit.
  package func ticks(_ time: CMTime) -> Int64? {
    guard time.isNumeric else { return nil }
    let divisor = Int64(time.timescale) * Int64(numerator)
    let product = time.value.multipliedFullWidth(by: Int64(denominator))
    guard divisor > 0, product.high >= -divisor / 2, product.high < divisor / 2 else { return nil }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    let roundsAway = remainder.magnitude >= (divisor.magnitude + 1) / 2
    return roundsAway ? quotient + (product.high < 0 ? -1 : 1) : quotient
  }
}
