public import CoreGraphics
public import CoreMedia
public import Foundation

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    .init("formatDescriptions") { $0.descriptions }
  }
  public static var isPlayable: AVAsyncProperty<Root, Bool> { .init("playable") { $0.isPlayable } }
  public static var isDecodable: AVAsyncProperty<Root, Bool> { .init("decodable") { $0.isDecodable } }
  public static var isEnabled: AVAsyncProperty<Root, Bool> { .init("enabled") { $0.isEnabled } }
  public static var isSelfContained: AVAsyncProperty<Root, Bool> { .init("selfContained") { $0.isSelfContained } }
  public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> {
    .init("totalSampleDataLength") { $0.totalSampleDataLength }
  }
  public static var mediaCharacteristics: AVAsyncProperty<Root, [AVMediaCharacteristic]> {
    .init("mediaCharacteristics") { $0.mediaCharacteristics }
  }
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { .init("timeRange") { $0.timeRange } }
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    .init("naturalTimeScale") { $0.naturalTimeScale }
  }
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    .init("estimatedDataRate") { $0.estimatedDataRate }
  }
  public static var languageCode: AVAsyncProperty<Root, String?> { .init("languageCode") { $0.languageCode } }
  public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
    .init("extendedLanguageTag") { $0.extendedLanguageTag }
  }
  public static var naturalSize: AVAsyncProperty<Root, CGSize> { .init("naturalSize") { $0.naturalSize } }
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    .init("preferredTransform") { $0.preferredTransform }
  }
  public static var preferredVolume: AVAsyncProperty<Root, Float> { .init("preferredVolume") { $0.preferredVolume } }
  public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
    .init("nominalFrameRate") { $0.nominalFrameRate }
  }
  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
    .init("minFrameDuration") { $0.minFrameDuration }
  }
  public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> {
    .init("requiresFrameReordering") { $0.requiresFrameReordering }
  }
  public static var hasAudioSampleDependencies: AVAsyncProperty<Root, Bool> {
    .init("hasAudioSampleDependencies") { $0.hasAudioSampleDependencies }
  }
  public static var segments: AVAsyncProperty<Root, [AVAssetTrackSegment]> { .init("segments") { $0.segments } }
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { .init("metadata") { $0.metadata } }
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    .init("commonMetadata") { $0.commonMetadata }
  }
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
    .init("availableMetadataFormats") { $0.availableMetadataFormats }
  }
  public static var availableTrackAssociationTypes: AVAsyncProperty<Root, [AVAssetTrack.AssociationType]> {
    .init("availableTrackAssociationTypes") { $0.availableTrackAssociationTypes }
  }
}

extension AVAssetTrack {
  public func loadSegment(
    forTrackTime trackTime: CMTime, isolation: isolated (any Actor)? = #isolation
  ) async throws -> AVAssetTrackSegment? {
    segment(forTrackTime: trackTime)
  }

  public func loadSamplePresentationTime(
    forTrackTime trackTime: CMTime, isolation: isolated (any Actor)? = #isolation
  ) async throws -> CMTime {
    samplePresentationTime(forTrackTime: trackTime)
  }

  public func loadMetadata(
    for format: AVMetadataFormat, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVMetadataItem] {
    metadata(forFormat: format)
  }

  /// Always empty: references between tracks are not read.
  public func loadAssociatedTracks(
    ofType trackAssociationType: AVAssetTrack.AssociationType, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVAssetTrack] {
    associatedTracks(ofType: trackAssociationType)
  }
}
