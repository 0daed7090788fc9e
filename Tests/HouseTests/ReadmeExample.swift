import AVFoundation

func seconds(of path: String) async throws -> Double {
  let asset = AVURLAsset(url: URL(fileURLWithPath: path))
  return try await asset.load(.duration).seconds
}

@MainActor func start(_ path: String) -> (AVPlayer, NSKeyValueObservation) {
  let player = AVPlayer(url: URL(fileURLWithPath: path))
  let watch = player.observe(\.timeControlStatus) { player, _ in print(player.timeControlStatus) }
  player.play()
  return (player, watch)
}
