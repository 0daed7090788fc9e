public import CoreGraphics
public import CoreMedia
public import Foundation
import MediaEngine

/// A track of an asset. Everything is known when the track is: nothing waits here.
open class AVAssetTrack: NSObject, NSCopying, AVAsynchronousKeyValueLoading, LoadableProperties {
  let track: MediaTrack
  let container: String

  /// The asset; a track does not keep it alive.
  open private(set) weak var asset: AVAsset?

  init(_ track: MediaTrack, asset: AVAsset?, container: String) {
    self.track = track
    self.asset = asset
    self.container = container
    super.init()
  }

  var loader: (any PropertyLoading)? { nil }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
    keyStatus(key, outError)
  }

  @preconcurrency
  open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil) {
    loadKeys(keys, handler)
  }

  open var trackID: CMPersistentTrackID { track.id }
  open var mediaType: AVMediaType { track.kind.mediaType }

  /// `CMFormatDescription`s.
  open var formatDescriptions: [Any] { descriptions }
  var descriptions: [CMFormatDescription] { track.formatDescription.map { [$0] } ?? [] }

  /// A decoder exists here.
  open var isPlayable: Bool { track.isDecodable }
  open var isDecodable: Bool { track.isDecodable }
  /// The container's own choice.
  open var isEnabled: Bool { track.isEnabled }
  /// All samples are in the asset's own file.
  open var isSelfContained: Bool { true }
  /// Bytes of all samples, 0 when unknown.
  open var totalSampleDataLength: Int64 { track.sampleDataLength }
  open var mediaCharacteristics: [AVMediaCharacteristic] { track.mediaCharacteristics }

  open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    track.mediaCharacteristics.contains(mediaCharacteristic)
  }

  open var timeRange: CMTimeRange { track.timeRange }
  /// Ticks per second of the container's track.
  open var naturalTimeScale: CMTimeScale { track.timeBase.denominator / max(track.timeBase.numerator, 1) }
  /// Bits per second, 0 when unknown.
  open var estimatedDataRate: Float { Float(track.bitRate) }
  /// ISO 639-2/T.
  open var languageCode: String? { track.languageCode }
  /// BCP 47.
  open var extendedLanguageTag: String? { track.extendedLanguageTag }
  /// Of the stored picture with its pixel aspect; `preferredTransform` is not applied.
  open var naturalSize: CGSize { track.naturalSize }
  open var preferredTransform: CGAffineTransform { track.video?.transform ?? .identity }
  open var preferredVolume: Float { 1 }
  /// Frames per second, 0 for other media.
  open var nominalFrameRate: Float { Float(track.video?.nominalFrameRate ?? 0) }
  /// `.invalid` when unknown.
  open var minFrameDuration: CMTime { track.video?.minFrameDuration ?? .invalid }
  open var requiresFrameReordering: Bool { track.video?.hasReorderedFrames ?? false }
  /// Samples of sound that need earlier ones to decode. Always false: no container tells it here.
  open var hasAudioSampleDependencies: Bool { false }
  /// The edit list; one segment of identity when the container has none.
  open var segments: [AVAssetTrackSegment] { track.editSegments }

  /// The segment that plays at a track time; the nearest one outside of all.
  open func segment(forTrackTime trackTime: CMTime) -> AVAssetTrackSegment? {
    segments.first { $0.timeMapping.target.containsTime(trackTime) }
      ?? segments.last { $0.timeMapping.target.start <= trackTime } ?? segments.first
  }

  /// A track time's time in the media, through the edit list.
  open func samplePresentationTime(forTrackTime trackTime: CMTime) -> CMTime {
    guard let segment = segment(forTrackTime: trackTime), !segment.isEmpty else { return .invalid }
    return CMTimeMapTimeFromRangeToRange(
      trackTime, fromRange: segment.timeMapping.target, toRange: segment.timeMapping.source)
  }

  open var metadata: [AVMetadataItem] { track.metadataItems }
  open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

  open var availableMetadataFormats: [AVMetadataFormat] {
    var formats: [AVMetadataFormat] = []
    for item in metadata where !formats.contains(item.format) { formats.append(item.format) }
    return formats
  }

  open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    metadata.filter { $0.format == format }
  }

  /// Always empty: references between tracks are not read.
  open var availableTrackAssociationTypes: [AVAssetTrack.AssociationType] { [] }

  /// Always empty: references between tracks are not read.
  open func associatedTracks(ofType trackAssociationType: AVAssetTrack.AssociationType) -> [AVAssetTrack] { [] }
}

extension AVAssetTrack {
  /// How a track refers to another.
  public struct AssociationType: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public static let audioFallback = Self(rawValue: "fall")
    public static let chapterList = Self(rawValue: "chap")
    public static let forcedSubtitlesOnly = Self(rawValue: "forc")
    public static let selectionFollower = Self(rawValue: "folw")
    public static let timecode = Self(rawValue: "tmcd")
    public static let metadataReferent = Self(rawValue: "cdsc")
  }
}

extension MediaTrack {
  var naturalSize: CGSize {
    guard let video else { return .zero }
    var upright = video
    upright.transform = .identity
    return upright.presentationSize
  }

  var editSegments: [AVAssetTrackSegment] {
    guard !segments.isEmpty else {
      return [AVAssetTrackSegment(CMTimeMapping(source: timeRange, target: timeRange))]
    }
    return segments.map { AVAssetTrackSegment($0) }
  }

  var metadataItems: [AVMetadataItem] { metadata.map { AVMetadataItem($0) } }
}
