package import Foundation
import MediaEngine
import MediaRuntime

/// Whether our parsers agree about a file of subtitles with the statements beside it, else with what FFmpeg's tool found.
package enum SubtitleVerdict {
  /// Tracks of a film: as many packets as FFmpeg's tool finds, and something to show, unless there is no decoder here.
  package static func difference(inTracksOf file: URL, packets: Int) throws -> String? {
    let media = try decodeEverything(file, hashing: false)
    let legible = media.description.tracks.filter { TrackGroup.legible.kinds.contains($0.kind) }
    let found = media.subtitlePackets.values.reduce(0, +)
    guard found == packets else { return "\(found) of \(packets) packets of subtitles" }
    for track in legible where media.subtitlePackets[track.index] ?? 0 > 0 {
      if let error = media.decoderErrors[track.index] {
        if error.code == .decoderMissing { continue }
        return "track \(track.id): \(error)"
      }
      // A page of teletext comes out when the next one begins; one alone never does, of FFmpeg's tool neither.
      if track.codec.name == "dvb_teletext" { continue }
      if media.cues[track.index, default: []].isEmpty { return "track \(track.id): no cue" }
    }
    return nil
  }

  /// Nil when all agree.
  ///
  /// - Parameter packets: cues that FFmpeg's demuxer gives; it leaves out those without text.
  package static func difference(_ file: URL, status: String, packets: Int) throws -> String? {
    if file.pathExtension == "vtt" {
      let (isStated, difference) = try ExpectedCues.difference(file)
      if isStated || difference != nil { return difference }
    }
    let bytes = Array(try Data(contentsOf: file))
    do throws(MediaError) {
      let subtitles = try SubtitleFile(bytes)
      guard status == "ok" || status == "no-cues" else { return nil }
      let count = subtitles.cues.count
      // FFmpeg's parser of WebVTT passes over files with styles or regions and stops at faults behind which the standard
      // goes on; its parser of SubStation knows one order of fields. Neither may find what ours does not.
      let isMet = subtitles.format == .subRip ? count == packets : count >= packets
      return isMet ? nil : "\(count) of \(packets) cues"
    } catch {
      return packets > 0 ? "no subtitles: \(error.code)" : nil
    }
  }
}
