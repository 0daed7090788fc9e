/// Whole numbers of any length, written for being evidently right: schoolbook sums and products, division by one limb.
struct BigInteger: Comparable {
  private var isNegative: Bool
  /// Least significant first, without zeros at the end; empty for zero.
  private var limbs: [UInt64]

  private init(isNegative: Bool, limbs: [UInt64]) {
    var limbs = limbs
    while limbs.last == 0 { limbs.removeLast() }
    self.limbs = limbs
    self.isNegative = isNegative && !limbs.isEmpty
  }

  init<Value: FixedWidthInteger>(_ value: Value) {
    self.init(isNegative: value < 0, limbs: [UInt64(value.magnitude)])
  }

  static let zero = BigInteger(0)

  static func powerOfTwo(_ exponent: Int) -> BigInteger {
    BigInteger(
      isNegative: false, limbs: Array(repeating: 0, count: exponent / 64) + [1 << UInt64(exponent % 64)])
  }

  var signum: Int { limbs.isEmpty ? 0 : isNegative ? -1 : 1 }
  var magnitude: BigInteger { BigInteger(isNegative: false, limbs: limbs) }

  /// Nil when it does not fit.
  var int64: Int64? {
    guard limbs.count <= 1 else { return nil }
    let magnitude = limbs.first ?? 0
    if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  static prefix func - (value: BigInteger) -> BigInteger {
    BigInteger(isNegative: !value.isNegative, limbs: value.limbs)
  }

  static func + (left: BigInteger, right: BigInteger) -> BigInteger {
    if left.isNegative == right.isNegative {
      return BigInteger(isNegative: left.isNegative, limbs: sum(left.limbs, right.limbs))
    }
    return compare(left.limbs, right.limbs) >= 0
      ? BigInteger(isNegative: left.isNegative, limbs: difference(left.limbs, right.limbs))
      : BigInteger(isNegative: right.isNegative, limbs: difference(right.limbs, left.limbs))
  }

  static func - (left: BigInteger, right: BigInteger) -> BigInteger { left + -right }

  static func * (left: BigInteger, right: BigInteger) -> BigInteger {
    var limbs = [UInt64](repeating: 0, count: left.limbs.count + right.limbs.count)
    for (i, a) in left.limbs.enumerated() {
      var carry: UInt64 = 0
      for (j, b) in right.limbs.enumerated() {
        let product = a.multipliedFullWidth(by: b)
        let (first, overflow1) = product.low.addingReportingOverflow(carry)
        let (second, overflow2) = first.addingReportingOverflow(limbs[i + j])
        limbs[i + j] = second
        carry = product.high + (overflow1 ? 1 : 0) + (overflow2 ? 1 : 0)
      }
      limbs[i + right.limbs.count] = carry
    }
    return BigInteger(isNegative: left.isNegative != right.isNegative, limbs: limbs)
  }

  /// The magnitude divided by one limb, rounded down; keeps the sign.
  func divided(by divisor: UInt64) -> BigInteger {
    var quotient = limbs
    var remainder: UInt64 = 0
    for index in limbs.indices.reversed() {
      (quotient[index], remainder) = divisor.dividingFullWidth((remainder, limbs[index]))
    }
    return BigInteger(isNegative: isNegative, limbs: quotient)
  }

  static func == (left: BigInteger, right: BigInteger) -> Bool {
    left.isNegative == right.isNegative && left.limbs == right.limbs
  }

  static func < (left: BigInteger, right: BigInteger) -> Bool { (left - right).signum < 0 }

  private static func sum(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
    var result: [UInt64] = []
    var carry: UInt64 = 0
    for index in 0..<max(left.count, right.count) {
      let (a, overflow1) = (index < left.count ? left[index] : 0).addingReportingOverflow(carry)
      let (b, overflow2) = a.addingReportingOverflow(index < right.count ? right[index] : 0)
      result.append(b)
      carry = overflow1 || overflow2 ? 1 : 0
    }
    return result + [carry]
  }

  /// Of magnitudes, the first not the lesser.
  private static func difference(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
    var result: [UInt64] = []
    var borrow: UInt64 = 0
    for index in left.indices {
      let (a, overflow1) = left[index].subtractingReportingOverflow(borrow)
      let (b, overflow2) = a.subtractingReportingOverflow(index < right.count ? right[index] : 0)
      result.append(b)
      borrow = overflow1 || overflow2 ? 1 : 0
    }
    return result
  }

  private static func compare(_ left: [UInt64], _ right: [UInt64]) -> Int {
    if left.count != right.count { return left.count < right.count ? -1 : 1 }
    for index in left.indices.reversed() where left[index] != right[index] {
      return left[index] < right[index] ? -1 : 1
    }
    return 0
  }
}
