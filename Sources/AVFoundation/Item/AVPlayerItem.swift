public import CoreGraphics
public import CoreMedia
public import Foundation
package import MediaEngine
import MediaRuntime

/// An asset as a player presents it: its time, tracks, buffers, choices. Loading begins when it joins a player.
///
/// What changes by itself is told to observers on the main queue; values come before the status.
@preconcurrency @MainActor
open class AVPlayerItem: NSObject, NSCopying, KeyValueObservable, MediaSeeker {
  package nonisolated let core: ItemCore
  nonisolated let observers = ObserverTable(registrar: ObservationSwitch.registrar())
  nonisolated let settings = Lock(ItemSettings())
  nonisolated let shownTracks = Lock<[Int32: AVPlayerItemTrack]>([:])
  /// Read by other threads only in ways that any thread may use (its engine's asset, its made tracks).
  nonisolated let ownedAsset: Unchecked<AVAsset>

  /// Same as with an `AVURLAsset` of the address.
  public nonisolated convenience init(url URL: URL) {
    self.init(asset: AVURLAsset(url: URL))
  }

  public nonisolated convenience init(asset: any AVAsset & Sendable) {
    self.init(asset: asset, automaticallyLoadedAssetKeys: ["duration"] as [String]?)
  }

  @preconcurrency
  public convenience init(asset: AVAsset) {
    self.init(asset: asset, automaticallyLoadedAssetKeys: ["duration"] as [String]?)
  }

  /// - Parameter automaticallyLoadedAssetKeys: what must be known before the item is ready.
  public nonisolated convenience init(
    asset: any AVAsset & Sendable, automaticallyLoadedAssetKeys: [AVPartialAsyncProperty<AVAsset>] = []
  ) {
    self.init(asset: asset, automaticallyLoadedAssetKeys: automaticallyLoadedAssetKeys.map(\.key) as [String]?)
  }

  /// - Parameter automaticallyLoadedAssetKeys: names, as in Objective-C, of what must be known before the item is ready.
  // Apple isolates this initialiser; a designated one must be callable from the others here.
  public nonisolated init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
    core = ItemCore(asset: asset.core)
    ownedAsset = Unchecked(asset)
    super.init()
    settings.withLock { $0.loadedKeys = automaticallyLoadedAssetKeys ?? [] }
    ItemDirectory.add(self)
  }

  deinit {
    ItemDirectory.remove(core)
  }

  /// A new item of the same asset with the same settings and chosen tracks; neither outputs nor time are copied.
  open nonisolated func copy(with zone: NSZone? = nil) -> Any {
    let old = settings.withLock { $0 }
    let copy = AVPlayerItem(asset: ownedAsset.value, automaticallyLoadedAssetKeys: old.loadedKeys as [String]?)
    core.copyConfiguration(to: copy.core)
    copy.settings.withLock { settings in
      settings = old
      settings.outputs = []
    }
    return copy
  }

  nonisolated func view(_ key: PropertyKey) -> ItemSnapshot {
    access(key)
    return ThreadObservation.view(of: observers, as: ItemSnapshot.self) ?? core.snapshot
  }

  // MARK: State

  /// Unknown until the item has a player and enough is loaded; a failed item can't be used again. Observable.
  open nonisolated var status: Status { Status(rawValue: view(.status).status.rawValue) ?? .unknown }

  /// Set when `status` is `.failed`. Observable.
  open nonisolated var error: (any Error)? { view(.error).error?.appleError }

  open var asset: AVAsset { ownedAsset.value }

  /// Empty until ready. Observable.
  open nonisolated var tracks: [AVPlayerItemTrack] {
    itemTracks(view(.tracks).tracks)
  }

  /// `.indefinite` until known. Observable.
  open nonisolated var duration: CMTime { view(.duration).duration }

  /// Of the picture, turned and with its pixel aspect; zero until known and without video. Observable.
  open nonisolated var presentationSize: CGSize {
    let now = view(.presentationSize)
    return CGSize(width: now.presentationWidth, height: now.presentationHeight)
  }

  /// Names, as in Objective-C, of what is loaded before the item is ready.
  open nonisolated var automaticallyLoadedAssetKeys: [String] { settings.withLock { $0.loadedKeys } }

  /// Nil until ready; can only be read. Observable.
  open nonisolated var timebase: CMTimebase? { view(.timebase).timebase }

  // MARK: Time

  open nonisolated func currentTime() -> CMTime { core.currentTime() }

  /// Nil: local media knows no dates.
  open nonisolated func currentDate() -> Date? { nil }

  /// The end when playing forward; `.invalid` means the duration. May be set while playing.
  open nonisolated var forwardPlaybackEndTime: CMTime {
    get { view(.forwardPlaybackEndTime).forwardEndTime }
    set { core.setForwardEndTime(newValue) }
  }

  /// The end when playing backward; `.invalid` means zero.
  open nonisolated var reversePlaybackEndTime: CMTime {
    get { view(.reversePlaybackEndTime).reverseEndTime }
    set { core.setReverseEndTime(newValue) }
  }

  /// Before the item is ready it sets where it begins.
  open func seek(to time: CMTime) { move(to: time, nil) }

  /// The completion is called once, on the main queue: true when the seek landed, false when something came between.
  /// Without a player it is true at once, and the item will begin there.
  @preconcurrency
  open nonisolated func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
    move(to: time, completionHandler.map(onMain))
  }

  @discardableResult
  open nonisolated func seek(to time: CMTime) async -> Bool {
    await withCheckedContinuation { continuation in move(to: time) { continuation.resume(returning: $0) } }
  }

  open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    move(to: time, toleranceBefore, toleranceAfter, nil)
  }

  @preconcurrency
  open nonisolated func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: (@Sendable (Bool) -> Void)?
  ) {
    move(to: time, toleranceBefore, toleranceAfter, completionHandler.map(onMain))
  }

  @discardableResult
  open nonisolated func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await withCheckedContinuation { continuation in
      move(to: time, toleranceBefore, toleranceAfter) { continuation.resume(returning: $0) }
    }
  }

  /// False, and no completion is called: local media knows no dates.
  @discardableResult
  @preconcurrency
  open nonisolated func seek(to date: Date, completionHandler: (@Sendable (Bool) -> Void)?) -> Bool { false }

  @discardableResult
  open nonisolated func seek(to date: Date) async -> Bool { false }

  open nonisolated func cancelPendingSeeks() { core.cancelPendingSeeks() }

  /// Moves by frames while paused; back when negative.
  open nonisolated func step(byCount stepCount: Int) { core.step(byCount: stepCount) }

  // MARK: What the item can do, once ready. Observable.

  /// Rates above 2.
  open nonisolated var canPlayFastForward: Bool { view(.canPlayFastForward).canPlayFastForward }
  open nonisolated var canPlaySlowForward: Bool { view(.canPlaySlowForward).canPlaySlowForward }
  open nonisolated var canPlayReverse: Bool { view(.canPlayReverse).canPlayReverse }
  open nonisolated var canPlaySlowReverse: Bool { view(.canPlaySlowReverse).canPlaySlowReverse }
  open nonisolated var canPlayFastReverse: Bool { view(.canPlayFastReverse).canPlayFastReverse }
  open nonisolated var canStepForward: Bool { view(.canStepForward).canStepForward }
  open nonisolated var canStepBackward: Bool { view(.canStepBackward).canStepBackward }

  // MARK: Buffers. Observable.

  /// `CMTimeRange`s: read, not yet decoded.
  open nonisolated var loadedTimeRanges: [NSValue] {
    view(.loadedTimeRanges).loadedTimeRanges.map { NSValue(timeRange: $0) }
  }

  /// `CMTimeRange`s.
  open nonisolated var seekableTimeRanges: [NSValue] {
    view(.seekableTimeRanges).seekableTimeRanges.map { NSValue(timeRange: $0) }
  }

  open nonisolated var isPlaybackLikelyToKeepUp: Bool { view(.isPlaybackLikelyToKeepUp).isLikelyToKeepUp }
  open nonisolated var isPlaybackBufferFull: Bool { view(.isPlaybackBufferFull).isBufferFull }
  open nonisolated var isPlaybackBufferEmpty: Bool { view(.isPlaybackBufferEmpty).isBufferEmpty }

  /// Seconds; 0 leaves it to the player.
  open nonisolated var preferredForwardBufferDuration: TimeInterval {
    get { view(.preferredForwardBufferDuration).preferredForwardBufferDuration }
    set { core.setPreferredForwardBufferDuration(newValue) }
  }

  // MARK: Choices

  /// What plays. See `mediaSelectionDidChangeNotification`. Observable.
  open nonisolated var currentMediaSelection: AVMediaSelection { selection(view(.currentMediaSelection)) }

  /// An option of another group changes nothing, nor does nil where the group allows no empty selection.
  open nonisolated func select(
    _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
  ) {
    guard mediaSelectionGroup.canSelect(mediaSelectionOption) else { return }
    settings.withLock { _ = $0.explicit.insert(mediaSelectionGroup.characteristic) }
    choose(mediaSelectionOption, in: mediaSelectionGroup)
  }

  /// Leaves the choice in this group to the player's criteria again.
  open nonisolated func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
    chooseAutomatically(in: mediaSelectionGroup)
  }

  open func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
    currentMediaSelection.selectedMediaOption(in: mediaSelectionGroup)
  }

  // MARK: Outputs

  /// An output serves one item at a time: it leaves the one it had.
  open nonisolated func add(_ output: AVPlayerItemOutput) { attach(output) }

  open nonisolated func remove(_ output: AVPlayerItemOutput) { detach(output) }

  open nonisolated var outputs: [AVPlayerItemOutput] { settings.withLock { $0.outputs } }

  // MARK: Logs

  /// A snapshot of the last thousand periods of playing; nil before anything has played.
  open nonisolated func accessLog() -> AVPlayerItemAccessLog? { AVPlayerItemAccessLog(core) }

  /// A snapshot of the last thousand errors; nil while there was none.
  open nonisolated func errorLog() -> AVPlayerItemErrorLog? { AVPlayerItemErrorLog(core) }

  // MARK: Wishes for streams and rates

  /// Bits per second; 0 is no limit.
  open nonisolated var preferredPeakBitRate: Double {
    get { settings.withLock { $0.peakBitRate } }
    set { settings.withLock { $0.peakBitRate = newValue } }
  }

  open nonisolated var preferredPeakBitRateForExpensiveNetworks: Double {
    get { settings.withLock { $0.expensivePeakBitRate } }
    set { settings.withLock { $0.expensivePeakBitRate = newValue } }
  }

  /// Zero is no limit.
  open nonisolated var preferredMaximumResolution: CGSize {
    get { settings.withLock { $0.maximumResolution } }
    set { settings.withLock { $0.maximumResolution = newValue } }
  }

  open nonisolated var preferredMaximumResolutionForExpensiveNetworks: CGSize {
    get { settings.withLock { $0.expensiveMaximumResolution } }
    set { settings.withLock { $0.expensiveMaximumResolution = newValue } }
  }

  open nonisolated var startsOnFirstEligibleVariant: Bool {
    get { settings.withLock { $0.startsOnFirstVariant } }
    set { settings.withLock { $0.startsOnFirstVariant = newValue } }
  }

  open nonisolated var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
    get { settings.withLock { $0.usesNetworkWhilePaused } }
    set { settings.withLock { $0.usesNetworkWhilePaused = newValue } }
  }

  /// `.invalid` for media that is not live.
  open nonisolated var configuredTimeOffsetFromLive: CMTime {
    get { settings.withLock { $0.liveOffset } }
    set { settings.withLock { $0.liveOffset = newValue } }
  }

  /// `.invalid` for media that is not live.
  open nonisolated var recommendedTimeOffsetFromLive: CMTime { .invalid }

  open nonisolated var automaticallyPreservesTimeOffsetFromLive: Bool {
    get { settings.withLock { $0.preservesLiveOffset } }
    set { settings.withLock { $0.preservesLiveOffset = newValue } }
  }

  /// How pitch behaves at rates other than 1; a change is heard within 50 ms. The spectral algorithm needs FFmpeg's
  /// `rubberband` filter; where it is missing, and below 0.25 or above 3, the time domain's stands in.
  open nonisolated var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { settings.withLock { $0.pitchAlgorithm } }
    set {
      settings.withLock { $0.pitchAlgorithm = newValue }
      core.setPitch(newValue.engineAlgorithm)
    }
  }

  /// What is done to the sound of its tracks; nil for nothing. Takes and gives copies. A change is heard within 50 ms, one
  /// of `dialogueLevel` or `evensLoudness` after a short break.
  open nonisolated var audioMix: AVAudioMix? {
    get { settings.withLock { $0.mix }.map { AVAudioMix($0) } }
    set {
      settings.withLock { $0.mix = newValue?.parameters }
      core.setMix(newValue?.parameters.engineMix ?? [:])
    }
  }

  open nonisolated var videoApertureMode: AVVideoApertureMode {
    get { settings.withLock { $0.apertureMode } }
    set { settings.withLock { $0.apertureMode = newValue } }
  }

  open nonisolated var seekingWaitsForVideoCompositionRendering: Bool {
    get { settings.withLock { $0.seekingWaits } }
    set { settings.withLock { $0.seekingWaits = newValue } }
  }
}

/// What an item keeps that the engine does not know.
struct ItemSettings: Sendable {
  var loadedKeys: [String] = []
  var outputs: [AVPlayerItemOutput] = []
  /// Characteristics for which the app chose.
  var explicit: Set<AVMediaCharacteristic> = []
  var peakBitRate = 0.0
  var expensivePeakBitRate = 0.0
  var maximumResolution = CGSize.zero
  var expensiveMaximumResolution = CGSize.zero
  var startsOnFirstVariant = false
  var usesNetworkWhilePaused = false
  var liveOffset = CMTime.invalid
  var preservesLiveOffset = false
  var pitchAlgorithm = AVAudioTimePitchAlgorithm.timeDomain
  var mix: [TrackParameters]?
  var apertureMode = AVVideoApertureMode.cleanAperture
  var seekingWaits = false
}
