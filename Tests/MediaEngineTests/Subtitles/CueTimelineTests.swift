import CoreMedia
import MediaEngine
import MediaTestSupport
import Testing

@Suite struct CueTimelineTests {
  private func time(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1_000) }

  private func cue(_ start: Double, _ end: Double?, _ text: String) -> SubtitleCue {
    SubtitleCue(start: time(start), end: end.map(time) ?? .indefinite, content: .text(StyledText(text)))
  }

  private func shown(_ timeline: CueTimeline, _ seconds: Double) -> [String] {
    timeline.shown(at: time(seconds)).map { $0.text?.string ?? "" }
  }

  @Test func cuesOverlapAndEnd() {
    let timeline = CueTimeline([cue(5, 6, "c"), cue(1, 10, "a"), cue(2, 3, "b")])
    #expect(shown(timeline, 0.999) == [])
    #expect(shown(timeline, 1) == ["a"])
    #expect(shown(timeline, 2) == ["a", "b"])
    #expect(shown(timeline, 3) == ["a"])
    #expect(shown(timeline, 5.5) == ["a", "c"])
    #expect(shown(timeline, 10) == [])
    var changes: [Double] = []
    var now = time(0)
    while let next = timeline.nextChange(after: now), changes.count < 20 {
      changes.append(next.seconds)
      now = next
    }
    #expect(changes == [1, 2, 3, 5, 6, 10])
  }

  @Test func openEndsLastUntilTheNextCue_alsoAnEmptyOne() {
    var timeline = CueTimeline()
    timeline.insert(cue(1, nil, "a"))
    #expect(shown(timeline, 100) == ["a"])
    #expect(timeline.nextChange(after: time(1)) == nil)
    timeline.insert(cue(3, nil, ""))
    timeline.insert(cue(4, nil, "b"))
    timeline.insert(cue(4, nil, "c"))
    #expect(shown(timeline, 2.9) == ["a"])
    #expect(shown(timeline, 3.5) == [])
    #expect(shown(timeline, 4) == ["b", "c"])
    #expect(timeline.nextChange(after: time(1)) == time(3))
  }

  @Test func whatComesAgainIsTakenOnce() {
    var timeline = CueTimeline()
    for _ in 0..<3 {
      timeline.insert(cue(2, 3, "b"))
      timeline.insert(cue(1, 3, "a"))
    }
    #expect(timeline.count == 2)
    #expect(shown(timeline, 2) == ["a", "b"])
  }

  @Test func aDelayMovesAll() {
    var timeline = CueTimeline([cue(1, 2, "a")])
    timeline.delay = time(0.5)
    #expect(shown(timeline, 1.4) == [])
    #expect(shown(timeline, 2.4) == ["a"])
    #expect(timeline.nextChange(after: time(0)) == time(1.5))
    timeline.delay = time(-3)
    #expect(timeline.nextChange(after: time(-10)) == time(-2))
  }

  @Test(arguments: 0..<40)
  func itAgreesWithASearchThroughAll(seed: UInt64) {
    var random = SeededNumbers(seed)
    var timeline = CueTimeline()
    var all: [SubtitleCue] = []
    for number in 0..<30 {
      let start = Double(Int.random(in: 0..<20, using: &random))
      let end = Int.random(in: 0..<4, using: &random) == 0 ? nil : start + Double(Int.random(in: 0..<8, using: &random))
      let made = cue(start, end, "\(number)")
      all.append(made)
      timeline.insert(made)
    }
    for half in 0..<60 {
      let now = Double(half) / 2
      let expected = all.filter { cue in
        let next = all.map(\.start.seconds).filter { $0 > cue.start.seconds }.min() ?? .infinity
        return cue.start.seconds <= now && now < (cue.end.isIndefinite ? next : cue.end.seconds)
      }
      #expect(Set(shown(timeline, now)) == Set(expected.map { $0.text?.string ?? "" }), "at \(now)")
    }
  }
}
