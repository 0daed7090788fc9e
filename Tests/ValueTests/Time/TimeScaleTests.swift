import CoreMedia
import Testing

@Suite struct TimeScaleTests {
  private func convert(_ value: Int64, _ from: Int32, _ to: Int32, _ method: CMTimeRoundingMethod) -> Int64 {
    CMTime(value: value, timescale: from).convertScale(to, method: method).value
  }

  @Test(arguments: [
    (CMTimeRoundingMethod.roundHalfAwayFromZero, [2, 1, -1, -2, 1]),
    (.roundTowardZero, [1, 1, -1, -1, 0]),
    (.roundAwayFromZero, [2, 2, -2, -2, 1]),
    (.roundTowardPositiveInfinity, [2, 2, -1, -1, 1]),
    (.roundTowardNegativeInfinity, [1, 1, -2, -2, 0]),
  ])
  func rounding(method: CMTimeRoundingMethod, expected: [Int64]) {
    #expect([15, 14, -14, -15, 5].map { convert($0, 10, 1, method) } == expected)
  }

  @Test func default_isHalfAwayFromZero() {
    #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
    #expect(CMTimeRoundingMethod.default.rawValue == 1 && CMTimeRoundingMethod.quickTime.rawValue == 4)
  }

  @Test func quickTime_truncatesDownwardAndRoundsAwayUpward() {
    #expect(convert(19, 10, 1, .quickTime) == 1)
    #expect(convert(1, 3, 10, .quickTime) == 4)
    #expect(convert(-1, 3, 10, .quickTime) == -4)
  }

  @Test func quickTime_neverMakesANegativeTimeZero() {
    #expect(convert(-1, 1000, 1, .quickTime) == -1)
    #expect(convert(1, 1000, 1, .quickTime) == 0)
  }

  @Test func rounding_setsTheFlagAndKeepsTheEpoch() {
    let time = CMTimeMakeWithEpoch(value: 1, timescale: 3, epoch: 5)
    let rounded = CMTimeConvertScale(time, timescale: 600, method: .default)
    #expect(rounded.value == 200 && !rounded.hasBeenRounded && rounded.epoch == 5)
    #expect(CMTimeConvertScale(time, timescale: 100, method: .default).hasBeenRounded)
  }

  @Test func timesThatAreNotNumbers_passUnchanged() {
    for time in [CMTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
      let converted = time.convertScale(600, method: .default)
      #expect(converted.flags == time.flags && converted.timescale == 0)
    }
  }

  @Test func badTimescaleAndOverflow() {
    #expect(!CMTime.zero.convertScale(0, method: .default).isValid)
    #expect(!CMTime.zero.convertScale(-5, method: .default).isValid)
    #expect(CMTime(value: .max, timescale: 1).convertScale(2, method: .default).isPositiveInfinity)
    #expect(CMTime(value: .min, timescale: 1).convertScale(2, method: .default).isNegativeInfinity)
  }
}
