import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime

extension AVPlayer {
  /// One event of the engine: on the thread whose call caused it, else on the main queue.
  nonisolated func take(_ event: PlayerEvent) {
    let isNotification = if case .notification = event { true } else { false }
    if MainQueueOrder.mustHold(posting: isNotification, on: core.environment.scheduler) {
      MainQueueOrder.hold(on: core.environment.scheduler) { [self] in tell(event) }
    } else {
      tell(event)
    }
  }

  private nonisolated func tell(_ event: PlayerEvent) {
    switch event {
    case .playerChanged(let old, let new):
      if old.currentItem !== new.currentItem { displays.follow() }
      // A thread that is just telling may tell of this much later, when nothing else keeps what has left the queue.
      notify(new.changedKeys(since: old), old: old, new: new, keeping: old.items.compactMap { item(of: $0) })
      letGo(old.items.filter { item in !new.items.contains { $0 === item } })
    case .itemChanged(let item, let old, let new):
      guard let item = roster.item(of: item) else { return }
      if old.status != .readyToPlay, new.status == .readyToPlay { applyCriteria(to: item) }
      item.take(old: old, new: new)
    case .notification(let notification): post(notification)
    }
  }

  /// Items that have left the queue live on until the notifications of the same transition are posted.
  private nonisolated func letGo(_ gone: [ItemCore]) {
    free(roster.forget(gone, unlessIn: { core.snapshot.items }))
  }

  /// Brings an item to the engine; its events find it from the first one on.
  /// - Returns: whether the engine takes it.
  nonisolated func bring(_ item: AVPlayerItem, _ join: (ItemCore) -> Bool) -> Bool {
    roster.expect(item)
    defer { free(roster.settle(item, unlessIn: { core.snapshot.items })) }
    return join(item.core)
  }

  private nonisolated func free(_ freed: [AVPlayerItem]) {
    guard !freed.isEmpty else { return }
    core.environment.scheduler.deliver("let go of items", to: nil) { withExtendedLifetime(freed) {} }
  }

  private nonisolated func post(_ notification: PlayerNotification) {
    switch notification {
    case .didPlayToEnd(let core): post(.AVPlayerItemDidPlayToEndTime, core)
    case .failedToPlayToEnd(let core, let error):
      post(
        .AVPlayerItemFailedToPlayToEndTime, core, [AVPlayerItemFailedToPlayToEndTimeErrorKey: error.appleError])
    case .playbackStalled(let core): post(.AVPlayerItemPlaybackStalled, core)
    case .timeJumped(let core): post(.AVPlayerItemTimeJumped, core)
    case .newAccessLogEntry(let core): post(.AVPlayerItemNewAccessLogEntry, core)
    case .newErrorLogEntry(let core): post(.AVPlayerItemNewErrorLogEntry, core)
    case .mediaSelectionDidChange(let core): post(AVPlayerItem.mediaSelectionDidChangeNotification, core)
    case .rateDidChange(let reason):
      post(
        Notification(
          name: AVPlayer.rateDidChangeNotification, object: self,
          userInfo: reason.apple.map { [AVPlayer.rateDidChangeReasonKey: $0] }))
    }
  }

  private nonisolated func post(_ name: Notification.Name, _ core: ItemCore, _ userInfo: [String: Any]? = nil) {
    guard let item = item(of: core) else { return }
    post(Notification(name: name, object: item, userInfo: userInfo))
  }

  /// Also of one that has just left.
  nonisolated func item(of core: ItemCore) -> AVPlayerItem? {
    roster.item(of: core) ?? ItemDirectory.item(of: core)
  }

  private nonisolated func post(_ notification: Notification) {
    NotificationCenter.default.post(notification)
  }

  // MARK: Criteria

  nonisolated func applyCriteria() {
    if let item = currentItem { applyCriteria(to: item) }
  }

  nonisolated func applyCriteria(to item: AVPlayerItem) {
    let (criteria, applies) = settings.withLock { ($0.criteria, $0.appliesCriteria) }
    guard applies else { return }
    var characteristics = Set(criteria.keys)
    if !core.environment.preferredLanguages.isEmpty { characteristics.insert(.audible) }
    for characteristic in characteristics { item.choose(for: characteristic, as: self) }
  }

  /// By the app's criteria; without any, sound in the user's languages.
  nonisolated func choice(in group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
    if let criteria = settings.withLock({ $0.criteria[group.characteristic] }) { return criteria.choice(in: group) }
    let languages = core.environment.preferredLanguages
    guard group.characteristic == .audible, !languages.isEmpty else { return group.defaultOption }
    return AVPlayerMediaSelectionCriteria(preferredLanguages: languages, preferredMediaCharacteristics: nil)
      .choice(in: group, without: [.describesVideoForAccessibility, .isAuxiliaryContent])
  }
}

extension Scheduler {
  func onMain(_ completion: @escaping @Sendable (Bool) -> Void) -> @Sendable (Bool) -> Void {
    { [self] finished in
      if MainQueueOrder.mustHold(posting: false, on: self) {
        MainQueueOrder.hold(on: self) { completion(finished) }
      } else if CallingThread.isMain {
        completion(finished)
      } else {
        deliver("completion", to: nil) { completion(finished) }
      }
    }
  }
}

extension PlayerSnapshot {
  /// Which properties differ, in the order in which observers are told.
  func changedKeys(since old: PlayerSnapshot) -> [PropertyKey] {
    var keys: [PropertyKey] = []
    func note(_ key: PropertyKey, _ differs: Bool) { if differs { keys.append(key) } }
    note(.currentItem, currentItem !== old.currentItem)
    note(.error, (error == nil) != (old.error == nil))
    note(.status, status != old.status)
    note(.defaultRate, defaultRate != old.defaultRate)
    note(.rate, rate != old.rate)
    note(.reasonForWaitingToPlay, waitingReason != old.waitingReason)
    note(.timeControlStatus, timeControl != old.timeControl)
    note(.actionAtItemEnd, actionAtItemEnd != old.actionAtItemEnd)
    note(.automaticallyWaitsToMinimizeStalling, automaticallyWaits != old.automaticallyWaits)
    note(.volume, volume != old.volume)
    note(.isMuted, isMuted != old.isMuted)
    return keys
  }
}

extension HostTime {
  /// Nil for times that are not numeric.
  init?(_ time: CMTime) {
    let converted = time.convertScale(1_000_000_000, method: .default)
    guard converted.isNumeric else { return nil }
    self.init(nanoseconds: converted.value)
  }
}
