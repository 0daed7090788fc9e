import AVFAudio
public import CoreMedia
public import Dispatch
public import Foundation
package import MediaEngine
import MediaRuntime

/// Plays one item at a time, with sound and picture.
///
/// All members but those that Apple isolates may be used from any thread. A setter's effect can be read back at once,
/// and observers of what the app itself changed are called on its thread before the call returns; observers of
/// everything else, completions and time observers (unless given a queue) are called on the main queue.
@preconcurrency @MainActor
open class AVPlayer: NSObject, KeyValueObservable, MediaSeeker {
  package nonisolated let core: PlayerCore
  nonisolated let observers = ObserverTable(registrar: ObservationSwitch.registrar())
  nonisolated let roster = PlayerRoster()
  nonisolated let settings = Lock(PlayerSettings())
  nonisolated let displays: PlayerDisplays

  /// A player without an item.
  public nonisolated override init() {
    core = PlayerCore(environment: .forNewObjects)
    displays = PlayerDisplays(core)
    super.init()
    listen()
  }

  /// A player for an address.
  public nonisolated init(url: URL) {
    core = PlayerCore(environment: .forNewObjects)
    displays = PlayerDisplays(core)
    super.init()
    listen()
    begin(with: AVPlayerItem(url: url))
  }

  /// - Precondition: no other player has the item.
  public nonisolated init(playerItem item: AVPlayerItem?) {
    core = PlayerCore(environment: .forNewObjects)
    displays = PlayerDisplays(core)
    super.init()
    listen()
    if let item { begin(with: item) }
  }

  deinit {
    PlayerDirectory.remove(core)
    core.close()
  }

  private nonisolated func listen() {
    PlayerDirectory.add(self)
    if self is AVQueuePlayer { core.setActionAtItemEnd(.advance) }
    core.eventHandler = { [weak self] event in self?.take(event) }
  }

  /// Not the open `replaceCurrentItem`: a subclass's override must not run before its own initialisation has ended.
  private nonisolated func begin(with item: AVPlayerItem) {
    guard bring(item, { core.replaceCurrentItem($0) }) else { Misuse.itemHasAnotherPlayer() }
  }

  /// Whether players, items and their tracks take part in Swift's `Observation`. Default false.
  /// - Precondition: it is changed before the first of them is made.
  public nonisolated class var isObservationEnabled: Bool {
    get { ObservationSwitch.isOn }
    set { if !ObservationSwitch.set(newValue) { Misuse.observationEnabledTooLate() } }
  }

  nonisolated func view(_ key: PropertyKey) -> PlayerSnapshot {
    access(key)
    return ThreadObservation.view(of: observers, as: PlayerSnapshot.self) ?? core.snapshot
  }

  // MARK: State

  /// Turns ready when the player has first tried to load something. Observable.
  open nonisolated var status: Status { Status(rawValue: view(.status).status.rawValue) ?? .unknown }

  /// Set when `status` is `.failed`.
  open nonisolated var error: (any Error)? { view(.error).error?.appleError }

  /// The wanted rate, 0 while paused. Observable.
  open nonisolated var rate: Float {
    get { view(.rate).rate }
    set { core.setRate(newValue) }
  }

  /// The rate that `play()` starts at. Setting it starts nothing.
  open nonisolated var defaultRate: Float {
    get { view(.defaultRate).defaultRate }
    set { core.setDefaultRate(newValue) }
  }

  /// Starts playing at `defaultRate`.
  open nonisolated func play() { core.play() }

  /// Same as a rate of 0.
  open nonisolated func pause() { core.pause() }

  /// What is really happening. Observable.
  open nonisolated var timeControlStatus: TimeControlStatus {
    TimeControlStatus(rawValue: view(.timeControlStatus).timeControl.rawValue) ?? .paused
  }

  /// Why the player waits; nil unless it does. Observable.
  open nonisolated var reasonForWaitingToPlay: WaitingReason? {
    view(.reasonForWaitingToPlay).waitingReason?.apple
  }

  /// Plays what is there, without waiting for the buffer to fill.
  open nonisolated func playImmediately(atRate rate: Float) { core.playImmediately(atRate: rate) }

  /// Waits until playing through is likely. Default true.
  open nonisolated var automaticallyWaitsToMinimizeStalling: Bool {
    get { view(.automaticallyWaitsToMinimizeStalling).automaticallyWaits }
    set { core.setAutomaticallyWaits(newValue) }
  }

  /// Sets rate and time so that the item is at `itemTime` when the host clock shows `hostClockTime`.
  /// - Parameters:
  ///   - itemTime: `.invalid` keeps the present time.
  ///   - hostClockTime: `.invalid` means soon.
  /// - Precondition: `automaticallyWaitsToMinimizeStalling` is false.
  open nonisolated func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
    guard !core.snapshot.automaticallyWaits else { Misuse.synchronizedRateWhileWaiting() }
    core.setRate(rate, time: itemTime, atHostTime: HostTime(hostClockTime))
  }

  // MARK: Items

  /// Observable.
  open nonisolated var currentItem: AVPlayerItem? {
    view(.currentItem).currentItem.flatMap { item(of: $0) }
  }

  /// The new item loads, the rate stays; nil leaves the player without an item. The same item again changes nothing.
  /// - Precondition: no other player has the item.
  open nonisolated func replaceCurrentItem(with item: AVPlayerItem?) {
    guard let item else {
      core.replaceCurrentItem(nil)
      return
    }
    guard core.canAttach(item.core) else {
      if item.core.player === core { Misuse.itemIsInQueue() }
      Misuse.itemHasAnotherPlayer()
    }
    guard bring(item, { core.replaceCurrentItem($0) }) else { Misuse.itemHasAnotherPlayer() }
  }

  /// - Precondition: not `.advance` on a plain player.
  open nonisolated var actionAtItemEnd: ActionAtItemEnd {
    get { ActionAtItemEnd(rawValue: view(.actionAtItemEnd).actionAtItemEnd.rawValue) ?? .pause }
    set {
      if newValue == .advance, !(self is AVQueuePlayer) { Misuse.advanceWithoutQueue() }
      core.setActionAtItemEnd(MediaEngine.ActionAtItemEnd(rawValue: newValue.rawValue) ?? .pause)
    }
  }

  // MARK: Time

  /// The current item's time, zero without one.
  open nonisolated func currentTime() -> CMTime { core.currentTime() }

  /// May land on a key frame near by; for an exact frame give zero tolerances.
  /// - Precondition: `time` is neither invalid nor indefinite.
  open nonisolated func seek(to time: CMTime) { move(to: time, nil) }

  /// The completion is called once, on the main queue: true when the seek landed, false when something came between.
  @preconcurrency
  open nonisolated func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
    move(to: time, onMain(completionHandler))
  }

  @discardableResult
  open nonisolated func seek(to time: CMTime) async -> Bool {
    await withCheckedContinuation { continuation in move(to: time) { continuation.resume(returning: $0) } }
  }

  /// Lands within `time` − `toleranceBefore` … `time` + `toleranceAfter`.
  /// - Precondition: the tolerances are not negative.
  open nonisolated func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    move(to: time, toleranceBefore, toleranceAfter, nil)
  }

  @preconcurrency
  open nonisolated func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    move(to: time, toleranceBefore, toleranceAfter, onMain(completionHandler))
  }

  @discardableResult
  open nonisolated func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await withCheckedContinuation { continuation in
      move(to: time, toleranceBefore, toleranceAfter) { continuation.resume(returning: $0) }
    }
  }

  /// Has no effect: local media knows no dates.
  open nonisolated func seek(to date: Date) { _ = currentItem?.seek(to: date, completionHandler: nil) }

  /// Completes with false where the media knows no dates.
  @preconcurrency
  open nonisolated func seek(to date: Date, completionHandler: @escaping @Sendable (Bool) -> Void) {
    guard let item = currentItem, item.seek(to: date, completionHandler: completionHandler) else {
      onMain(completionHandler)(false)
      return
    }
  }

  @discardableResult
  open nonisolated func seek(to date: Date) async -> Bool {
    await withCheckedContinuation { continuation in
      seek(to: date) { continuation.resume(returning: $0) }
    }
  }

  /// Calls `block` at each multiple of the interval in item time, at jumps, and when playing starts and stops.
  /// - Parameter queue: serial; nil is the main queue.
  /// - Returns: a token that must be kept, and given to `removeTimeObserver(_:)`.
  @preconcurrency
  open nonisolated func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    PlayerTimeObserver(core.addPeriodicObserver(interval: interval, queue: queue, block: block), of: core)
  }

  /// Calls `block` when playing passes one of the times.
  /// - Precondition: `times` is not empty.
  @preconcurrency
  open nonisolated func addBoundaryTimeObserver(
    forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
  ) -> Any {
    guard !times.isEmpty else { Misuse.noBoundaryTimes() }
    return PlayerTimeObserver(
      core.addBoundaryObserver(times: times.map(\.timeValue), queue: queue, block: block), of: core)
  }

  /// The block is not called again. A call that is just being made on another thread may still run when this returns:
  /// to know that none does, remove the observer on the block's own queue, or wait for that queue afterwards.
  /// - Precondition: this player made the token.
  open nonisolated func removeTimeObserver(_ observer: Any) {
    guard let observer = observer as? PlayerTimeObserver else { Misuse.foreignTimeObserver() }
    observer.end { token in
      guard core.owns(token) else { Misuse.foreignTimeObserver() }
      core.removeObserver(token)
    }
  }

  /// Decodes ahead, so that playing starts at once. The completion is told whether it came to an end.
  /// - Precondition: `status` is ready, `rate` is 0.
  @preconcurrency
  open nonisolated func preroll(atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
    let now = core.snapshot
    guard now.status == .readyToPlay else { Misuse.prerollBeforeReady() }
    guard now.rate == 0 else { Misuse.prerollWhilePlaying() }
    core.preroll(atRate: rate, completion: completionHandler.map { onMain($0) })
  }

  @discardableResult
  open nonisolated func preroll(atRate rate: Float) async -> Bool {
    await withCheckedContinuation { continuation in
      preroll(atRate: rate) { continuation.resume(returning: $0) }
    }
  }

  open nonisolated func cancelPendingPrerolls() { core.cancelPendingPrerolls() }

  // MARK: Sound

  /// 0…1, a linear gain relative to the system's volume.
  open nonisolated var volume: Float {
    get { view(.volume).volume }
    set { core.setVolume(newValue) }
  }

  /// Does not touch `volume`.
  open nonisolated var isMuted: Bool {
    get { view(.isMuted).isMuted }
    set { core.setMuted(newValue) }
  }

  /// The device that plays, by the sound server's name for it (`pactl list short sinks`); nil is the default one, which
  /// is followed when it changes. A name the server does not know changes nothing.
  open nonisolated var audioOutputDeviceUniqueID: String? {
    get { settings.withLock { $0.audioDevice } }
    set {
      settings.withLock { $0.audioDevice = newValue }
      core.setAudioDevice(newValue)
    }
  }

  // MARK: Choice of tracks

  /// Whether criteria choose options for which nobody has chosen explicitly. Default true.
  open nonisolated var appliesMediaSelectionCriteriaAutomatically: Bool {
    get { settings.withLock { $0.appliesCriteria } }
    set {
      settings.withLock { $0.appliesCriteria = newValue }
      applyCriteria()
    }
  }

  open nonisolated func setMediaSelectionCriteria(
    _ criteria: AVPlayerMediaSelectionCriteria?, forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) {
    settings.withLock { $0.criteria[mediaCharacteristic] = criteria }
    applyCriteria()
  }

  open nonisolated func mediaSelectionCriteria(forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic)
    -> AVPlayerMediaSelectionCriteria?
  {
    settings.withLock { $0.criteria[mediaCharacteristic] }
  }

  // MARK: Kept for source

  /// Nil: the sound device's clock. Kept, without effect: that clock is always the one.
  open nonisolated var sourceClock: CMClock? {
    get { settings.withLock { $0.sourceClock } }
    set { settings.withLock { $0.sourceClock = newValue } }
  }

  /// Kept, without effect: nothing is asked of the desktop.
  open nonisolated var preventsDisplaySleepDuringVideoPlayback: Bool {
    get { settings.withLock { $0.preventsDisplaySleep } }
    set { settings.withLock { $0.preventsDisplaySleep = newValue } }
  }

  open nonisolated var allowsExternalPlayback: Bool {
    get { settings.withLock { $0.allowsExternalPlayback } }
    set { settings.withLock { $0.allowsExternalPlayback = newValue } }
  }

  open nonisolated var isExternalPlaybackActive: Bool { false }

  open nonisolated var usesExternalPlaybackWhileExternalScreenIsActive: Bool {
    get { settings.withLock { $0.usesExternalScreen } }
    set { settings.withLock { $0.usesExternalScreen = newValue } }
  }

  open nonisolated var externalPlaybackVideoGravity: AVLayerVideoGravity {
    get { settings.withLock { $0.externalGravity } }
    set { settings.withLock { $0.externalGravity = newValue } }
  }

  open nonisolated var audiovisualBackgroundPlaybackPolicy: AVPlayerAudiovisualBackgroundPlaybackPolicy {
    get { settings.withLock { $0.backgroundPolicy } }
    set { settings.withLock { $0.backgroundPolicy = newValue } }
  }
}
