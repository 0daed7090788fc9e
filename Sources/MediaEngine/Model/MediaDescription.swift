package import CoreMedia
import Foundation
package import MediaRuntime

/// What a demuxer learnt by opening: everything an asset can say without decoding.
package struct MediaDescription: Sendable {
  /// FFmpeg's name of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  package var container: String
  /// `.indefinite` when unknown.
  package var duration: CMTime
  /// False while `duration` is an estimate (a bit rate's, for one).
  package var isDurationPrecise: Bool
  /// Cover pictures are not tracks: they stand in `covers`.
  package var tracks: [MediaTrack]
  package var metadata: [MetadataEntry] = []
  package var covers: [CoverPicture] = []
  package var chapters: [Chapter] = []
  /// Fonts that came along for subtitles.
  package var fonts: [AttachedFont] = []
  package var isSeekable = true
  /// Some track is encrypted (`encv`, `enca`, `drms`): playing fails with `contentProtected`.
  package var hasProtectedContent = false
  /// Samples are found in fragments (ISO 14496-12 `mvex`).
  package var isFragmented = false
  /// The header promises more than the source has: a download or copy did not finish. What is there plays.
  package var isCutShort = false
  package var layout = MediaLayout()
  /// Bits per second of the whole; 0 when unknown.
  package var bitRate: Int64 = 0

  package init(container: String, duration: CMTime, isDurationPrecise: Bool, tracks: [MediaTrack]) {
    self.container = container
    self.duration = duration
    self.isDurationPrecise = isDurationPrecise
    self.tracks = tracks
  }

  package func tracks(of kind: TrackKind) -> [MediaTrack] { tracks.filter { $0.kind == kind } }
}

extension MediaError {
  package static func cutShort(_ address: String?) -> MediaError {
    MediaError(
      .containerTruncated, "The file ends before its media does: its download or copy did not finish. Fetch it again.",
      address: address)
  }
}

/// One tag as the container has it; the façade maps it to Apple's key spaces.
package struct MetadataEntry: Hashable, Sendable {
  /// The container family whose key it is.
  package enum KeySpace: String, Sendable {
    case itunes, quickTimeMetadata, quickTimeUserData, isoUserData, id3, vorbisComment, matroska, riff, icy, other
  }

  package var keySpace: KeySpace
  /// The key in that space: `©nam`, `TIT2`, `com.apple.quicktime.make`, `ARTIST`; FFmpeg's generic name when only that is known.
  package var key: String
  /// FFmpeg's generic key (`title`, `artist`, `album`, `date` …) in lower case.
  package var genericKey: String
  package var value: String
  package var languageCode: String?

  package init(keySpace: KeySpace, key: String, genericKey: String, value: String, languageCode: String? = nil) {
    self.keySpace = keySpace
    self.key = key
    self.genericKey = genericKey
    self.value = value
    self.languageCode = languageCode
  }
}

package struct CoverPicture: Hashable, Sendable {
  package var data: Data
  /// Such as `image/jpeg`.
  package var mimeType: String
  package var title: String?

  package init(data: Data, mimeType: String, title: String? = nil) {
    self.data = data
    self.mimeType = mimeType
    self.title = title
  }
}

package struct AttachedFont: Hashable, Sendable {
  /// The file's name, as the container has it.
  package var name: String
  package var data: Data

  package init(name: String, data: Data) {
    self.name = name
    self.data = data
  }
}

package struct Chapter: Sendable {
  package var timeRange: CMTimeRange
  package var title: String?
  package var languageCode: String?

  package init(timeRange: CMTimeRange, title: String?, languageCode: String? = nil) {
    self.timeRange = timeRange
    self.title = title
    self.languageCode = languageCode
  }
}
