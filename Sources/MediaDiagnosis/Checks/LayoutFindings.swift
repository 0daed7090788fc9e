import CoreMedia
import MediaEngine
import MediaRuntime

/// What the header alone tells, before anything is read.
enum LayoutFindings {
  /// Bytes of an index that take a second on a line of 64 Mbit/s.
  private static let largeIndex: Int64 = 8 << 20

  static func findings(_ media: MediaDescription, pathExtension: String?) -> [Finding] {
    var found: [Finding] = []
    if let finding = NameCheck.finding(pathExtension: pathExtension, container: media.container) {
      found.append(finding)
    }
    if let index = media.layout.index {
      let size = index.upperBound - index.lowerBound
      let evidence: [String: Evidence] = ["offset": Evidence(index.lowerBound), "bytes": Evidence(size)]
      if media.layout.isIndexLate {
        found.append(
          Finding(
            .indexAtEnd,
            "The index begins at byte \(index.lowerBound), behind the samples: from a server nothing is shown before it is there.",
            evidence))
      }
      if size > largeIndex {
        found.append(
          Finding(.largeIndex, "The index has \(size) bytes, which are loaded before anything is shown.", evidence))
      }
    }
    return found + balance(media, pathExtension: pathExtension)
  }

  /// Sound without a picture, and the reverse.
  private static func balance(_ media: MediaDescription, pathExtension: String?) -> [Finding] {
    guard let pathExtension, NameCheck.films.contains(pathExtension) else { return [] }
    let (pictures, sounds) = (media.tracks(of: .video).count, media.tracks(of: .audio).count)
    if pictures == 0, sounds > 0 {
      return [Finding(.noPicture, "There is sound and no picture track.", ["sounds": Evidence(sounds)])]
    }
    if sounds == 0, pictures > 0 {
      return [Finding(.noSound, "There is a picture and no sound track.", ["pictures": Evidence(pictures)])]
    }
    return []
  }

  /// Tracks that can't be decoded, and why.
  /// - Parameter refusals: what the decoders said, by the track's index.
  static func undecodable(_ media: MediaDescription, refusals: [Int: MediaError]) -> [Finding] {
    media.tracks.compactMap { track in
      guard track.kind == .video || track.kind == .audio else { return nil }
      guard let refusal = refusals[track.index] else { return nil }
      if refusal.code == .contentProtected {
        return Finding(
          .protected, track: track.id,
          "\(Wording.name(of: track).capitalizedFirst) (\(track.codec.name)) is encrypted.",
          ["codec": Evidence(track.codec.name)])
      }
      if refusal.code == .decoderMissing { return CodecAdvice.finding(for: track) }
      return Finding(
        .decoderRefuses, track: track.id, refusal.reason,
        ["codec": Evidence(track.codec.name), "error": Evidence(refusal.code.number)])
    }
  }
}
