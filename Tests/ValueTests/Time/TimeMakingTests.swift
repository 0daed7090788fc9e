import CoreMedia
import Testing

@Suite struct TimeMakingTests {
  @Test func constants_haveTheDocumentedBits() {
    func fields(_ time: CMTime) -> [Int64] {
      [time.value, Int64(time.timescale), Int64(time.flags.rawValue), time.epoch]
    }
    #expect(fields(.zero) == [0, 1, 1, 0])
    #expect(fields(.invalid) == [0, 0, 0, 0])
    #expect(fields(.indefinite) == [0, 0, 17, 0])
    #expect(fields(.positiveInfinity) == [0, 0, 5, 0])
    #expect(fields(.negativeInfinity) == [0, 0, 9, 0])
    #expect(CMTimeFlags.impliedValueFlagsMask.rawValue == 28)
    #expect(MemoryLayout<CMTime>.size == 24)
  }

  @Test func emptyInitialiser_isInvalid() {
    #expect(!CMTime().isValid)
    #expect(CMTime() == .invalid)
  }

  @Test(arguments: [0, -1, Int32.min])
  func timescaleNotPositive_isInvalid(timescale: Int32) {
    #expect(!CMTime(value: 1, timescale: timescale).isValid)
    #expect(!CMTimeMake(value: 1, timescale: timescale).isValid)
    #expect(!CMTimeMakeWithEpoch(value: 1, timescale: timescale, epoch: 1).isValid)
    #expect(!CMTime(seconds: 1, preferredTimescale: timescale).isValid)
  }

  @Test func memberwiseInitialiser_doesNotCheck() {
    let time = CMTime(value: 1, timescale: 0, flags: .valid, epoch: 7)
    #expect(time.isValid && time.isNumeric && time.epoch == 7)
    #expect(time == .invalid)
    #expect(!(time + .zero).isValid)
  }

  @Test func predicates_needTheValidFlag() {
    for flag in [CMTimeFlags.positiveInfinity, .negativeInfinity, .indefinite] {
      let time = CMTime(value: 0, timescale: 1, flags: flag, epoch: 0)
      #expect(!time.isPositiveInfinity && !time.isNegativeInfinity && !time.isIndefinite && !time.isNumeric)
    }
    #expect(CMTIME_IS_POSITIVE_INFINITY(.positiveInfinity) && CMTIME_IS_NEGATIVE_INFINITY(.negativeInfinity))
    #expect(CMTIME_IS_INDEFINITE(.indefinite) && CMTIME_IS_NUMERIC(.zero) && CMTIME_IS_INVALID(.invalid))
    #expect(!CMTIME_IS_NUMERIC(.indefinite) && !CMTIME_IS_VALID(.invalid))
  }

  @Test func hasBeenRounded_isFalseUnlessNumeric() {
    #expect(CMTime(value: 1, timescale: 1, flags: [.valid, .hasBeenRounded], epoch: 0).hasBeenRounded)
    #expect(!CMTime(value: 1, timescale: 1, flags: [.hasBeenRounded], epoch: 0).hasBeenRounded)
    #expect(
      !CMTime(value: 1, timescale: 1, flags: [.valid, .indefinite, .hasBeenRounded], epoch: 0).hasBeenRounded)
    #expect(!CMTIME_HAS_BEEN_ROUNDED(.zero))
  }

  @Test func seconds_areNotANumberInfiniteOrTheQuotient() {
    #expect(CMTime.invalid.seconds.isNaN && CMTime.indefinite.seconds.isNaN)
    #expect(CMTime.positiveInfinity.seconds == .infinity && CMTime.negativeInfinity.seconds == -.infinity)
    #expect(CMTime(value: 1, timescale: 3).seconds == 1.0 / 3)
    #expect(CMTimeGetSeconds(CMTimeMakeWithEpoch(value: 5, timescale: 2, epoch: 9)) == 2.5)
  }

  @Test func makingFromSeconds_truncatesTowardZero() {
    #expect(CMTime(seconds: 1228.647, preferredTimescale: 1).value == 1228)
    #expect(CMTime(seconds: 2.368, preferredTimescale: 24).value == 56)
    #expect(CMTime(seconds: -1.9, preferredTimescale: 1).value == -1)
    #expect(CMTime(seconds: 0.7, preferredTimescale: 10).value == 7)
  }

  @Test func makingFromSeconds_marksWhatIsNotExact() {
    #expect(!CMTimeMakeWithSeconds(1.5, preferredTimescale: 600).hasBeenRounded)
    #expect(!CMTimeMakeWithSeconds(0.7, preferredTimescale: 10).hasBeenRounded)
    #expect(CMTimeMakeWithSeconds(2.368, preferredTimescale: 24).hasBeenRounded)
  }

  @Test func makingFromSeconds_halvesTheTimescaleUntilTheValueFits() {
    let time = CMTime(seconds: 1e18, preferredTimescale: 600)
    #expect(time.isNumeric && time.timescale == 9 && time.value == 9_000_000_000_000_000_000)
    #expect(CMTime(seconds: 1e19, preferredTimescale: 600) == .positiveInfinity)
    #expect(CMTime(seconds: -1e19, preferredTimescale: 600) == .negativeInfinity)
    #expect(CMTime(seconds: -0x1p63, preferredTimescale: 1).value == .min)
  }

  @Test func makingFromSeconds_ofInfinityAndNaN() {
    #expect(CMTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
    #expect(CMTime(seconds: -.infinity, preferredTimescale: 600).isNegativeInfinity)
    #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
  }
}
