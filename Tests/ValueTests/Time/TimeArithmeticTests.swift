import CoreMedia
import Testing

@Suite struct TimeArithmeticTests {
  private func time(_ value: Int64, _ timescale: Int32, epoch: Int64 = 0) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: epoch)
  }

  @Test func invalid_beatsEverything() {
    for other in [CMTime.zero, .indefinite, .positiveInfinity, .negativeInfinity] {
      #expect(!(CMTime.invalid + other).isValid && !(other - .invalid).isValid)
    }
  }

  @Test func infinity_beatsNumbersAndIndefinite() {
    #expect((CMTime.positiveInfinity + time(1, 1)).isPositiveInfinity)
    #expect((time(1, 1) - .positiveInfinity).isNegativeInfinity)
    #expect((CMTime.indefinite + .negativeInfinity).isNegativeInfinity)
    #expect((CMTime.indefinite - .negativeInfinity).isPositiveInfinity)
  }

  @Test func infinities_ofOppositeSignHaveNoSum() {
    #expect((CMTime.positiveInfinity + .positiveInfinity).isPositiveInfinity)
    #expect(!(CMTime.positiveInfinity + .negativeInfinity).isValid)
    #expect((CMTime.negativeInfinity - .positiveInfinity).isNegativeInfinity)
    #expect(!(CMTime.positiveInfinity - .positiveInfinity).isValid)
  }

  @Test func indefinite_beatsNumbers() {
    #expect((CMTime.indefinite + time(1, 1)).isIndefinite)
    #expect((time(1, 1) - .indefinite).isIndefinite)
  }

  @Test func epochs() {
    #expect(!(time(1, 1, epoch: 1) + time(1, 1, epoch: 2)).isValid)
    #expect((time(1, 1, epoch: 3) + time(1, 1, epoch: 3)).epoch == 0)
    #expect((time(1, 1, epoch: 3) - time(1, 1, epoch: 3)).epoch == 0)
    #expect((time(1, 1, epoch: 3) + time(1, 1)).epoch == 3)
    #expect((time(1, 1) - time(1, 1, epoch: 4)).epoch == 4)
  }

  @Test func sameTimescale_isKeptAndNotReduced() {
    let sum = time(1, 600) + time(1, 600)
    #expect(sum.value == 2 && sum.timescale == 600 && !sum.hasBeenRounded)
  }

  @Test func differentTimescales_meetInTheLeastCommonMultiple() {
    let sum = time(1, 24) + time(1, 30)
    #expect(sum.value == 9 && sum.timescale == 120)
  }

  @Test func commonTimescaleTooLarge_roundsAtTheLargest() {
    let sum = time(1, 2_147_483_629) + time(1, 1_000_000_007)
    #expect(sum.timescale == kCMTimeMaxTimescale && sum.hasBeenRounded)
    #expect(sum.value == 3)
  }

  @Test func overflow_halvesTheTimescaleThenIsInfinite() {
    let sum = time(.max, 600) + time(1, 600)
    #expect(sum.timescale == 300 && sum.value == 1 << 62 && !sum.hasBeenRounded)
    #expect((time(.max, 600) + time(2, 600)).hasBeenRounded)
    #expect((time(.max, 1) + time(1, 1)).isPositiveInfinity)
    #expect((time(.min, 1) - time(1, 1)).isNegativeInfinity)
    #expect((time(0, 1) - time(.min, 1)).isPositiveInfinity)
  }

  @Test func rounding_sticks() {
    let rounded = CMTime(value: 1, timescale: 1, flags: [.valid, .hasBeenRounded], epoch: 0)
    #expect((rounded + time(1, 1)).hasBeenRounded && (time(1, 1) - rounded).hasBeenRounded)
    #expect(CMTimeMultiply(rounded, multiplier: 2).hasBeenRounded)
    #expect(rounded.convertScale(2, method: .default).hasBeenRounded)
  }

  @Test func cFunctions_areTheOperators() {
    #expect(CMTimeAdd(time(1, 2), time(1, 3)) == time(5, 6))
    #expect(CMTimeSubtract(time(1, 2), time(1, 3)) == time(1, 6))
  }

  @Test func absoluteValue() {
    #expect(CMTimeAbsoluteValue(time(-5, 2, epoch: 1)) == time(5, 2, epoch: 1))
    #expect(CMTimeAbsoluteValue(.negativeInfinity).isPositiveInfinity)
    #expect(CMTimeAbsoluteValue(.indefinite).isIndefinite && !CMTimeAbsoluteValue(.invalid).isValid)
    #expect(CMTimeAbsoluteValue(time(.min, 2)).value == 1 << 62)
    #expect(CMTimeAbsoluteValue(time(.min, 1)).isPositiveInfinity)
  }

  @Test func multiplyingByAWhole_keepsTheTimescale() {
    let product = CMTimeMultiply(time(1, 600), multiplier: -3)
    #expect(product.value == -3 && product.timescale == 600)
    #expect(CMTimeMultiply(time(.max, 2), multiplier: 2).timescale == 1)
    #expect(CMTimeMultiply(time(.max, 1), multiplier: -2).isNegativeInfinity)
    #expect(CMTimeMultiply(.negativeInfinity, multiplier: -1).isPositiveInfinity)
    #expect(CMTimeMultiply(.positiveInfinity, multiplier: 0).isPositiveInfinity)
    #expect(CMTimeMultiply(.indefinite, multiplier: 0).isIndefinite)
    #expect(CMTimeMultiply(time(3, 2, epoch: 4), multiplier: 1).epoch == 4)
  }

  @Test func multiplyingByADouble_doublesSmallTimescales() {
    #expect(CMTimeMultiplyByFloat64(time(1, 600), multiplier: 1).timescale == 76800)
    #expect(CMTimeMultiplyByFloat64(time(1, 1), multiplier: 1).timescale == 65536)
    #expect(CMTimeMultiplyByFloat64(time(1, 90000), multiplier: 1).timescale == 90000)
    let half = CMTimeMultiplyByFloat64(time(1, 90000), multiplier: 0.5)
    #expect(half.value == 1 && half.hasBeenRounded)
    #expect(CMTimeMultiplyByFloat64(time(10, 1), multiplier: 0.25) == time(5, 2))
  }

  @Test func multiplyingByADouble_thatIsNotFinite() {
    #expect(!CMTimeMultiplyByFloat64(time(1, 1), multiplier: .nan).isValid)
    #expect(CMTimeMultiplyByFloat64(time(1, 1), multiplier: .infinity).isPositiveInfinity)
    #expect(CMTimeMultiplyByFloat64(time(-1, 1), multiplier: .infinity).isNegativeInfinity)
    #expect(!CMTimeMultiplyByFloat64(.zero, multiplier: .infinity).isValid)
    #expect(CMTimeMultiplyByFloat64(.positiveInfinity, multiplier: -2).isNegativeInfinity)
  }

  @Test func multiplyingByARatio_isExactWherePossible() {
    #expect(CMTimeMultiplyByRatio(time(1, 600), multiplier: 1, divisor: 7) == time(1, 4200))
    #expect(CMTimeMultiplyByRatio(time(600, 600), multiplier: 1, divisor: 2).timescale == 600)
    #expect(CMTimeMultiplyByRatio(time(1, 1), multiplier: 1, divisor: -3) == time(-1, 3))
    #expect(CMTimeMultiplyByRatio(time(1, .max), multiplier: 1, divisor: 2).hasBeenRounded)
  }

  @Test func multiplyingByARatio_withZeroDivisor() {
    #expect(!CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0).isValid)
    #expect(!CMTimeMultiplyByRatio(time(1, 1), multiplier: 0, divisor: 0).isValid)
    #expect(CMTimeMultiplyByRatio(time(1, 1), multiplier: -1, divisor: 0).isNegativeInfinity)
    #expect(CMTimeMultiplyByRatio(time(-1, 1), multiplier: -1, divisor: 0).isPositiveInfinity)
    #expect(CMTimeMultiplyByRatio(.negativeInfinity, multiplier: 1, divisor: 0).isNegativeInfinity)
  }
}
