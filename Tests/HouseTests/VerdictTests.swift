import Foundation
import MediaTestSupport
import Testing

struct VerdictTests {
  private let row = TruthTable.Row(path: "a.mp4", kind: "media", status: "ok")
  private let oracle = OracleReport(
    """
    container mov,mp4,m4a,3gp,3g2,mj2
    start 0
    duration 80000
    stream 0 video 1 25 h264
    stream 1 audio 1 48000 aac
    frame 0 0 000000000000000a
    frame 0 1 000000000000000b
    samples 1 4096 48000 3840
    done
    """)

  private func played(_ change: (inout PlaybackReport) -> Void = { _ in }) -> PlaybackReport {
    var report = PlaybackReport()
    report.isReady = true
    report.didPlayToEndCount = 1
    report.duration = 0.08
    report.video = .init(
      stream: 0, frames: [.init(value: 0, timescale: 25, hash: 10), .init(value: 1, timescale: 25, hash: 11)])
    report.audio = .init(stream: 1, samples: 3_840, rate: 48_000)
    change(&report)
    return report
  }

  private func agrees(_ status: String = "ok", _ change: (inout PlaybackReport) -> Void = { _ in }) -> Bool {
    var row = row
    row.status = status
    return Verdict(row, played: played(change), oracle: oracle) == .agreed
  }

  @Test func whatEqualsTheOracleAgrees() {
    #expect(agrees())
  }

  @Test func eachDifferenceDisagrees() {
    #expect(!agrees { $0.video?.frames[1].hash = 12 })
    #expect(!agrees { $0.video?.frames[1].value = 2 })
    #expect(!agrees { _ = $0.video?.frames.popLast() })
    #expect(!agrees { $0.video = nil })
    #expect(!agrees { $0.audio?.samples = 4_096 })
    #expect(!agrees { $0.audio = nil })
    #expect(!agrees { $0.didPlayToEndCount = 2 })
    #expect(!agrees { $0.didPlayToEndCount = 0 })
    #expect(!agrees { $0.duration = 1 })
    #expect(!agrees { $0.leaks = ["driver": 1] })
    #expect(!agrees { $0.isStuck = true })
    #expect(!agrees { $0.failure = .init(code: 3_001, message: "no") })
  }

  @Test func samplesBehindTheDeclaredEndMayBeLeftOutAndNoOthers() {
    func agrees(_ samples: Int64, gapless: String = "", kept: String) -> Bool {
      let oracle = OracleReport(
        """
        container mov,mp4,m4a,3gp,3g2,mj2
        stream 1 audio 1 48000 aac 0
        \(gapless)
        samples 1 4096 48000 \(kept)
        done
        """)
      let report = played {
        $0.video = nil
        $0.audio?.samples = samples
      }
      return Verdict(row, played: report, oracle: oracle) == .agreed
    }
    #expect(agrees(4_096, kept: "-") && !agrees(4_095, kept: "-"))
    #expect(agrees(4_096, kept: "4096") && !agrees(4_090, kept: "4096"))
    #expect(agrees(3_000, kept: "3040") && !agrees(4_096, kept: "3040"))
    #expect(agrees(2_000, gapless: "gapless 2000", kept: "4096"))
    #expect(!agrees(4_096, gapless: "gapless 2000", kept: "4096"))
  }

  @Test func itemTimeBeginsAtTheFirstPictureOrSample() {
    // The programme's tables begin earlier than anything that can be seen or heard.
    let oracle = OracleReport(
      """
      container mpegts
      start 700000
      duration 780000
      stream 0 video 1 90000 mpeg2video 126000
      stream 1 audio 1 90000 mp2 126000
      frame 0 126000 000000000000000a
      frame 0 129600 000000000000000b
      samples 1 3840 48000 -
      end 0 133200
      end 1 133200
      done
      """)
    #expect(Verdict(row, played: played(), oracle: oracle) == .agreed)
    #expect(Verdict(row, played: played { $0.duration = 1.5 }, oracle: oracle) != .agreed)
  }

  @Test func rowsWithErrorsNeedAsManyFrames() {
    #expect(agrees("errors") { $0.video?.frames[1].hash = 12 })
    #expect(!agrees("errors") { _ = $0.video?.frames.popLast() })
  }

  @Test func otherRowsNeedAnEndOrATypedError() {
    #expect(agrees("unplayable") { $0.video = nil })
    #expect(
      agrees("segment") {
        $0.didPlayToEndCount = 0
        $0.failure = .init(code: 3_005, message: "lone segment")
      })
    #expect(!agrees("segment") { $0.didPlayToEndCount = 0 })
    #expect(!agrees("segment") { $0.isStuck = true })
  }

  @Test func tableNeedsItsColumns() throws {
    #expect(throws: TruthTable.Failure.self) { try TruthTable("path\tbytes\na\t1\n") }
    let table = try TruthTable("path\tkind\tstatus\na b.mp4\tmedia\tok\n")
    #expect(table.rows == [TruthTable.Row(path: "a b.mp4", kind: "media", status: "ok")])
  }

  @Test func damageIsTheSameForTheSameSeed() {
    let data = FixtureBytes.counting(1_000)
    for seed in UInt64(0)..<200 {
      var (first, second) = (Damage(seed: seed), Damage(seed: seed))
      #expect(first.apply(to: data) == second.apply(to: data))
    }
  }

  @Test func chaptersAndCovers() throws {
    var row = TruthTable.Row(path: "a", kind: "media", status: "ok")
    (row.chapters, row.covers) = (2, 1)
    let probe = Data(
      #"""
      {"format": {"format_name": "mov,mp4", "start_time": "0.5"}, "chapters": [
        {"start_time": "0.000000", "end_time": "1.500000", "tags": {"title": "One"}},
        {"start_time": "1.500000", "end_time": "3.000000"}]}
      """#.utf8)
    var report = PlaybackReport()
    report.covers = 1
    report.chapters = [.init(start: 0, end: 1.5, title: "One"), .init(start: 1.5, end: 3, title: "")]
    #expect(try ChapterVerdict.difference(row, report, probe: probe) == nil)
    let changes: [(inout PlaybackReport) -> Void] = [
      { $0.covers = 0 }, { $0.chapters.removeLast() }, { $0.chapters[1].end = 3.01 }, { $0.chapters[0].title = "Two" },
    ]
    for change in changes {
      var wrong = report
      change(&wrong)
      #expect(try ChapterVerdict.difference(row, wrong, probe: probe) != nil)
    }
  }
}
