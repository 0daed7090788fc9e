package import CoreGraphics
package import CoreMedia
import CoreVideo
package import Foundation

/// What a track carries.
package enum TrackKind: String, Hashable, Sendable, CaseIterable {
  case video, audio, subtitle, closedCaption
  /// Text that is not drawn over the picture: chapter names (QuickTime File Format, text media).
  case text
  case timecode, metadata
}

/// A track as its container describes it. Item time 0 is the start of the presentation;
/// `timeRange` and the packets' times count from there (edit lists applied).
///
/// The back end keeps what media claim within `indices` and `bitRates`; a rate beyond is unknown.
package struct MediaTrack: Sendable {
  /// Streams that are described at most.
  package static let indices = 0..<1_000
  /// Up to a terabit a second.
  package static let bitRates: ClosedRange<Int64> = 0...1_000_000_000_000

  /// Unique in the asset, never 0: the container's own number where it has one (ISO 14496-12 `track_ID`).
  package var id: Int32
  /// Position among the demuxer's streams: what packets name.
  package var index: Int
  package var kind: TrackKind
  package var timeBase: TimeBase
  package var codec: MediaCodec
  package var timeRange: CMTimeRange
  /// Bits per second; 0 when unknown.
  package var bitRate: Int64 = 0
  /// Bytes of all samples; 0 when unknown.
  package var sampleDataLength: Int64 = 0
  /// ISO 639-2/T, nil when the container names none (or `und`).
  package var languageCode: String?
  /// BCP 47, nil when the container has none.
  package var extendedLanguageTag: String?
  /// Chosen by default by the container (its enabled or default flag).
  package var isEnabled = true
  /// A decoder exists here for the codec and the track is not encrypted.
  package var isDecodable = true
  package var characteristics: Set<TrackCharacteristic> = []
  package var alternateGroup = 0
  package var title: String?
  package var metadata: [MetadataEntry] = []
  /// The edit list, empty when the track has the identity mapping.
  package var segments: [CMTimeMapping] = []
  package var video: VideoFormat?
  package var audio: AudioFormat?
  /// Apple's description of the samples, made without decoding.
  package var formatDescription: CMFormatDescription?
  /// Subtitles in a file beside the media's: no demuxer delivers them.
  package var sideFile: URL?
  /// What the backend's decoders need (codec parameters); opaque to the engine.
  package var decoderConfiguration: (any Sendable)?

  package init(id: Int32, index: Int, kind: TrackKind, timeBase: TimeBase, codec: MediaCodec, timeRange: CMTimeRange) {
    self.id = id
    self.index = index
    self.kind = kind
    self.timeBase = timeBase
    self.codec = codec
    self.timeRange = timeRange
  }
}

/// Roles of a track that Apple expresses as media characteristics.
package enum TrackCharacteristic: String, Hashable, Sendable {
  case original, dubbed, comment, lyrics, karaoke, forced, hearingImpaired, visualImpaired, cleanEffects
  case captions, descriptions, dependent
}

package struct MediaCodec: Hashable, Sendable {
  /// FFmpeg's name of the codec, such as `h264`.
  package var name: String
  /// Apple's media subtype (a FourCC such as `avc1`), 0 when there is none.
  package var fourCC: UInt32
  /// Such as `High` or `LC`; nil when unknown.
  package var profile: String?

  package init(name: String, fourCC: UInt32, profile: String? = nil) {
    self.name = name
    self.fourCC = fourCC
    self.profile = profile
  }
}

/// What the back end keeps within bounds: sides from 0 (unknown) to 2³¹ − 1, pixel aspects from 1 to there, `frameRates`,
/// depths from 1 to 64. Decoded pictures have 2²⁶ pixels at most; what a description says of them may be more.
package struct VideoFormat: Hashable, Sendable {
  /// Beyond lies no film: such a rate is unknown.
  package static let frameRates = 0.0...100_000

  /// Stored picture in pixels, not rotated, pixel aspect not applied.
  package var width: Int
  package var height: Int
  /// Width to height of one pixel, 1:1 when unknown.
  package var pixelAspect: (horizontal: Int, vertical: Int) {
    get { (pixelAspectHorizontal, pixelAspectVertical) }
    set { (pixelAspectHorizontal, pixelAspectVertical) = newValue }
  }
  private var pixelAspectHorizontal = 1
  private var pixelAspectVertical = 1
  /// From stored pixels to the presentation (rotation, flip), as Apple's `preferredTransform`.
  package var transform: CGAffineTransform = .identity
  /// Frames per second on average; 0 when unknown.
  package var nominalFrameRate: Double = 0
  /// The shortest time between two frames, `.invalid` when unknown.
  package var minFrameDuration: CMTime = .invalid
  package var hasReorderedFrames = false
  package var bitDepth = 8
  package var color = ColorDescription()

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The picture as it is to be shown: pixel aspect and then `transform` applied, in whole pixels.
  package var presentationSize: CGSize {
    let aspect = pixelAspect
    let stretchedWidth = (Double(width) * Double(aspect.horizontal) / Double(max(aspect.vertical, 1))).rounded()
    let stretched = CGSize(width: stretchedWidth, height: Double(height))
    let turned = CGRect(origin: .zero, size: stretched).applying(transform)
    return CGSize(width: abs(turned.width), height: abs(turned.height))
  }
}

/// Colour by ITU-T H.273 code points (2 = unspecified), range and HDR metadata.
package struct ColorDescription: Hashable, Sendable {
  package var primaries = 2
  package var transfer = 2
  package var matrix = 2
  package var isFullRange = false
  /// `left`, `center`, `topLeft`, …; nil when unspecified.
  package var chromaLocation: String?
  /// SMPTE ST 2086 payload as in HEVC's mastering display SEI (24 bytes, big-endian).
  package var masteringDisplay: Data?
  /// CTA-861.3: 4 bytes, big-endian MaxCLL then MaxFALL.
  package var contentLightLevel: Data?

  package init() {}
}

/// The back end keeps rates and channels of decoded sound within `sampleRates` and `channelCounts`. In a description 0
/// stands for what is unknown or lies beyond. Depths go from 0 to 64; priming and padding are never negative.
package struct AudioFormat: Hashable, Sendable {
  /// Rates that sound is made in, from telephones' to DSD's in whole bytes. Beyond lies only damage, and changing such
  /// a rate to a device's would take any amount of memory.
  package static let sampleRates = 1_000...1_536_000
  /// What libavcodec takes.
  package static let channelCounts = 1...512

  /// Samples per second.
  package var sampleRate: Int
  package var channelCount: Int
  /// FFmpeg's channel mask (SMPTE order of WAVE), 0 when the order is unknown.
  package var channelMask: UInt64
  /// Bits per sample of lossless codecs; 0 for others.
  package var bitDepth = 0
  /// Samples of encoder delay that the demuxer layer cuts at the start, and of padding at the end.
  package var primingSamples: Int64 = 0
  package var paddingSamples: Int64 = 0

  package init(sampleRate: Int, channelCount: Int, channelMask: UInt64) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelMask = channelMask
  }
}
