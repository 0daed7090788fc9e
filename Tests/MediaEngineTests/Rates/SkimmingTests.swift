import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// Fast playing by key frames, from above four times the speed up to 32 times.
@Suite struct SkimmingTests {
  private final class Run: Sendable {
    let bench: DriverBench
    let output = VideoFrameOutput()
    /// Numbers of frames, and by how many seconds of media each was late.
    let shown = Lock<[(number: Int, late: Double)]>([])
    private let packets: Counter

    init(_ cost: Int64, _ media: ScriptedMedia) {
      let fake = FakeBackend()
      let packets = Counter()
      let slow = SlowBackend(fake) { _ in
        packets.count()
        return .milliseconds(cost)
      }
      self.packets = packets
      bench = DriverBench(backend: fake, mediaBackend: slow, sources: fake)
      fake.add(media)
      let driver = bench.driver
      output.setHandlers(onFrameDue: { [weak self] frame in
        let late = (driver.currentTime(of: ItemID(1)) - frame.time).seconds
        self?.shown.withLock { $0.append((Int(frame.picture.checksum()), late)) }
      })
      bench.load(output: output)
      shown.withLock { $0 = [] }
    }

    var numbers: [Int] { shown.withLock { $0.map(\.number) } }
    var decoded: Int { packets.value }
  }

  private final class Taken: Sendable {
    let frames = Lock<[VideoFrame]>([])
  }

  private final class Counter: Sendable {
    private let counted = Lock(0)

    func count() { counted.withLock { $0 += 1 } }
    var value: Int { counted.withLock { $0 } }
  }

  /// Sixty seconds of 25 frames a second, a key frame each second unless said otherwise.
  private func start(group: Int = 25, sound: Bool = false, cost: Int64 = 0) -> Run {
    var video = ScriptedMedia.Video()
    (video.seconds, video.group) = (60, group)
    var audio = ScriptedMedia.Audio()
    audio.seconds = 60
    return Run(cost, .make(video: video, audio: sound ? audio : nil))
  }

  @Test(
    "Key frames alone are decoded, each shown when its time comes; the end comes at its time",
    arguments: [5, 8, 16, 32] as [Float], [false, true])
  func keyframes(rate: Float, sound: Bool) {
    let run = start(sound: sound)
    defer { run.bench.finish() }
    let before = run.decoded
    let begin = run.bench.scheduler.now
    run.bench.driver.run(rate: rate, from: nil, at: nil)
    #expect(run.bench.wait { $0 == "end 1" })
    let took = (run.bench.scheduler.now - begin).seconds
    #expect(abs(took - 60 / Double(rate)) < 0.15, "\(took) s")
    let numbers = run.numbers.filter { $0 > 5 }
    #expect(numbers == numbers.sorted() && numbers.allSatisfy { $0 % 25 == 0 })
    // At 32 times the speed, one and a bit seconds go by between two pictures of thirty a second.
    #expect(numbers.count >= (rate < 30 ? 57 : 28), "\(numbers)")
    #expect(run.decoded - before < 75)
    #expect(run.shown.withLock { $0 }.allSatisfy { $0.late < 0.1 })
    #expect(!run.bench.lines.contains { $0.hasPrefix("stalled") })
  }

  @Test("Back at a slower speed, every frame comes again from where time is", arguments: [false, true])
  func slower(sound: Bool) {
    let run = start(group: 100, sound: sound)
    defer { run.bench.finish() }
    run.bench.driver.run(rate: 8, from: nil, at: nil)
    run.bench.advance(2)
    run.shown.withLock { $0 = [] }
    run.bench.driver.run(rate: 1, from: nil, at: nil)
    run.bench.advance(2)
    let numbers = run.numbers
    let first = numbers.first ?? 0
    #expect(abs(first - 400) < 5, "\(numbers.prefix(5))")
    #expect(numbers == Array(first..<first + numbers.count))
    #expect(numbers.count >= 48)
    #expect(!run.bench.lines.contains { $0.hasPrefix("stalled") })
  }

  @Test("Paused, the picture is that of the time, not the last key frame")
  func paused() {
    let run = start(group: 100)
    defer { run.bench.finish() }
    run.bench.driver.run(rate: 16, from: nil, at: nil)
    run.bench.advance(1.3)
    run.bench.driver.halt()
    run.bench.advance(0.5)
    let time = run.bench.time().seconds
    #expect(abs(time - 20.8) < 0.1)
    #expect(run.numbers.last == Int((time * 25 + 0.01).rounded(.down)))
  }

  @Test(
    "Media of key frames alone: thirty pictures a second, and no more than the decoder can do",
    arguments: [0, 60] as [Int64])
  func intraOnly(cost: Int64) {
    let run = start(group: 1, cost: cost)
    defer { run.bench.finish() }
    run.bench.driver.run(rate: 8, from: nil, at: nil)
    #expect(run.bench.wait { $0 == "end 1" })
    let shown = run.shown.withLock { $0 }
    let seconds = 60.0 / 8
    #expect(Double(shown.count) <= 31 * seconds)
    #expect(Double(shown.count) >= (cost == 0 ? 25 : 10) * seconds)
    // A picture that takes 60 ms to decode lies so much behind, eight times over.
    #expect(shown.allSatisfy { $0.late < 1 })
  }

  @Test func anOutputThatTakesEveryFrame_getsEveryFrame() {
    let run = start()
    defer { run.bench.finish() }
    let every = VideoFrameOutput(.everyFrame(limit: 4))
    let taken = Taken()
    every.setHandlers(onDataAvailable: { [weak every] in
      while let frame = every?.takeNext() { taken.frames.withLock { $0.append(frame) } }
    })
    every.join(ItemID(1))
    run.bench.driver.add(every, to: ItemID(1))
    run.bench.driver.run(rate: 8, from: nil, at: nil)
    run.bench.advance(2)
    let numbers = taken.frames.withLock { $0.map { Int($0.picture.checksum()) } }
    #expect(numbers.count > 350)
    #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + numbers.count))
  }

  @Test(
    "Real decoders give the key frames, in order",
    arguments: ["base.mp4", "open-gop.mp4", "b-pyramid.mp4", "hevc-rasl.mp4", "vp9-hidden.webm", "no-index.ts"])
  func files(name: String) throws {
    let bench = DriverBench.files()
    defer { bench.finish() }
    let (output, shown) = (VideoFrameOutput(), Taken())
    output.setHandlers(onFrameDue: { frame in shown.frames.withLock { $0.append(frame) } })
    bench.load(file: try Fixture.url(name), output: output)
    shown.frames.withLock { $0 = [] }
    bench.driver.run(rate: 8, from: nil, at: nil)
    #expect(bench.wait { $0 == "end 1" })
    let frames = shown.frames.withLock { $0 }
    let keys = frames.filter(\.isKeyframe)
    // The last of them is the end's own picture.
    #expect(frames.count - keys.count <= 1, "\(frames.map(\.isKeyframe))")
    #expect(keys.count >= 2)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
  }
}
