import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaTestSupport
import Testing

/// Subtitles in containers, through the demuxer and the decoders.
@Suite struct SubtitleTrackTests {
  private struct Shown: Hashable, CustomStringConvertible {
    var start: Double
    var end: Double
    var text: String
    var description: String { "\(start) to \(end): \(text)" }
  }

  private func media(_ name: String) throws -> DecodedMedia {
    try decodeEverything(try Fixture.url(name), hashing: false)
  }

  private func cues(_ media: DecodedMedia, _ codec: String) throws -> [SubtitleCue] {
    let track = try #require(media.description.tracks.first { $0.codec.name == codec }, "\(codec)")
    return media.cues[track.index, default: []]
  }

  private func texts(_ cues: [SubtitleCue]) -> [Shown] {
    cues.map { Shown(start: $0.start.seconds, end: $0.end.seconds, text: $0.text?.string ?? "") }
  }

  @Test func subRip() throws {
    let cues = try cues(media("subtitles.mkv"), "subrip")
    #expect(texts(cues) == [Shown(start: 1, end: 2, text: "Hello"), Shown(start: 3, end: 5, text: "[door]")])
    #expect(cues.first?.text?.runs.first?.style.isItalic == true)
  }

  @Test func webVTT() throws {
    let cues = try cues(media("subtitles.mkv"), "webvtt")
    #expect(texts(cues) == [Shown(start: 1, end: 2, text: "Bonjour"), Shown(start: 3, end: 5, text: "deux")])
    #expect(cues.map(\.identifier) == ["first", ""])
    #expect(cues.map(\.placement.line) == [.number(0), .automatic])
    #expect(cues.map(\.placement.textAlignment) == [.left, .center])
    #expect(cues.first?.text?.runs.first?.style.isBold == true)
  }

  @Test func subStation() throws {
    let media = try media("subtitles.mkv")
    let cues = try cues(media, "ass")
    #expect(texts(cues) == [Shown(start: 1, end: 2, text: "Hallo, Welt"), Shown(start: 1.5, end: 5, text: "EXIT")])
    #expect(cues.first?.text?.runs.map(\.style.isItalic) == [false, true])
    // The header's style.
    #expect(cues.last?.text?.runs.first?.style.isBold == true)
    #expect(cues.last?.placement.line == .number(0))
    guard case .script(let event, _) = try #require(cues.last).content else {
      Issue.record("no event")
      return
    }
    #expect(event.layer == 1 && event.style == "Sign")
  }

  @Test func attachedFontsAreHandedOut() throws {
    let fonts = try media("subtitles.mkv").description.fonts
    #expect(fonts == [AttachedFont(name: "Serif.ttf", data: Data("no real font".utf8))])
  }

  @Test func roles() throws {
    let tracks = try media("subtitles.mkv").description.tracks(of: .legible)
    #expect(tracks.map(\.languageCode) == ["eng", "fra", "deu"])
    #expect(tracks.map(\.isDecodable) == [true, true, true])
    #expect(tracks.map { $0.characteristics.contains(.hearingImpaired) } == [true, false, false])
    #expect(tracks.map { $0.characteristics.contains(.forced) } == [false, true, false])
  }

  @Test func timedTextOfMovies() throws {
    let cues = try cues(media("subtitles.mp4"), "mov_text").filter { $0.text?.isEmpty == false }
    #expect(texts(cues) == [Shown(start: 1, end: 2, text: "Hello you"), Shown(start: 3, end: 5, text: "World")])
    #expect(cues.first?.text?.runs.map(\.style.isBold) == [true, false])
  }

  @Test func captions() throws {
    let media = try media("captions.mov")
    #expect(media.description.tracks(of: .legible).map(\.kind) == [.closedCaption])
    let cues = try cues(media, "eia_608").filter { $0.text?.isEmpty == false }
    #expect(cues.map { $0.text?.string } == ["HELLO", "WORLD"])
    // From the end of its line, two codes a frame, up to the next one's.
    #expect(zip(cues, [1.0, 3]).allSatisfy { abs($0.start.seconds - $1) < 0.5 }, "\(texts(cues))")
  }

  @Test(arguments: ["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle"])
  func pictures(_ codec: String) throws {
    let cues = try cues(media("pictures.mkv"), codec)
    let shown = try #require(cues.first { $0.isWithPicture })
    #expect(abs(shown.start.seconds - 1) < 0.001)
    guard case .pictures(let pictures) = shown.content else { return }
    let picture = try #require(pictures.first)
    #expect(pictures.count == 1)
    #expect((picture.x, picture.y) == (10, 20))
    #expect((picture.width, picture.height) == (8, 4))
    #expect((picture.frameWidth, picture.frameHeight) == (64, 32))
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      let start = (y * picture.width + x) * 4
      return Array(picture.pixels[start..<start + 4])
    }
    // A DVD knows sixteen steps of transparency, and video's white is a little less than full.
    #expect(pixel(0, 0).allSatisfy { $0 >= 250 }, "\(pixel(0, 0))")
    #expect(pixel(7, 3).allSatisfy { abs(Int($0) - 128) <= 10 }, "\(pixel(7, 3))")
    #expect(cues.filter(\.isWithPicture).count == 2)
  }

  @Test func picturesAreClearedAndForced() throws {
    let cues = try cues(media("pictures.mkv"), "hdmv_pgs_subtitle")
    #expect(cues.map(\.isWithPicture) == [true, false, true])
    #expect(cues.map(\.isForced) == [false, false, true])
    #expect(cues.map(\.start.seconds) == [1, 3, 4])
    #expect(cues.allSatisfy { $0.end.isIndefinite })
  }
}

extension SubtitleCue {
  fileprivate var isWithPicture: Bool {
    if case .pictures(let pictures) = content { !pictures.isEmpty } else { false }
  }
}
