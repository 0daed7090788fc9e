import CoreMedia
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// A seek or a read that is ended by a newer seek at any of its reads leaves nothing behind: the newer one delivers the
/// packets that it delivers on media nobody has touched.
@Suite struct SupersededSeekTests {
  private static let clips = [
    "base.mp4", "b-pyramid.mp4", "open-gop.mp4", "edit-list.mp4", "fragmented.mp4", "frag-mfra.mp4", "no-index.ts",
    "no-cues.mkv", "cues.mkv", "mpeg2.mpg", "flash.flv", "xvid.avi", "vp9-hidden.webm", "tone.mp3", "tone.ogg",
    "tone.m4a", "tone.flac", "raw.aac",
  ]

  private struct Seen: Equatable {
    var track: Int
    var time: Int64?
    var size: Int
    var isKeyframe: Bool
  }

  @Test(arguments: clips, [0.0, 2.3])
  func theNewerSeekFindsItsPackets(name: String, first: Double) throws {
    let untouched = try Media(name)
    let wanted = try untouched.packets(after: 1.4, Generation(3))
    #expect(!wanted.isEmpty)
    for number in 0..<200 {
      let media = try Media(name)
      for _ in 0..<25 { _ = try media.demuxer.read(.first) }
      media.source.supersede(atRead: number, by: Generation(3))
      let wasEnded: Bool
      do throws(MediaError) {
        try media.demuxer.seek(to: CMTime(seconds: first, preferredTimescale: 1_000), Generation(2))
        for _ in 0..<25 { _ = try media.demuxer.read(Generation(2)) }
        wasEnded = false
      } catch {
        #expect(error.code == .interrupted)
        wasEnded = true
      }
      media.source.want(Generation(3))
      let found = try media.packets(after: 1.4, Generation(3))
      #expect(found == wanted, "\(name), ended at read \(number)")
      if !wasEnded { return }
    }
    Issue.record("\(name): a seek needs more than 200 reads")
  }

  /// An opened clip, all of whose reads are counted.
  private final class Media {
    let source: SupersedingSource
    let demuxer: any Demuxer

    init(_ name: String) throws {
      let url = try Fixture.url(name)
      source = SupersedingSource(FileSource(path: url.path))
      try source.open(.first)
      demuxer = FFmpegMediaBackend().demuxer(source, hints: SourceHints(pathExtension: url.pathExtension))
      _ = try demuxer.open(.first)
    }

    deinit { demuxer.close() }

    func packets(after seconds: Double, _ generation: Generation) throws -> [Seen] {
      try demuxer.seek(to: CMTime(seconds: seconds, preferredTimescale: 1_000), generation)
      var seen: [Seen] = []
      while seen.count < 12 {
        switch try demuxer.read(generation) {
        case .packet(let packet):
          #expect(packet.generation == generation)
          seen.append(
            Seen(
              track: packet.track, time: packet.presentationTime ?? packet.decodeTime, size: packet.size,
              isKeyframe: packet.isKeyframe))
        case .description: continue
        case .end: return seen
        }
      }
      return seen
    }
  }
}

/// A source that a newer operation wants in the middle of a read, as a scrubbing user's next seek does.
private final class SupersedingSource: ByteSource {
  private let below: FileSource
  private let plan = Lock<(left: Int, generation: Generation)?>(nil)

  init(_ below: FileSource) { self.below = below }

  func supersede(atRead number: Int, by generation: Generation) {
    plan.withLock { $0 = (number, generation) }
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ generation: Generation) throws(MediaError)
    -> Int
  {
    let newer = plan.withLock { plan -> Generation? in
      guard let now = plan else { return nil }
      plan = now.left > 0 ? (now.left - 1, now.generation) : nil
      return now.left == 0 ? now.generation : nil
    }
    if let newer { below.want(newer) }
    return try below.read(buffer, at: offset, generation)
  }

  var address: String { below.address }
  func open(_ generation: Generation) throws(MediaError) { try below.open(generation) }
  var length: Int64? { below.length }
  var isSeekable: Bool { below.isSeekable }
  var mayBlock: Bool { below.mayBlock }
  func want(_ generation: Generation) { below.want(generation) }
  var availableRanges: [Range<Int64>]? { below.availableRanges }
  func duplicate() -> (any ByteSource)? { below.duplicate() }
  func close() { below.close() }
}
