public import Foundation
import MediaEngine
import MediaRuntime

/// Plays a queue of items, each joined to the one before.
@preconcurrency @MainActor
open class AVQueuePlayer: AVPlayer {
  public nonisolated override init() {
    super.init()
  }

  public nonisolated override init(url: URL) {
    super.init(url: url)
  }

  public nonisolated override init(playerItem item: AVPlayerItem?) {
    super.init(playerItem: item)
  }

  /// - Precondition: each item once, and none with another player.
  public nonisolated init(items: [AVPlayerItem]) {
    super.init()
    for item in items { append(item, after: nil) }
  }

  /// The current item first.
  open nonisolated func items() -> [AVPlayerItem] {
    view(.currentItem).items.compactMap { item(of: $0) }
  }

  /// Removes the current item; the next one, if any, plays on at the same rate.
  open nonisolated func advanceToNextItem() { core.advanceToNextItem() }

  /// False when the item is in a queue already, or `afterItem` is not in this one.
  open nonisolated func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
    guard item.core.player == nil else { return false }
    guard let afterItem else { return true }
    return core.snapshot.items.contains { $0 === afterItem.core }
  }

  /// - Parameter afterItem: one of the queue; nil appends.
  /// - Precondition: `canInsert(_:after:)`.
  open nonisolated func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
    append(item, after: afterItem)
  }

  private nonisolated func append(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
    if item.core.player === core { Misuse.itemIsInQueue() }
    if let afterItem, afterItem.core.player !== core { Misuse.insertAfterForeignItem() }
    guard bring(item, { core.insert($0, after: afterItem?.core) }) else { Misuse.itemHasAnotherPlayer() }
  }

  /// The current item's removal makes the next one current.
  open nonisolated func remove(_ item: AVPlayerItem) { core.remove(item.core) }

  /// Playing ends.
  open nonisolated func removeAllItems() { core.removeAllItems() }
}
