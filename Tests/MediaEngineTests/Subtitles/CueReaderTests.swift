import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Subtitles of some times, read without playing.
@Suite struct CueReaderTests {
  private func reader(_ name: String) throws -> CueReader {
    let environment = EngineEnvironment(
      scheduler: RealScheduler.shared, backend: FFmpegMediaBackend(), sources: LocalSourceOpener(),
      audioSinks: CapturingAudioSinks())
    return try CueReader(try Fixture.url(name), environment)
  }

  private func text(_ layer: SubtitleLayer) -> [String] { layer.cues.compactMap { $0.text?.string } }

  @Test(arguments: ["subtitles.mp4", "subtitles.mkv", "languages.mkv"])
  func cuesOfEachTime_inAnyOrder(name: String) throws {
    let reader = try reader(name)
    let tracks = reader.description.tracks(of: .legible)
    let ordered = try texts(reader, tracks[0], at: [0.5, 1.1, 1.5, 2.1, 3.1, 4.8, 5.1, 9])
    #expect(ordered.map(\.isEmpty) == [true, false, false, true, false, false, true, true])
    #expect(ordered[1].first?.hasPrefix("Hello") == true)
    let mixed = try texts(reader, tracks[0], at: [4.8, 1.5, 9, 3.1, 0.5])
    #expect(mixed == [ordered[5], ordered[2], [], ordered[4], []])
  }

  private func texts(_ reader: CueReader, _ track: MediaTrack, at times: [Double]) throws -> [[String]] {
    try reader.select(track)
    return try times.map { text(try reader.layer(at: CMTime(seconds: $0, preferredTimescale: 1_000))) }
  }

  @Test func picturesAndCaptions() throws {
    let pictures = try reader("pictures.mkv")
    for track in pictures.description.tracks(of: .legible) {
      try pictures.select(track)
      #expect(try !pictures.layer(at: CMTime(value: 3, timescale: 2)).cues.isEmpty)
      #expect(try pictures.layer(at: CMTime(value: 1, timescale: 2)).cues.isEmpty)
    }
    let captions = try reader("captions.mov")
    try captions.select(captions.description.tracks(of: .legible)[0])
    let layer = try captions.layer(at: CMTime(value: 2, timescale: 1))
    #expect(text(layer) == ["HELLO"] && !layer.scriptHeader.isEmpty)
  }

  @Test func aTimeThatIsNoneHasNothing() throws {
    let reader = try reader("subtitles.mp4")
    #expect(try reader.layer(at: .zero).cues.isEmpty)
    try reader.select(reader.description.tracks(of: .legible)[0])
    for time in [CMTime.invalid, .positiveInfinity, .indefinite] { #expect(try reader.layer(at: time).cues.isEmpty) }
    #expect(try reader.layer(at: CMTime(value: -5, timescale: 1)).cues.isEmpty)
  }
}
