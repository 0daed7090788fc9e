import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// A decoder that costs virtual time: what is left out, and what is shown all the same.
@Suite struct OverloadTests {
  private struct Outcome {
    /// Frame numbers in the order in which they were shown.
    var shown: [Int] = []
    /// How far behind the clock the shown frame's end was, in seconds; zero for those in time.
    var lateness: [Double] = []
    var dropped = 0
    var misuses: [String] = []
    var ended = false
  }

  /// Plays 20 s at 25 frames a second with a decoder that takes so many milliseconds for a frame.
  private func play(
    milliseconds: Int64, group: Int = 25, disposableRun: Int = 2, output kind: VideoFrameOutput.Kind = .pull
  ) -> Outcome {
    let fake = FakeBackend()
    let slow = SlowBackend(fake) { _ in .milliseconds(milliseconds) }
    let bench = DriverBench(backend: fake, mediaBackend: slow, sources: fake)
    defer { bench.finish() }
    var video = ScriptedMedia.Video()
    video.seconds = 20
    video.group = group
    video.disposableRun = disposableRun
    var audio = ScriptedMedia.Audio()
    audio.seconds = 20
    fake.add(.make(video: video, audio: audio))
    let output = VideoFrameOutput(kind)
    let seen = Lock(Outcome())
    let driver = bench.driver
    output.setHandlers(
      onDataAvailable: { [weak output] in
        while kind != .pull, let frame = output?.takeNext() {
          seen.withLock { $0.shown.append(Int(frame.picture.checksum())) }
        }
      },
      onFrameDue: { frame in
        let late = (driver.currentTime(of: ItemID(1)) - frame.time).seconds - 0.04
        seen.withLock { outcome in
          guard kind == .pull else { return }
          outcome.shown.append(Int(frame.picture.checksum()))
          outcome.lateness.append(max(late, 0))
        }
      })
    bench.load(output: output)
    bench.driver.run(rate: 1, from: nil, at: nil)
    let ended = bench.wait { $0 == "end 1" }
    var outcome = seen.withLock { $0 }
    outcome.dropped = bench.driver.counters(of: ItemID(1))?.droppedFrames ?? -1
    outcome.misuses = fake.log.counts.misuses
    outcome.ended = ended
    return outcome
  }

  @Test("A decoder that keeps up leaves nothing out")
  func inTimeNothingIsDropped() {
    let outcome = play(milliseconds: 20)
    #expect(outcome.ended)
    #expect(outcome.dropped == 0)
    #expect(outcome.shown.count >= 500)
    #expect(outcome.lateness.allSatisfy { $0 < 0.01 })
  }

  @Test("A decoder that is a little too slow leaves out frames that nothing depends on, and stays in time")
  func aLittleTooSlow() {
    let outcome = play(milliseconds: 60)
    #expect(outcome.ended)
    #expect(outcome.misuses.isEmpty)
    #expect(outcome.dropped > 50)
    #expect(outcome.shown.count > 250)
    #expect((outcome.lateness.max() ?? 9) < 0.5)
    #expect(zip(outcome.shown, outcome.shown.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("A hopeless decoder goes on at the next key frame and comes back into time again and again")
  func hopelessLeapsToKeyFrames() {
    let outcome = play(milliseconds: 150, disposableRun: 0)
    #expect(outcome.ended)
    #expect(outcome.misuses.isEmpty, "decoding goes on only at key frames")
    // Behind the last key frame there is nowhere to go on at: its group is shown late.
    let beforeLastGroup = zip(outcome.shown, outcome.lateness).filter { $0.0 < 475 }.map(\.1)
    #expect((beforeLastGroup.max() ?? 9) < 1.5)
    #expect(outcome.shown.filter { $0 % 25 == 0 }.count >= 8)
    #expect(outcome.dropped > 300)
    #expect(outcome.dropped + Set(outcome.shown).count <= 500)
    #expect(outcome.dropped + Set(outcome.shown).count > 440)
  }

  @Test("An output that takes every frame gets every frame, however late")
  func everyFrameIsNeverDropped() {
    let outcome = play(milliseconds: 60, output: .everyFrame(limit: 8))
    #expect(outcome.shown == Array(0..<500))
  }
}
