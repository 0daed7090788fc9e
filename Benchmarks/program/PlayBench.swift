import AVFoundation
import Foundation

/// Plays files at the same time, each on a player of its own, until it is killed.
@MainActor
enum PlayBench {
  private static var players: [AVPlayer] = []

  static func begin(_ paths: [String]) {
    players = paths.map { path in
      let player = AVPlayer(url: URL(fileURLWithPath: path))
      player.play()
      return player
    }
  }
}
