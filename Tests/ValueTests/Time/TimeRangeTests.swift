import CoreMedia
import Testing

@Suite struct TimeRangeTests {
  private func seconds(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1) }
  private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
    CMTimeRange(start: seconds(start), end: seconds(end))
  }

  @Test func constants() {
    #expect(CMTimeRange.zero.isValid && CMTimeRange.zero.isEmpty)
    #expect(!CMTimeRange.invalid.isValid && !CMTimeRange().isValid && !CMTimeRange.invalid.isEmpty)
  }

  @Test func validity_needsADurationWithoutEpochOrSign() {
    let epoch = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 1)
    #expect(CMTimeRangeMake(start: .zero, duration: epoch) == .invalid)
    #expect(!CMTimeRange(start: .zero, duration: epoch).isValid)
    #expect(!CMTimeRange(start: .zero, duration: seconds(-1)).isValid)
    #expect(CMTimeRange(start: .zero, duration: .positiveInfinity).isValid)
    let negative = CMTime(value: -1, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    #expect(!CMTimeRange(start: .zero, duration: negative).isValid)
    #expect(!range(5, 3).isValid)
  }

  @Test func indefiniteAndEmpty() {
    #expect(CMTimeRange(start: .zero, duration: .indefinite).isIndefinite)
    #expect(CMTimeRange(start: .indefinite, duration: .zero).isIndefinite)
    #expect(!CMTimeRange(start: .invalid, duration: .indefinite).isIndefinite)
    #expect(CMTimeRange(start: seconds(3), duration: CMTime(value: 0, timescale: 600)).isEmpty)
    #expect(CMTIMERANGE_IS_EMPTY(.zero) && CMTIMERANGE_IS_VALID(.zero) && CMTIMERANGE_IS_INVALID(.invalid))
  }

  @Test func end_isStartAndDuration() {
    #expect(range(2, 5).end == seconds(5) && CMTimeRangeGetEnd(range(2, 5)) == seconds(5))
    #expect(CMTimeRange(start: .zero, duration: .positiveInfinity).end.isPositiveInfinity)
  }

  @Test func ofEqualEpochs_theDurationHasNone() {
    let start = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 2)
    let end = CMTimeMakeWithEpoch(value: 4, timescale: 1, epoch: 2)
    let range = CMTimeRangeFromTimeToTime(start: start, end: end)
    #expect(range.isValid && range.duration == seconds(3) && range.end == end)
    #expect(!CMTimeRange(start: start, end: seconds(4)).isValid)
  }

  @Test func containment_isHalfOpen() {
    #expect(range(1, 3).containsTime(seconds(1)) && !range(1, 3).containsTime(seconds(3)))
    #expect(CMTimeRangeContainsTime(range(1, 3), time: CMTime(value: 29, timescale: 10)))
    #expect(!range(1, 3).containsTime(.invalid) && !range(1, 3).containsTime(.indefinite))
    #expect(!CMTimeRange.invalid.containsTime(.zero) && !CMTimeRange.zero.containsTime(.zero))
    #expect(range(1, 5).containsTimeRange(range(1, 5)) && !range(1, 5).containsTimeRange(range(0, 5)))
    #expect(CMTimeRangeContainsTimeRange(range(1, 5), otherRange: range(2, 3)))
  }

  @Test func unionAndIntersection() {
    #expect(range(1, 3).union(range(5, 6)) == range(1, 6))
    #expect(CMTimeRangeGetUnion(range(1, 3), otherRange: .invalid) == range(1, 3))
    #expect(CMTimeRange.invalid.union(range(1, 3)) == range(1, 3))
    #expect(range(1, 3).union(range(9, 9)) == range(1, 3) && range(9, 9).union(range(1, 3)) == range(1, 3))
    #expect(!CMTimeRange.invalid.union(.invalid).isValid)
    #expect(range(1, 5).intersection(range(3, 9)) == range(3, 5))
    #expect(CMTimeRangeGetIntersection(range(1, 2), otherRange: range(2, 3)) == .zero)
    #expect(range(1, 2).intersection(.invalid) == .invalid)
    #expect(CMTimeRange(start: .zero, duration: .positiveInfinity).intersection(range(3, 4)) == range(3, 4))
  }

  @Test func equality_isByBothTimes() {
    let same = CMTimeRange(start: CMTime(value: 600, timescale: 600), duration: CMTime(value: 4, timescale: 2))
    #expect(range(1, 3) == same && CMTimeRangeEqual(range(1, 3), same) && range(1, 3).hashValue == same.hashValue)
    #expect(range(1, 3) != range(1, 4))
  }

  @Test func clamping() {
    #expect(CMTimeClampToRange(seconds(2), range: range(1, 3)) == seconds(2))
    #expect(CMTimeClampToRange(seconds(0), range: range(1, 3)) == seconds(1))
    #expect(CMTimeClampToRange(seconds(9), range: range(1, 3)) == seconds(3))
    #expect(CMTimeClampToRange(.positiveInfinity, range: range(1, 3)) == seconds(3))
    #expect(!CMTimeClampToRange(seconds(2), range: .zero).isValid)
    #expect(!CMTimeClampToRange(.invalid, range: range(1, 3)).isValid)
  }

  @Test func mappingATime() {
    #expect(CMTimeMapTimeFromRangeToRange(seconds(2), fromRange: range(1, 3), toRange: range(10, 20)) == seconds(15))
    #expect(CMTimeMapTimeFromRangeToRange(seconds(5), fromRange: range(1, 3), toRange: range(10, 20)) == seconds(30))
    let third = CMTimeMapTimeFromRangeToRange(seconds(1), fromRange: range(0, 3), toRange: range(0, 1))
    #expect(third == CMTime(value: 1, timescale: 3) && !third.hasBeenRounded)
    #expect(!CMTimeMapTimeFromRangeToRange(seconds(1), fromRange: .zero, toRange: range(0, 1)).isValid)
    #expect(!CMTimeMapTimeFromRangeToRange(seconds(1), fromRange: range(0, 1), toRange: .zero).isValid)
    let epoch = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 1)
    #expect(!CMTimeMapTimeFromRangeToRange(epoch, fromRange: range(0, 1), toRange: range(0, 1)).isValid)
  }

  @Test func mappingATime_betweenEndlessRanges_onlyShifts() {
    let from = CMTimeRange(start: seconds(2), duration: .positiveInfinity)
    let to = CMTimeRange(start: seconds(10), duration: .positiveInfinity)
    #expect(CMTimeMapTimeFromRangeToRange(seconds(5), fromRange: from, toRange: to) == seconds(13))
  }

  @Test func mappingATime_keepsExactBeyond128Bits() {
    let huge = CMTimeRange(start: .zero, duration: CMTime(value: .max, timescale: .max))
    let time = CMTime(value: .max - 1, timescale: .max)
    let to = CMTimeRange(start: .zero, duration: CMTime(value: .max - 2, timescale: .max - 1))
    let mapped = CMTimeMapTimeFromRangeToRange(time, fromRange: huge, toRange: to)
    #expect(mapped.isNumeric && mapped < to.end && mapped.seconds.rounded() == to.end.seconds.rounded())
  }

  @Test func mappingADuration() {
    #expect(CMTimeMapDurationFromRangeToRange(seconds(1), fromRange: range(5, 7), toRange: range(0, 10)) == seconds(5))
    let epoch = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 1)
    #expect(!CMTimeMapDurationFromRangeToRange(epoch, fromRange: range(0, 1), toRange: range(0, 1)).isValid)
    #expect(!CMTimeMapDurationFromRangeToRange(seconds(1), fromRange: .zero, toRange: range(0, 1)).isValid)
  }

  @Test func folding_worksFromBothSides() {
    #expect(CMTimeFoldIntoRange(seconds(8), foldRange: range(2, 5)) == seconds(2))
    #expect(CMTimeFoldIntoRange(seconds(7), foldRange: range(2, 5)) == seconds(4))
    #expect(CMTimeFoldIntoRange(seconds(1), foldRange: range(2, 5)) == seconds(4))
    #expect(CMTimeFoldIntoRange(seconds(5), foldRange: range(2, 5)) == seconds(2))
    #expect(!CMTimeFoldIntoRange(seconds(5), foldRange: .zero).isValid)
    let endless = CMTimeRange(start: seconds(2), duration: .positiveInfinity)
    #expect(CMTimeFoldIntoRange(seconds(9), foldRange: endless) == seconds(9))
    #expect(CMTimeFoldIntoRange(seconds(1), foldRange: endless).isPositiveInfinity)
  }

  @Test func mappings() {
    let empty = CMTimeMappingMakeEmpty(target: range(0, 2))
    #expect(CMTIMEMAPPING_IS_EMPTY(empty) && CMTIMEMAPPING_IS_VALID(empty))
    let mapping = CMTimeMappingMake(source: range(5, 6), target: range(0, 2))
    #expect(CMTIMEMAPPING_IS_VALID(mapping) && !CMTIMEMAPPING_IS_EMPTY(mapping))
    let epoch = CMTimeRange(start: .zero, duration: CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 1))
    #expect(CMTimeMappingMake(source: range(0, 1), target: epoch) == .invalid)
    #expect(CMTIMEMAPPING_IS_INVALID(.invalid) && CMTimeMapping() == .invalid)
    // The source says only whether the mapping is empty.
    let lengthless = CMTimeMapping(source: CMTimeRange(start: .zero, duration: .invalid), target: range(0, 2))
    #expect(CMTIMEMAPPING_IS_VALID(lengthless) && !CMTIMEMAPPING_IS_EMPTY(lengthless))
    let boundless = CMTimeMapping(source: CMTimeRange(start: .negativeInfinity, duration: .zero), target: range(0, 2))
    #expect(CMTIMEMAPPING_IS_VALID(boundless) && CMTIMEMAPPING_IS_EMPTY(boundless))
    let targetless = CMTimeMapping(source: .invalid, target: .invalid)
    #expect(!CMTIMEMAPPING_IS_EMPTY(targetless))
  }
}
