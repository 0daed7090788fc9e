import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Exact seeks, judged by the pixels: seek, decode on to the target, compare with the same picture of a straight decode.
@Suite struct SeekTests {
  @Test(arguments: [
    "open-gop.mp4", "b-pyramid.mp4", "vfr.mp4", "edit-list.mp4", "no-index.ts", "no-cues.mkv", "fragmented.mp4",
    "frag-mfra.mp4", "hevc-rasl.mp4", "vp9-hidden.webm", "xvid.avi",
  ])
  func theFrameOfTheTargetIsTheStraightDecodes(name: String) throws {
    let url = try Fixture.url(name)
    let straight = try decodeEverything(url)
    let track = try #require(straight.description.tracks(of: .video).first)
    let frames = try #require(straight.frames[track.index])
    let backend = FFmpegMediaBackend()
    let source = FileSource(path: url.path)
    try source.open(.first)
    let demuxer = backend.demuxer(
      source, hints: SourceHints(pathExtension: url.pathExtension, prefersPreciseTiming: true))
    defer { demuxer.close() }
    _ = try demuxer.open(.first)
    demuxer.select([track.index])
    let decoder = try backend.videoDecoder(for: track, threads: 1, .first)
    // 50 and 51 lie in front of an open group in AVI, whose key frame's packet does not say when it is shown.
    for number in [50, 51, 11, 48, 85, 122, 159, 196, 233, 270, 307, 344] {
      let wanted = frames[number % frames.count]
      decoder.flush(.first)
      try demuxer.seek(to: track.timeBase.time(wanted.time), .first)
      let found = try firstFrame(from: wanted.time, demuxer, decoder)
      #expect(found?.time == wanted.time, "\(name) at \(wanted.time)")
      #expect(found?.checksum == wanted.checksum, "\(name) at \(wanted.time)")
    }
  }

  private func firstFrame(from time: Int64, _ demuxer: any Demuxer, _ decoder: any VideoDecoder) throws
    -> DecodedMedia.Frame?
  {
    func pull() throws -> DecodedMedia.Frame? {
      while case .output(let frame) = try decoder.receive() {
        if frame.presentationTime >= time {
          return .init(time: frame.presentationTime, checksum: frame.picture.checksum())
        }
      }
      return nil
    }
    while true {
      switch try demuxer.read(.first) {
      case .packet(let packet):
        let isBefore = packet.presentationTime.map { packet.duration > 0 && $0 + packet.duration <= time } ?? false
        try? decoder.send(packet, skippingNonReference: isBefore)
        if let frame = try pull() { return frame }
      case .description: continue
      case .end:
        decoder.finish()
        return try pull()
      }
    }
  }

  @Test("A track that a seek meets first is told and delivered")
  func aTrackThatAppearsBehindASeek() throws {
    let url = try Fixture.url("late-sound.flv")
    let source = FileSource(path: url.path)
    try source.open(.first)
    let demuxer = FFmpegMediaBackend().demuxer(source, hints: SourceHints(pathExtension: "flv"))
    defer { demuxer.close() }
    let before = try demuxer.open(.first)
    #expect(before.tracks.map(\.kind) == [.video])
    demuxer.select(Set(before.tracks.map(\.index)))
    try demuxer.seek(to: CMTime(value: 12, timescale: 1), .first)
    var told: MediaDescription?
    var heard = 0
    for _ in 0..<400 where heard < 5 {
      switch try demuxer.read(.first) {
      case .description(let description):
        told = description
        demuxer.select(Set(description.tracks.map(\.index)))
      case .packet(let packet):
        if told?.tracks.first(where: { $0.index == packet.track })?.kind == .audio { heard += 1 }
      case .end: break
      }
    }
    #expect(told?.tracks(of: .audio).count == 1)
    #expect(heard == 5)
  }
}
