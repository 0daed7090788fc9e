import CoreMedia
import Foundation
import Testing

/// Random operations against the big-integer model. A failure prints its operands; the seeds are fixed.
@Suite struct TimeModelTests {
  /// A million in all with `SPROCKET_SOAK=1` or an optimised build; in debug as many as keep the suite quick.
  private static let operationsPerSeed: Int = {
    #if DEBUG
      ProcessInfo.processInfo.environment["SPROCKET_SOAK"] == nil ? 12_500 : 125_000
    #else
      125_000
    #endif
  }()

  @Test(arguments: UInt64(1)...8)
  func randomOperations_agreeWithTheModel(seed: UInt64) throws {
    var random = RandomTimes(seed: seed)
    for _ in 0..<TimeModelTests.operationsPerSeed {
      try checkOne(&random)
    }
  }

  private func checkOne(_ random: inout RandomTimes) throws {
    let (a, b) = (random.time(), random.time())
    switch random.generator.below(8) {
    case 0: try expect(a + b, .sum(a, b, subtracts: false), "\(a) + \(b)")
    case 1: try expect(a - b, .sum(a, b, subtracts: true), "\(a) - \(b)")
    case 2:
      let order = CMTimeCompare(a, b)
      try agree(Int(order) == ModelTime.compare(a, b), "order of \(a) and \(b)")
      try agree((a == b) == (order == 0) && (a < b) == (order < 0) && (a > b) == (order > 0), "\(a) <=> \(b)")
      try agree(order != 0 || a.hashValue == b.hashValue, "hashes of \(a) and \(b)")
    case 3:
      let scale = random.generator.oneIn(20) ? random.factor() : random.scale()
      guard let method = CMTimeRoundingMethod(rawValue: UInt32(1 + random.generator.below(6))) else { return }
      try expect(a.convertScale(scale, method: method), .convert(a, scale, method), "\(a) to \(scale) by \(method)")
    case 4:
      let factor = random.factor()
      try expect(CMTimeMultiply(a, multiplier: factor), .multiply(a, factor), "\(a) · \(factor)")
    case 5:
      let factor = random.double()
      try expect(CMTimeMultiplyByFloat64(a, multiplier: factor), .multiply(a, factor), "\(a) · \(factor)")
    case 6: try checkRatio(a, random.factor(), random.factor())
    default: try expect(CMTimeAbsoluteValue(a), .absolute(a), "|\(a)|")
    }
  }

  private func expect(_ result: CMTime, _ model: ModelTime, _ operation: @autoclosure () -> String) throws {
    try agree(ModelTime(result) == model, "\(operation()) = \(result), not \(model)")
  }

  /// As `#require`, but describes the operands only in case of failure, which is most of the time saved.
  private func agree(_ condition: Bool, _ operation: @autoclosure () -> String) throws {
    if !condition { try #require(Bool(false), Comment(rawValue: operation())) }
  }

  /// The form of a ratio's result is free: it must be exact where any timescale can hold it, else at most half a tick off.
  private func checkRatio(_ time: CMTime, _ multiplier: Int32, _ divisor: Int32) throws {
    let result = CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor)
    func agree(_ condition: Bool) throws {
      try self.agree(condition, "\(time) · \(multiplier) / \(divisor) = \(result)")
    }
    guard case .number(let value, let scale, let epoch, let wasRounded) = ModelTime(time) else {
      let isFlipped = (multiplier < 0) != (divisor < 0)
      if case .infinity(let isNegative) = ModelTime(time) {
        return try agree(ModelTime(result) == .infinity(isNegative: isNegative != isFlipped))
      }
      return try agree(ModelTime(result) == ModelTime(time))
    }
    let product = BigInteger(value) * BigInteger(multiplier)
    let numerator = divisor < 0 ? -product : product
    guard divisor != 0 else {
      return try agree(
        ModelTime(result) == (numerator.signum == 0 ? .invalid : .infinity(isNegative: numerator.signum < 0)))
    }
    let exact = ModelSeconds(numerator: numerator, divisors: [UInt64(scale), UInt64(divisor.magnitude)])
    guard case .number(let newValue, let newScale, let newEpoch, let isRounded) = ModelTime(result) else {
      try agree(ModelTime(result) == .infinity(isNegative: numerator.signum < 0))
      return try agree(exact.ticks(1, .roundHalfAwayFromZero).value.int64 == nil)
    }
    let (nearest, isExact) = exact.ticks(newScale, .roundHalfAwayFromZero)
    try agree(newEpoch == epoch && nearest == BigInteger(newValue) && isRounded == (wasRounded || !isExact))
    if isExact { return }
    let lowest = denominatorInLowestTerms(value, multiplier, scale, divisor)
    guard let lowest = Int32(exactly: lowest) else { return }
    try agree(exact.ticks(lowest, .roundHalfAwayFromZero).value.int64 == nil)
  }

  /// Of `value · multiplier / (scale · divisor)`, reduced crosswise so that all stays within 64 bits.
  private func denominatorInLowestTerms(
    _ value: Int64, _ multiplier: Int32, _ scale: Int32, _ divisor: Int32
  ) -> UInt64 {
    var above = [value.magnitude, UInt64(multiplier.magnitude)]
    var below = [UInt64(scale), UInt64(divisor.magnitude)]
    for upper in above.indices {
      for lower in below.indices {
        var (common, rest) = (above[upper], below[lower])
        while rest != 0 { (common, rest) = (rest, common % rest) }
        above[upper] /= common
        below[lower] /= common
      }
    }
    return below[0] * below[1]
  }
}
