import CoreMedia
import Foundation
import Testing

/// Nothing traps on any bits, and results keep the promises of their functions.
@Suite struct TimeFuzzTests {
  @Test func anyBits_neverTrapInRangeFunctions() {
    var random = RandomTimes(seed: 99)
    var validCount = 0
    for _ in 0..<5_000 {
      let (a, b, time) = (random.range(), random.range(), random.time())
      let results = [
        CMTimeClampToRange(time, range: a), CMTimeFoldIntoRange(time, foldRange: a),
        CMTimeMapTimeFromRangeToRange(time, fromRange: a, toRange: b),
        CMTimeMapDurationFromRangeToRange(time, fromRange: a, toRange: b), a.union(b).end, a.intersection(b).start,
        CMTimeRangeFromTimeToTime(start: time, end: a.start).duration,
      ]
      validCount += results.count(where: \.isNumeric)
      _ = (a.containsTime(time), a.containsTimeRange(b), a.isEmpty, a.isIndefinite, time.seconds, time.hashValue)
      _ = CMTimeCopyDescription(allocator: nil, time: time)
      _ = CMTimeMakeFromDictionary(CMTimeCopyAsDictionary(time, allocator: nil))
      _ = CMTime(seconds: random.double(), preferredTimescale: random.factor())
    }
    #expect(validCount > 2_500)
  }

  @Test func folding_landsInTheRange() throws {
    var random = RandomTimes(seed: 7)
    var folded = 0
    while folded < 5_000 {
      let start = CMTime(value: random.value(), timescale: random.scale())
      let duration = CMTime(value: random.value(), timescale: random.scale())
      let time = CMTime(value: random.value(), timescale: random.scale())
      guard duration.value > 0 else { continue }
      folded += 1
      let range = CMTimeRange(start: start, duration: duration)
      let result = CMTimeFoldIntoRange(time, foldRange: range)
      guard result.isNumeric, !result.hasBeenRounded, range.end.isNumeric, !range.end.hasBeenRounded else { continue }
      try #require(range.containsTime(result), "\(time) in \(range) gave \(result)")
    }
  }

  @Test func mapping_agreesWithTheModel() throws {
    var random = RandomTimes(seed: 8)
    for _ in 0..<5_000 {
      func length() -> CMTime { CMTime(value: random.value() & .max, timescale: random.scale()) }
      let (from, to, time) = (length(), length(), CMTime(value: random.value(), timescale: random.scale()))
      guard from.value > 0, to.value > 0 else { continue }
      let result = CMTimeMapDurationFromRangeToRange(
        time, fromRange: CMTimeRange(start: .zero, duration: from), toRange: CMTimeRange(start: .zero, duration: to))
      let exact = ModelSeconds(
        numerator: BigInteger(time.value) * BigInteger(to.value) * BigInteger(from.timescale),
        divisors: [UInt64(time.timescale), UInt64(to.timescale), from.value.magnitude])
      guard case .number(let value, let scale, _, let isRounded) = ModelTime(result) else {
        try #require(exact.ticks(1, .default).value.int64 == nil, "\(time) from \(from) to \(to) gave \(result)")
        continue
      }
      let (nearest, isExact) = exact.ticks(scale, .default)
      try #require(
        nearest == BigInteger(value) && isRounded == !isExact, "\(time) from \(from) to \(to) gave \(result)")
    }
  }
}
