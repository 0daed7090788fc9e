public import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime

// The loading functions of Apple's API: each with async and with completion. Completions come on any thread.
extension AVAsset {
  public func loadTrack(
    withTrackID trackID: CMPersistentTrackID, isolation: isolated (any Actor)? = #isolation
  ) async throws -> AVAssetTrack? {
    try await load(.tracks, isolation: isolation).first { $0.trackID == trackID }
  }

  public func loadTracks(
    withMediaType mediaType: AVMediaType, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVAssetTrack] {
    try await load(.tracks, isolation: isolation).filter { $0.mediaType == mediaType }
  }

  public func loadTracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVAssetTrack] {
    try await load(.tracks, isolation: isolation).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  public func loadMetadata(
    for format: AVMetadataFormat, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVMetadataItem] {
    try await load(.metadata, isolation: isolation).filter { $0.format == format }
  }

  /// Chapters titled in a locale's language. Each group has a title item; of other common keys only artwork is added.
  public func loadChapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = [],
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVTimedMetadataGroup] {
    _ = try await load(.availableChapterLocales, isolation: isolation)
    return try description().chapterGroups(titleLocale: locale, commonKeys: commonKeys)
  }

  public func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String], isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVTimedMetadataGroup] {
    _ = try await load(.availableChapterLocales, isolation: isolation)
    return try description().chapterGroups(preferredLanguages: preferredLanguages)
  }

  /// The choices for a characteristic (`.audible`, `.legible` or `.visual`); nil when there are none.
  public func loadMediaSelectionGroup(
    for mediaCharacteristic: AVMediaCharacteristic, isolation: isolated (any Actor)? = #isolation
  ) async throws -> AVMediaSelectionGroup? {
    _ = try await load(.availableMediaCharacteristicsWithMediaSelectionOptions, isolation: isolation)
    return AVMediaSelectionGroup(try description(), mediaCharacteristic)
  }

  @preconcurrency
  public func loadTrack(
    withTrackID trackID: CMPersistentTrackID,
    completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
  ) {
    whenLoaded("tracks", { asset in try asset.loadedTracks().first { $0.trackID == trackID } }, completionHandler)
  }

  @preconcurrency
  public func loadTracks(
    withMediaType mediaType: AVMediaType, completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    whenLoaded("tracks", { asset in try asset.loadedTracks().filter { $0.mediaType == mediaType } }, completionHandler)
  }

  @preconcurrency
  public func loadTracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic,
    completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    whenLoaded(
      "tracks", { asset in try asset.loadedTracks().filter { $0.hasMediaCharacteristic(mediaCharacteristic) } },
      completionHandler)
  }

  @preconcurrency
  public func loadMetadata(
    for format: AVMetadataFormat, completionHandler: @escaping @Sendable ([AVMetadataItem]?, (any Error)?) -> Void
  ) {
    whenLoaded(
      "metadata", { asset in try asset.description().metadataItems.filter { $0.format == format } }, completionHandler)
  }

  @preconcurrency
  public func loadMediaSelectionGroup(
    for mediaCharacteristic: AVMediaCharacteristic,
    completionHandler: @escaping @Sendable (AVMediaSelectionGroup?, (any Error)?) -> Void
  ) {
    whenLoaded(
      "availableMediaCharacteristicsWithMediaSelectionOptions",
      { asset in AVMediaSelectionGroup(try asset.description(), mediaCharacteristic) }, completionHandler)
  }

  @preconcurrency
  public func loadChapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = [],
    completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
  ) {
    whenLoaded(
      "availableChapterLocales",
      { asset in try asset.description().chapterGroups(titleLocale: locale, commonKeys: commonKeys) },
      completionHandler)
  }

  @preconcurrency
  public func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String],
    completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
  ) {
    whenLoaded(
      "availableChapterLocales",
      { asset in try asset.description().chapterGroups(preferredLanguages: preferredLanguages) },
      completionHandler)
  }

  private func loadedTracks() throws -> [AVAssetTrack] { tracks(of: try description()) }

  /// The same load, errors and status as those of the async form. The asset is kept alive until the completion.
  /// - Parameter key: the property that the async form loads.
  private func whenLoaded<Value>(
    _ key: String, _ value: @escaping @Sendable (AVAsset) throws -> Value?,
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void
  ) {
    let asset = Unchecked(self)
    propertyLoader.load([key]) { result in
      do {
        try result.get()
        completion(try value(asset.value), nil)
      } catch {
        completion(nil, error)
      }
    }
  }
}
