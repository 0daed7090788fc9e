import AVFoundation
import Foundation

/// A feed's players: the one on screen, and the two beside it loaded and ready.
@MainActor
final class PlayerPool {
  private struct Slot {
    let player: AVPlayer
    var index: Int?
  }

  private var slots: [Slot]
  private let urls: [URL]
  private(set) var current = -1

  init(urls: [URL], size: Int = 3) {
    self.urls = urls
    slots = (0..<size).map { _ in
      let player = AVPlayer()
      player.isMuted = true
      player.automaticallyWaitsToMinimizeStalling = false
      player.actionAtItemEnd = .none
      return Slot(player: player)
    }
  }

  func player(at index: Int) -> AVPlayer? {
    slots.first { $0.index == index }?.player
  }

  /// Shows a place of the feed: plays it, and prepares its neighbours in the players that are free.
  func show(_ index: Int) {
    current = index
    let wanted = (index - 1...index + 1).filter(urls.indices.contains)
    for slot in slots.indices where !wanted.contains(slots[slot].index ?? -1) { slots[slot].index = nil }
    for place in wanted where player(at: place) == nil {
      guard let free = slots.firstIndex(where: { $0.index == nil }) else { continue }
      slots[free].index = place
      let item = AVPlayerItem(url: urls[place])
      item.preferredForwardBufferDuration = 1
      slots[free].player.replaceCurrentItem(with: item)
    }
    for slot in slots {
      if slot.index == index { slot.player.play() } else { slot.player.pause() }
    }
  }

  func drain() {
    for slot in slots { slot.player.replaceCurrentItem(with: nil) }
  }
}
