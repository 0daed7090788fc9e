import Foundation
import MediaTestSupport
import Testing

/// The kinds of clip whose seeks go wrong most often in players.
let seekClips = [
  "open-gop.mp4", "b-pyramid.mp4", "vfr.mp4", "edit-list.mp4", "no-index.ts", "no-cues.mkv", "fragmented.mp4",
  "hevc-rasl.mp4", "vp9-hidden.webm", "long-gop.mp4",
]

@Suite struct ExactSeekTests {
  @Test(
    "Ten random exact seeks, half of them while playing or superseding, show the frame of their time",
    arguments: seekClips)
  func tenSeeksShowTheFrameOfTheirTime(clip: String) throws {
    let misses = try SeekTrial.run(clip, seeks: 10, seed: 7)
    #expect(misses.isEmpty, "\(misses.map(\.description).joined(separator: "\n"))")
  }
}

/// `./run soak seeks`: a thousand, other ones each time; `SPROCKET_SEED` and `SPROCKET_CLIP` repeat some.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SPROCKET_SOAK"] == "seeks"))
struct ExactSeekSoak {
  @Test("A hundred random exact seeks show the frame of their time", arguments: seekClips)
  func hundredSeeksShowTheFrameOfTheirTime(clip: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let given = environment["SPROCKET_SEED"].flatMap { UInt64($0) }
    guard environment["SPROCKET_CLIP"].map({ $0 == clip }) ?? true else { return }
    let misses = try SeekTrial.run(clip, seeks: 100, seed: given ?? .random(in: 1...1 << 32))
    #expect(misses.isEmpty, "\(misses.map(\.description).joined(separator: "\n"))")
  }
}
