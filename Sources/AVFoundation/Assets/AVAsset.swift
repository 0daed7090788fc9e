public import CoreMedia
public import Foundation
package import MediaEngine
public import CoreGraphics
import MediaRuntime

/// Timed media: its duration, tracks, tags and choices. Making one does no I/O.
///
/// Values are loaded with `load(_:)`. The synchronous getters, which Apple has deprecated, wait for the load; they answer
/// the property's neutral value when it fails. Instances made by `AVAsset(url:)` are `AVURLAsset`s.
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, LoadableProperties, ClassCluster {
  package let core: AssetCore
  let propertyLoader: PropertyLoader
  var loader: (any PropertyLoading)? { propertyLoader }
  private let madeTracks = ValueLock<[AVAssetTrack]?>(nil)

  init(core: AssetCore) {
    self.core = core
    propertyLoader = PropertyLoader(core)
    super.init()
  }

  /// An asset for an address; see `AVURLAsset(url:options:)`.
  public convenience init(url: URL) {
    self.init(making: { unsafeDowncast(AVURLAsset(url: url), to: Self.self) })
  }

  deinit {
    propertyLoader.cancel()
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Loading

  open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
    keyStatus(key, outError)
  }

  @preconcurrency
  open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil) {
    loadKeys(keys, handler)
  }

  /// Ends what is being loaded; who waits is told that it was cancelled.
  open func cancelLoading() {
    propertyLoader.cancel()
  }

  /// The description once it is loaded.
  /// - Throws: the loading error, or `operationCancelled` when nothing has been loaded.
  func description() throws -> MediaDescription {
    switch core.description {
    case .success(let description): return description
    case .failure(let error): throw error.appleError
    case nil: throw AVError.make(.operationCancelled, "The asset's properties have not been loaded.")
    }
  }

  /// For the synchronous getters: waits for the load, nil when it fails.
  var awaitedDescription: MediaDescription? {
    try? core.loadBlocking().get()
  }

  /// The tracks of a description; the same objects each time.
  func tracks(of description: MediaDescription) -> [AVAssetTrack] {
    madeTracks.withLock { made in
      if let made { return made }
      let tracks = description.tracks.map { AVAssetTrack($0, asset: self, container: description.container) }
      made = tracks
      return tracks
    }
  }

  // MARK: Synchronous getters

  open var duration: CMTime { awaitedDescription?.duration ?? .zero }
  /// 1 for all media so far.
  open var preferredRate: Float { 1 }
  /// 1 for all media so far.
  open var preferredVolume: Float { 1 }
  open var preferredTransform: CGAffineTransform { .identity }
  /// Size of the first video track with its pixel aspect, not turned.
  open var naturalSize: CGSize { awaitedDescription?.naturalSize ?? .zero }
  /// `.invalid`: the media is not live.
  open var minimumTimeOffsetFromLive: CMTime { .invalid }
  open var providesPreciseDurationAndTiming: Bool { awaitedDescription?.isDurationPrecise ?? false }

  open var tracks: [AVAssetTrack] { awaitedDescription.map(tracks(of:)) ?? [] }

  open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  open func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
    tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  open var isPlayable: Bool { awaitedDescription?.isPlayable ?? false }
  open var isReadable: Bool { awaitedDescription?.isReadable ?? false }
  open var isExportable: Bool { awaitedDescription?.isReadable ?? false }
  open var isComposable: Bool { awaitedDescription?.isReadable ?? false }
  open var hasProtectedContent: Bool { awaitedDescription?.hasProtectedContent ?? false }
  open var canContainFragments: Bool { awaitedDescription?.isFragmented ?? false }
  open var containsFragments: Bool { awaitedDescription?.isFragmented ?? false }
  /// `.invalid` where the container has no hint.
  open var overallDurationHint: CMTime { .invalid }

  /// All tags.
  open var metadata: [AVMetadataItem] { awaitedDescription?.metadataItems ?? [] }
  /// The tags that have a common key.
  open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }
  open var availableMetadataFormats: [AVMetadataFormat] { awaitedDescription?.metadataFormats ?? [] }
  open var creationDate: AVMetadataItem? { awaitedDescription?.creationDateItem }
  open var lyrics: String? { awaitedDescription?.lyrics }

  open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    metadata.filter { $0.format == format }
  }

  open var availableChapterLocales: [Locale] { awaitedDescription?.chapterLocales ?? [] }

  open func chapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]? = nil
  ) -> [AVTimedMetadataGroup] {
    awaitedDescription?.chapterGroups(titleLocale: locale, commonKeys: commonKeys ?? []) ?? []
  }

  open func chapterMetadataGroups(bestMatchingPreferredLanguages preferredLanguages: [String]) -> [AVTimedMetadataGroup]
  {
    awaitedDescription?.chapterGroups(preferredLanguages: preferredLanguages) ?? []
  }

  open var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
    awaitedDescription?.selectableCharacteristics ?? []
  }

  open func mediaSelectionGroup(forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic)
    -> AVMediaSelectionGroup?
  {
    awaitedDescription.flatMap { AVMediaSelectionGroup($0, mediaCharacteristic) }
  }

  /// What is selected when nobody chooses.
  open var preferredMediaSelection: AVMediaSelection { mediaSelection(of: awaitedDescription) }
  /// Every combination of the groups' options, the preferred one first; of more than a thousand, the first thousand.
  open var allMediaSelections: [AVMediaSelection] { mediaSelections(of: awaitedDescription) }
}
