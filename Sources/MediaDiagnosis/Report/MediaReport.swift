/// What is in a file, in plain values: for `sprocket info` and for scripts (`Encodable`; keys are stable).
///
/// Times are seconds, rates per second, sizes pixels or bytes. A nil is left out of the JSON.
package struct MediaReport: Encodable, Sendable {
  package var address: String
  package var container: String
  package var bytes: Int64?
  /// Nil when unknown or without end.
  package var duration: Double?
  package var isDurationExact: Bool
  package var bitRate: Int64?
  package var isSeekable: Bool
  package var isProtected: Bool
  package var isFragmented: Bool
  /// The header promises more than the file has.
  package var isCutShort: Bool
  package var tracks: [TrackReport]
  package var chapters: [ChapterReport]
  package var tags: [TagReport]
  package var covers: [CoverReport]
}

package struct TrackReport: Encodable, Sendable {
  package var id: Int32
  package var kind: String
  package var codec: String
  package var fourCC: String?
  package var profile: String?
  package var start: Double?
  package var duration: Double?
  package var bitRate: Int64?
  package var language: String?
  package var title: String?
  package var isEnabled: Bool
  package var isDecodable: Bool
  package var characteristics: [String]
  package var video: VideoReport?
  package var audio: AudioReport?
}

package struct VideoReport: Encodable, Sendable {
  package var width: Int
  package var height: Int
  /// As shown: pixel aspect and rotation applied.
  package var shownWidth: Int
  package var shownHeight: Int
  /// Such as `4:3`; nil for square pixels.
  package var pixelAspect: String?
  /// Degrees clockwise by which the stored picture is turned to be shown.
  package var rotation: Int
  package var isMirrored: Bool
  package var frameRate: Double?
  package var bitDepth: Int
  package var primaries: String?
  package var transfer: String?
  package var matrix: String?
  package var range: String
  /// `SDR`, `PQ`, `HLG`.
  package var dynamicRange: String
  package var masteringDisplay: Bool
  package var maxContentLightLevel: Int?
  package var maxFrameAverageLightLevel: Int?
}

package struct AudioReport: Encodable, Sendable {
  package var sampleRate: Int
  package var channels: Int
  package var layout: String
  package var bitDepth: Int?
  package var primingSamples: Int64
  package var paddingSamples: Int64
}

package struct ChapterReport: Encodable, Sendable {
  package var start: Double
  package var end: Double
  package var title: String?
}

package struct TagReport: Encodable, Sendable {
  package var keySpace: String
  package var key: String
  package var name: String
  package var value: String
  package var language: String?
}

package struct CoverReport: Encodable, Sendable {
  package var type: String
  package var bytes: Int
  package var title: String?
}
