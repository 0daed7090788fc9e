import AVFoundation
import Foundation
import MediaTestSupport
import PlayerKit
import Testing

/// Snapshots of real players, judged together with what `sprocket doctor` says of their files.
@MainActor
@Suite struct PlaybackCollectorTests {
  private struct Report: Decodable { var findings: [MediaFinding] }

  private func findings(_ url: URL) throws -> [MediaFinding] {
    let runner = try ProcessRunner("sprocket")
    let result = try #require(try runner.run(1, arguments: ["doctor", "--json", url.path]).first)
    return try JSONDecoder().decode([Report].self, from: Data(result.output.utf8)).flatMap(\.findings)
  }

  /// The player when its item's status is known.
  private func settled(_ url: URL) async throws -> AVPlayer {
    let player = AVPlayer(url: url)
    let item = try #require(player.currentItem)
    let (statuses, news) = AsyncStream.makeStream(of: AVPlayerItem.Status.self)
    let token = item.observe(\.status, options: [.initial, .new]) { item, _ in news.yield(item.status) }
    for await status in statuses where status != .unknown { break }
    token.invalidate()
    return player
  }

  @Test(arguments: [
    ("trunc-tail.mp4", PlaybackCause.indexMissing), ("lone-segment.m4s", .fileSplit), ("protected.mp4", .protected),
  ])
  func aFileThatFails_isNamedByItsFinding(clip: String, cause: PlaybackCause) async throws {
    let url = try Fixture.url(clip)
    let player = try await settled(url)
    let snapshot = PlaybackSnapshot(player, at: 0, wantsView: false)
    #expect(snapshot.itemStatus == .failed && snapshot.itemFailure?.domain == AVFoundationErrorDomain)
    #expect(PlaybackDiagnosis.causes(of: snapshot, findings: try findings(url)).map(\.cause) == [cause])
  }

  @Test func aMissingFile_isNamedByItsErrorAlone() async throws {
    let player = try await settled(URL(fileURLWithPath: "/nonexistent/film.mp4"))
    let snapshot = PlaybackSnapshot(player, at: 0, wantsView: false)
    #expect(PlaybackDiagnosis.causes(of: snapshot).map(\.cause) == [.fileMissing])
  }

  @Test func aReadyPlayer_tellsItsTracks_itsView_andThatItIsMuted() async throws {
    let player = try await settled(try Fixture.film())
    player.isMuted = true
    let layer = AVPlayerLayer(player: player)
    let snapshot = PlaybackSnapshot(player, at: 5, layer: layer, wantsView: true)
    #expect(snapshot.itemStatus == .readyToPlay && snapshot.control == .paused && snapshot.duration == 12)
    #expect(Set(snapshot.tracks.map(\.kind)).isSuperset(of: [.video, .audio]))
    #expect(PlaybackDiagnosis.causes(of: snapshot).map(\.cause) == [.paused, .viewWithoutSize, .muted])
    layer.frame = CGRect(x: 0, y: 0, width: 320, height: 180)
    let laidOut = PlaybackSnapshot(player, at: 5, layer: layer, wantsView: true)
    #expect(PlaybackDiagnosis.causes(of: laidOut).map(\.cause) == [.paused, .muted])
    let other = PlaybackSnapshot(player, at: 5, layer: AVPlayerLayer(player: AVPlayer()), wantsView: true)
    #expect(PlaybackDiagnosis.causes(of: other).map(\.cause) == [.paused, .viewOfAnotherPlayer, .muted])
  }

  @Test func aSilentSong_isNamedByItsFinding() async throws {
    let url = try Fixture.url("silent.m4a")
    let player = try await settled(url)
    let snapshot = PlaybackSnapshot(player, at: 0, wantsView: false)
    #expect(
      PlaybackDiagnosis.causes(of: snapshot, findings: try findings(url)).map(\.cause) == [.paused, .silentTrack])
  }
}
