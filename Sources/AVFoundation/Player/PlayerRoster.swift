import MediaEngine
import MediaRuntime

/// The items that a player keeps alive: those of its queue. Any thread.
final class PlayerRoster: Sendable {
  private let items = Lock<[ObjectIdentifier: AVPlayerItem]>([:])

  /// Before the engine hears of the item, so that its events find it.
  func hold(_ item: AVPlayerItem) {
    items.withLock { $0[ObjectIdentifier(item.core)] = item }
  }

  func item(of core: ItemCore) -> AVPlayerItem? {
    items.withLock { $0[ObjectIdentifier(core)] }
  }

  /// Takes items out that have left the queue and have not come back meanwhile.
  func forget(_ gone: [ItemCore], unlessIn present: [ItemCore]) -> [AVPlayerItem] {
    guard !gone.isEmpty else { return [] }
    return items.withLock { items in
      gone.compactMap { core -> AVPlayerItem? in
        guard !present.contains(where: { $0 === core }) else { return nil }
        return items.removeValue(forKey: ObjectIdentifier(core))
      }
    }
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
