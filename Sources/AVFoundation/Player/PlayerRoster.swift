import MediaEngine
import MediaRuntime

/// The items that a player keeps alive: those of its queue. Any thread.
final class PlayerRoster: Sendable {
  private struct Entry: Sendable {
    let item: AVPlayerItem
    /// How many callers are just bringing it to the queue: it stays until they have.
    var arrivals = 0
  }

  private let entries = Lock<[ObjectIdentifier: Entry]>([:])

  /// Before the engine hears of the item, so that its events find it. `settle` must follow when it has.
  func expect(_ item: AVPlayerItem) {
    entries.withLock { $0[ObjectIdentifier(item.core), default: Entry(item: item)].arrivals += 1 }
  }

  /// The engine has taken an expected item, which may have left the queue again already.
  /// - Parameter present: what is in the queue; asked while nobody else can change the roster.
  /// - Returns: as `forget`.
  func settle(_ item: AVPlayerItem, unlessIn present: () -> [ItemCore]) -> [AVPlayerItem] {
    forget([item.core], present) { $0[ObjectIdentifier(item.core)]?.arrivals -= 1 }
  }

  func item(of core: ItemCore) -> AVPlayerItem? {
    entries.withLock { $0[ObjectIdentifier(core)]?.item }
  }

  /// Takes items out that have left the queue and have not come back meanwhile.
  /// - Parameter present: what is in the queue; asked while nobody else can change the roster.
  func forget(_ gone: [ItemCore], unlessIn present: () -> [ItemCore]) -> [AVPlayerItem] {
    gone.isEmpty ? [] : forget(gone, present) { _ in }
  }

  private func forget(
    _ gone: [ItemCore], _ present: () -> [ItemCore], _ change: (inout [ObjectIdentifier: Entry]) -> Void
  ) -> [AVPlayerItem] {
    let (freed, queue) = entries.withLock { entries -> ([AVPlayerItem], [ItemCore]) in
      change(&entries)
      let queue = present()
      let freed = gone.compactMap { core -> AVPlayerItem? in
        guard let entry = entries[ObjectIdentifier(core)], entry.arrivals == 0 else { return nil }
        guard !queue.contains(where: { $0 === core }) else { return nil }
        entries[ObjectIdentifier(core)] = nil
        return entry.item
      }
      return (freed, queue)
    }
    // Freed after unlocking: what goes with an item may call back.
    withExtendedLifetime(queue) {}
    return freed
  }
}

/// Finds the item of an engine's item while it lives, for what is told of it after it has left its player.
package enum ItemDirectory {
  private struct Entry: Sendable { weak var item: AVPlayerItem? }
  private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

  static func add(_ item: AVPlayerItem) {
    entries.withLock { $0[ObjectIdentifier(item.core)] = Entry(item: item) }
  }

  static func remove(_ core: ItemCore) {
    entries.withLock { $0[ObjectIdentifier(core)] = nil }
  }

  static func item(of core: ItemCore) -> AVPlayerItem? {
    entries.withLock { $0[ObjectIdentifier(core)]?.item }
  }

  package static var count: Int { entries.withLock { $0.count } }
}

/// Finds the player of an engine's player while it lives.
enum PlayerDirectory {
  private struct Entry: Sendable { weak var player: AVPlayer? }
  private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

  static func add(_ player: AVPlayer) {
    entries.withLock { $0[ObjectIdentifier(player.core)] = Entry(player: player) }
  }

  static func remove(_ core: PlayerCore) {
    entries.withLock { $0[ObjectIdentifier(core)] = nil }
  }

  static func player(of core: PlayerCore) -> AVPlayer? {
    entries.withLock { $0[ObjectIdentifier(core)]?.player }
  }
}
