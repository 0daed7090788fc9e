import CoreMedia
import Testing

@Suite struct TimeOrderTests {
  @Test func kinds_areInOrder() {
    let times: [CMTime] = [
      .negativeInfinity, CMTime(value: .min, timescale: 1), CMTime(value: -1, timescale: 600), .zero,
      CMTime(value: .max, timescale: 1), CMTimeMakeWithEpoch(value: 0, timescale: 1, epoch: 1), .indefinite,
      .positiveInfinity, .invalid,
    ]
    for (i, a) in times.enumerated() {
      for (j, b) in times.enumerated() {
        #expect(Int(CMTimeCompare(a, b)) == (i - j).signum())
        #expect((a < b) == (i < j) && (a <= b) == (i <= j) && (a > b) == (i > j) && (a >= b) == (i >= j))
        #expect((a == b) == (i == j) && (a != b) == (i != j))
      }
    }
    #expect(times.shuffled().sorted().map(\.flags) == times.map(\.flags))
  }

  @Test func equality_ignoresTimescaleAndRounding() {
    let one = CMTime(value: 1, timescale: 1)
    let rounded = CMTime(value: 600, timescale: 600, flags: [.valid, .hasBeenRounded], epoch: 0)
    #expect(one == rounded && one.hashValue == rounded.hashValue)
    #expect(CMTime.invalid == .invalid && CMTime.indefinite == .indefinite)
  }

  @Test func comparison_isExactBeyondDoublePrecision() {
    #expect(CMTime(value: .max, timescale: 1_000_000_000) > CMTime(value: .max - 1, timescale: 1_000_000_000))
    #expect(CMTime(value: .max, timescale: .max) < CMTime(value: .max - 1, timescale: .max - 1))
  }

  @Test func minimumAndMaximum_followTheOrder() {
    let one = CMTime(value: 1, timescale: 1)
    #expect(CMTimeMaximum(one, .invalid) == .invalid)
    #expect(CMTimeMinimum(.indefinite, one) == one)
    #expect(CMTimeMaximum(one, .positiveInfinity).isPositiveInfinity)
  }
}
