import CoreMedia
import Foundation
import Testing

@Suite struct TimeTextTests {
  @Test func dictionary_roundTrips() throws {
    for time in [
      CMTimeMakeWithEpoch(value: .min, timescale: .max, epoch: -3), .invalid, .indefinite, .positiveInfinity,
    ] {
      let dictionary = try #require(CMTimeCopyAsDictionary(time, allocator: kCFAllocatorDefault))
      let back = CMTimeMakeFromDictionary(dictionary)
      #expect(back.value == time.value && back.timescale == time.timescale)
      #expect(back.flags == time.flags && back.epoch == time.epoch)
    }
  }

  @Test func dictionaryWithoutAField_isInvalid() throws {
    let whole = try #require(CMTimeCopyAsDictionary(CMTime(value: 1, timescale: 2), allocator: nil))
    for key in [kCMTimeValueKey, kCMTimeScaleKey, kCMTimeEpochKey, kCMTimeFlagsKey] {
      var part = whole
      part[key] = nil
      #expect(!CMTimeMakeFromDictionary(part).isValid)
      part[key] = "x"
      #expect(!CMTimeMakeFromDictionary(part).isValid)
    }
    #expect(!CMTimeMakeFromDictionary(nil).isValid)
  }

  @Test func rangesAndMappings_roundTrip() throws {
    let range = CMTimeRange(start: CMTime(value: 1, timescale: 2), duration: CMTime(value: 3, timescale: 4))
    let mapping = CMTimeMapping(source: range, target: .zero)
    let dictionary = try #require(CMTimeMappingCopyAsDictionary(mapping, allocator: nil))
    #expect(CMTimeMappingMakeFromDictionary(dictionary) == mapping)
    #expect(CMTimeRangeMakeFromDictionary([:]) == .invalid)
  }

  @Test func description_namesTheKind() {
    func text(_ time: CMTime) -> String? { CMTimeCopyDescription(allocator: nil, time: time) }
    #expect(text(CMTime(value: 3, timescale: 1)) == "{3/1 = 3.000}")
    #expect(text(.invalid) == "{INVALID}" && text(.indefinite) == "{INDEFINITE}")
    #expect(text(.positiveInfinity) == "{+INFINITY}" && text(.negativeInfinity) == "{-INFINITY}")
    #expect(text(CMTime(seconds: 0.1, preferredTimescale: 3))?.contains("rounded") == true)
    #expect(CMTimeRangeCopyDescription(allocator: nil, range: .invalid) == "{INVALID}")
  }
}
