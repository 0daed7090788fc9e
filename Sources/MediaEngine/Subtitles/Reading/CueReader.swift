package import CoreMedia
import Foundation
import MediaIO
package import MediaRuntime

/// What a film's subtitles show at some times, read without playing: by a reading position of its own, and as little of
/// the film as may be. Used by one thread at a time, which may wait.
///
/// It reads what lies up to half a minute before each time, so that what began there is known; cues that began earlier
/// are not. Times that follow each other closely are read in one go.
package final class CueReader {
  /// How long before a time a cue may have begun.
  package static let reach = CMTime(value: 30, timescale: 1)
  /// Packets of the picture so far behind the time tell that no subtitle of before it follows.
  private static let interleave = CMTime(value: 2, timescale: 1)
  /// Bytes of decoded pictures that are held.
  private static let pixelLimit = 64 << 20
  /// Packets that are read for one time at most.
  private static let packetLimit = 1_000_000

  package let description: MediaDescription
  private let source: any ByteSource
  private let demuxer: any Demuxer
  private let backend: any MediaBackend
  private var track: MediaTrack?
  private var decoder: (any SubtitleDecoder)?
  private var timeline = CueTimeline()
  /// Cues that begin from here up to there are in the timeline.
  private var read: (from: CMTime, to: CMTime)?
  private var isAtEnd = false

  /// Opens the film.
  /// - Throws: 1xxx and 3xxx.
  package init(_ url: URL, _ environment: EngineEnvironment) throws(MediaError) {
    let source = try environment.sources.source(for: url, options: SourceOptions(), scheduler: environment.scheduler)
    let demuxer = environment.backend.demuxer(
      source, hints: SourceHints(pathExtension: url.pathExtension.isEmpty ? nil : url.pathExtension.lowercased()))
    do throws(MediaError) {
      try source.open(.first)
      description = try demuxer.open(.first)
    } catch {
      demuxer.close()
      source.close()
      throw error
    }
    self.source = source
    self.demuxer = demuxer
    backend = environment.backend
  }

  deinit {
    demuxer.close()
    source.close()
  }

  /// - Parameter track: one of the subtitles' or captions'.
  /// - Throws: `decoderMissing`, `decoderOpenFailed`, `contentProtected`.
  package func select(_ track: MediaTrack) throws(MediaError) {
    decoder = try backend.subtitleDecoder(for: track)
    self.track = track
    read = nil
    // A picture's packets tell how far reading has come where no subtitle does; a movie's index tells it without them.
    var wanted: Set<Int> = [track.index]
    if !description.container.contains("mp4"), let video = description.tracks(of: .video).first {
      wanted.insert(video.index)
    }
    demuxer.select(wanted)
  }

  /// - Parameter time: in item time; ascending from call to call is quickest.
  /// - Throws: 1xxx to 3xxx. A packet that is damaged is passed over.
  package func layer(at time: CMTime) throws(MediaError) -> SubtitleLayer {
    guard let track, let decoder, time.isNumeric else { return SubtitleLayer(cues: []) }
    let from = max(time - Self.reach, .zero)
    if let read, read.from <= from, from <= read.to {
      if time >= read.to { try readOn(past: time, track, decoder) }
    } else {
      try demuxer.seek(to: from, .first)
      decoder.flush()
      timeline = CueTimeline()
      isAtEnd = false
      read = (from, from)
      try readOn(past: time, track, decoder)
    }
    return SubtitleLayer(cues: timeline.shown(at: time), scriptHeader: decoder.script?.header ?? "")
  }

  private func readOn(past time: CMTime, _ track: MediaTrack, _ decoder: any SubtitleDecoder) throws(MediaError) {
    for _ in 0..<Self.packetLimit where !isAtEnd {
      switch try demuxer.read(.first) {
      case .packet(let packet) where packet.track == track.index:
        for cue in cues(packet, decoder) { timeline.insert(cue) }
        if let gone = timeline.trim(toPixelBytes: Self.pixelLimit, around: time), let read {
          self.read = (max(read.from, gone), read.to)
        }
        guard let ticks = packet.presentationTime ?? packet.decodeTime else { continue }
        // The first one behind the time ends what is open.
        let shown = track.timeBase.time(ticks)
        if shown > time { return reached(shown) }
      case .packet(let packet):
        guard let other = description.tracks.first(where: { $0.index == packet.track }),
          let ticks = packet.decodeTime ?? packet.presentationTime
        else { continue }
        if other.timeBase.time(ticks) > time + Self.interleave { return reached(time) }
      case .description: break
      case .end:
        isAtEnd = true
        for cue in decoder.finish() { timeline.insert(cue) }
        reached(.positiveInfinity)
      }
    }
  }

  private func reached(_ time: CMTime) {
    if let read { self.read = (read.from, max(read.to, time)) }
  }

  private func cues(_ packet: MediaPacket, _ decoder: any SubtitleDecoder) -> [SubtitleCue] {
    do throws(MediaError) {
      return try decoder.decode(packet)
    } catch {
      return []
    }
  }
}
