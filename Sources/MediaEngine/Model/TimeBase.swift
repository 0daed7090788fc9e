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
    let divisor = UInt64(time.timescale.magnitude) * UInt64(numerator.magnitude)
    let product = time.value.magnitude.multipliedFullWidth(by: UInt64(denominator.magnitude))
    guard divisor > 0, product.high < divisor else { return nil }
    var (quotient, remainder) = divisor.dividingFullWidth(product)
    if remainder >= divisor - remainder { quotient &+= 1 }
    guard quotient <= UInt64(Int64.max) else { return nil }
    return time.value < 0 ? -Int64(quotient) : Int64(quotient)
  }
}
