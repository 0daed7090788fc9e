import CFFmpeg
import CoreMedia
import MediaEngine

/// Apple's description of a track's samples, made without decoding.
enum FormatDescriptions {
  static func make(_ track: MediaTrack, _ parameters: AVCodecParameters) -> CMFormatDescription? { nil }
}
