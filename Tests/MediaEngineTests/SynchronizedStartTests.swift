import CoreMedia
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// `setRate(_:time:atHostTime:)` while something else is already running.
@Suite struct SynchronizedStartTests {
  private static func media(_ hasVideo: Bool, _ hasAudio: Bool) -> ScriptedMedia {
    var video = ScriptedMedia.Video()
    video.seconds = 60
    var audio = ScriptedMedia.Audio()
    audio.seconds = 60
    return .make(video: hasVideo ? video : nil, audio: hasAudio ? audio : nil)
  }

  @Test(
    "Playing goes on from the given time at the given host time",
    arguments: [(true, true), (true, false), (false, true)], [nil, 30, 2.5] as [Double?])
  func whilePlaying(tracks: (video: Bool, audio: Bool), target: Double?) throws {
    let backend = FakeBackend()
    backend.add(Self.media(tracks.video, tracks.audio))
    let runner = PlayerRunner(backend: backend)
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.setAutomaticallyWaits(false)
    let item = ItemCore(asset: AssetCore(url: backend.url(), options: .init(), environment: runner.environment))
    player.replaceCurrentItem(item)
    player.play()
    try runner.advance(player).until(.playing)
    try runner.pass(.seconds(2 as Int64))

    let time = target.map { CMTime(seconds: $0, preferredTimescale: 600) } ?? .invalid
    let expected = target ?? player.currentTime().seconds
    let start = runner.scheduler.now + .milliseconds(700)
    player.setRate(1, time: time, atHostTime: start)
    try runner.pass(.milliseconds(600))
    #expect(abs(player.currentTime().seconds - expected) < 0.001)
    try runner.pass(.milliseconds(600))
    #expect(abs(player.currentTime().seconds - expected - 0.5) < 0.005)

    // Without a host time as soon as it can be, and again from where it is then.
    player.setRate(1, time: time, atHostTime: nil)
    try runner.pass(.seconds(1 as Int64))
    let since = player.currentTime().seconds - (target ?? expected + 0.5)
    #expect(since > 0.8 && since < 1.001, "\(since)")
    #expect(player.snapshot.timeControl == .playing)
    player.close()
  }
}
