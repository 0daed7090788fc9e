public import CoreMedia
public import Foundation
import MediaEngine
import MediaRuntime

/// Plays an item, or a part of it, over and over in a queue player, without a gap.
///
/// It works on copies of the item: as many as are needed for one to be ready when another ends. Who lets go of the
/// looper ends the looping; what the queue holds then is played out. Observers are called on the main queue.
open class AVPlayerLooper: NSObject, KeyValueObservable, @unchecked Sendable {
  // Sendable because its variables are behind a lock.

  public enum Status: Int, Sendable {
    case unknown = 0
    case ready = 1
    case failed = 2
    case cancelled = 3
  }

  /// Where the copies go in a queue that has items already.
  public enum ItemOrdering: Int, Sendable {
    case loopingItemsPrecedeExistingItems = 0
    case loopingItemsFollowExistingItems = 1
  }

  let observers = ObserverTable(registrar: ObservationSwitch.registrar())
  private let state = Lock(State())
  private let template: AVPlayerItem
  private let range: CMTimeRange
  private let ordering: ItemOrdering
  private let scheduler: any Scheduler

  private struct State {
    weak var player: AVQueuePlayer?
    var shown = Shown()
    var actionAtItemEnd: AVPlayer.ActionAtItemEnd?
    var observations: [NSKeyValueObservation] = []
  }

  /// What can be observed.
  private struct Shown: Sendable {
    var status = Status.unknown
    var error: MediaError?
    var loopCount = 0
    var items: [AVPlayerItem] = []
  }

  /// Media played by the copies together at least, so that a short one is ready again when its turn comes.
  private static let shortest = 3.0
  private static let counts = 3...60

  /// - Parameters:
  ///   - itemToLoop: only its copies are played.
  ///   - loopRange: of the item; `.invalid` is all of it.
  /// - Precondition: the range is not empty and does not begin before zero.
  public init(
    player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange = .invalid,
    existingItemsOrdering itemOrdering: ItemOrdering = .loopingItemsPrecedeExistingItems
  ) {
    if loopRange.isValid { Misuse.checkLoop(loopRange) }
    template = itemToLoop
    range = loopRange
    ordering = itemOrdering
    scheduler = player.core.environment.scheduler
    super.init()
    state.withLock { $0.player = player }
    itemToLoop.ownedAsset.value.core.load { [weak self, scheduler] result in
      scheduler.deliver("set up looping", to: nil) { [weak self] in
        switch result {
        case .success(let description): self?.setUp(description.duration)
        case .failure(let error): self?.fail(error)
        }
      }
    }
  }

  public convenience init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem) {
    self.init(player: player, templateItem: itemToLoop, timeRange: .invalid)
  }

  private func view(_ key: PropertyKey) -> Shown {
    access(key)
    return ThreadObservation.view(of: observers, as: Shown.self) ?? state.withLock { $0.shown }
  }

  /// Observable.
  open var status: Status { view(.status).status }

  /// Set when `status` is `.failed`.
  open var error: (any Error)? { view(.error).error?.appleError }

  /// How often the range has been played to its end. Observable.
  open var loopCount: Int { view(.loopCount).loopCount }

  /// The copies that take turns; empty until ready. Observable.
  open var loopingPlayerItems: [AVPlayerItem] { view(.loopingPlayerItems).items }

  /// The copy that is playing is played to its end, and the queue goes on with what follows the loop.
  open func disableLooping() {
    let (player, items, action) = state.withLock { state in
      let taken = (state.player, state.shown.items, state.actionAtItemEnd)
      for observation in state.observations { observation.invalidate() }
      state.observations = []
      state.actionAtItemEnd = nil
      return taken
    }
    let isOver = state.withLock { [.failed, .cancelled].contains($0.shown.status) }
    guard !isOver else { return }
    change([.status]) { $0.status = .cancelled }
    guard let player else { return }
    let current = player.currentItem
    for item in items where item !== current { player.remove(item) }
    if let action { player.actionAtItemEnd = action }
  }

  // MARK: Setting up

  private func setUp(_ duration: CMTime) {
    guard status == .unknown, let player = state.withLock({ $0.player }) else { return }
    guard duration.isNumeric, duration > .zero else {
      return fail(
        MediaError(.containerNoTracks, "The item to loop has no length. Loop one that has sound or a picture."))
    }
    let looped = range.isValid ? range : CMTimeRange(start: .zero, duration: duration)
    guard looped.end <= duration + CMTime(value: 1, timescale: 10) else {
      return fail(
        MediaError(.seekFailed, "The range to loop reaches beyond the item's end. Loop a range within its duration."))
    }
    let wanted = (Self.shortest / max(looped.duration.seconds, 0.001)).rounded(.up)
    let count = min(max(Int(wanted), Self.counts.lowerBound), Self.counts.upperBound)
    let items = (0..<count).map { _ in copy(looped) }
    let rate = player.rate
    player.rate = 0
    state.withLock { $0.actionAtItemEnd = player.actionAtItemEnd }
    player.actionAtItemEnd = .advance
    let existing = player.items()
    if ordering == .loopingItemsPrecedeExistingItems { player.removeAllItems() }
    for item in items { player.insert(item, after: nil) }
    if ordering == .loopingItemsPrecedeExistingItems {
      for item in existing { player.insert(item, after: nil) }
    }
    watch(player, items, from: looped.start)
    change([.loopingPlayerItems, .status]) { shown in
      shown.items = items
      shown.status = .ready
    }
    player.rate = rate
  }

  private func copy(_ looped: CMTimeRange) -> AVPlayerItem {
    // What `copy` of an item gives is an item.
    guard let copy = template.copy() as? AVPlayerItem else { return template }
    if range.isValid { copy.forwardPlaybackEndTime = looped.end }
    place(copy, at: looped.start)
    return copy
  }

  /// Where an item that is in no queue begins when it joins one.
  private func place(_ item: AVPlayerItem, at start: CMTime) {
    item.seek(to: start, toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
  }

  private func watch(_ player: AVQueuePlayer, _ items: [AVPlayerItem], from start: CMTime) {
    // Where the app empties the queue, or puts something else in front, nothing takes its turn.
    let turns = player.observe(\.currentItem, options: [.old, .new]) { [weak self, scheduler] _, change in
      guard let gone = change.oldValue ?? nil, let next = change.newValue ?? nil, items.contains(next) else { return }
      scheduler.deliver("loop", to: nil) { [weak self] in self?.takeBack(gone, from: start) }
    }
    let failures = items.map { item in
      item.observe(\.status, options: [.initial]) { [weak self] item, _ in
        guard item.status == .failed, let error = item.core.snapshot.error else { return }
        self?.fail(error)
      }
    }
    state.withLock { $0.observations = [turns] + failures }
  }

  /// A copy that has been played goes to the end of the loop.
  private func takeBack(_ gone: AVPlayerItem, from start: CMTime) {
    let (player, shown) = state.withLock { ($0.player, $0.shown) }
    guard let player, shown.status == .ready, shown.items.contains(gone), gone.core.player == nil else { return }
    change([.loopCount]) { $0.loopCount += 1 }
    place(gone, at: start)
    let last = player.items().last { shown.items.contains($0) }
    guard player.canInsert(gone, after: last) else { return }
    player.insert(gone, after: last)
  }

  private func fail(_ error: MediaError) {
    let isOver = state.withLock { [.failed, .cancelled].contains($0.shown.status) }
    guard !isOver else { return }
    change([.error, .status]) { shown in
      shown.error = error
      shown.status = .failed
    }
  }

  private func change(_ keys: [PropertyKey], _ body: (inout Shown) -> Void) {
    let (old, new) = state.withLock { state in
      let old = state.shown
      body(&state.shown)
      return (old, state.shown)
    }
    notify(keys, old: old, new: new)
  }
}
