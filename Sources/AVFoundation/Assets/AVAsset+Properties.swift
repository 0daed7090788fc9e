public import CoreGraphics
public import CoreMedia
import Foundation
import MediaEngine

extension AVPartialAsyncProperty where Root: AVAsset {
  public static var duration: AVAsyncProperty<Root, CMTime> { .init("duration") { try $0.description().duration } }
  public static var preferredRate: AVAsyncProperty<Root, Float> { .init("preferredRate") { _ in 1 } }
  public static var preferredVolume: AVAsyncProperty<Root, Float> { .init("preferredVolume") { _ in 1 } }
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    .init("preferredTransform") { _ in .identity }
  }
  public static var minimumTimeOffsetFromLive: AVAsyncProperty<Root, CMTime> {
    .init("minimumTimeOffsetFromLive") { _ in .invalid }
  }
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
    .init("providesPreciseDurationAndTiming") { try $0.description().isDurationPrecise }
  }
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
    .init("tracks") { $0.tracks(of: try $0.description()) }
  }
  public static var isPlayable: AVAsyncProperty<Root, Bool> { .init("playable") { try $0.description().isPlayable } }
  public static var isReadable: AVAsyncProperty<Root, Bool> { .init("readable") { try $0.description().isReadable } }
  public static var isExportable: AVAsyncProperty<Root, Bool> {
    .init("exportable") { try $0.description().isReadable }
  }
  public static var isComposable: AVAsyncProperty<Root, Bool> {
    .init("composable") { try $0.description().isReadable }
  }
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
    .init("hasProtectedContent") { try $0.description().hasProtectedContent }
  }
  public static var canContainFragments: AVAsyncProperty<Root, Bool> {
    .init("canContainFragments") { try $0.description().isFragmented }
  }
  public static var containsFragments: AVAsyncProperty<Root, Bool> {
    .init("containsFragments") { try $0.description().isFragmented }
  }
  public static var overallDurationHint: AVAsyncProperty<Root, CMTime> {
    .init("overallDurationHint") { _ in .invalid }
  }
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    .init("metadata") { try $0.description().metadataItems }
  }
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    .init("commonMetadata") { try $0.description().metadataItems.filter { $0.commonKey != nil } }
  }
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
    .init("availableMetadataFormats") { try $0.description().metadataFormats }
  }
  public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
    .init("creationDate") { try $0.description().creationDateItem }
  }
  public static var lyrics: AVAsyncProperty<Root, String?> { .init("lyrics") { try $0.description().lyrics } }
  public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
    .init("availableChapterLocales") { try $0.description().chapterLocales }
  }
  public static var availableMediaCharacteristicsWithMediaSelectionOptions:
    AVAsyncProperty<Root, [AVMediaCharacteristic]>
  {
    .init("availableMediaCharacteristicsWithMediaSelectionOptions") { try $0.description().selectableCharacteristics }
  }
  public static var preferredMediaSelection: AVAsyncProperty<Root, AVMediaSelection> {
    .init("preferredMediaSelection") { $0.mediaSelection(of: try $0.description()) }
  }
  public static var allMediaSelections: AVAsyncProperty<Root, [AVMediaSelection]> {
    .init("allMediaSelections") { $0.mediaSelections(of: try $0.description()) }
  }
}
