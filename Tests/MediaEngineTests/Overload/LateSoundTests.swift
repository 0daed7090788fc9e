import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// Sound that is decoded too late for its device, on virtual time.
@Suite struct LateSoundTests {
  /// A pause of the whole process shows as a packet that takes seconds; then every packet takes a while to catch up.
  @Test(
    "After a pause longer than what is queued, the sound is caught up with and the end comes", arguments: [2, 6, 9])
  func endComes(pause: Int64) throws {
    let fake = FakeBackend()
    let slow = SlowBackend(
      fake,
      soundCost: { packet in
        guard let time = packet.presentationTime, time > 100_000 else { return .zero }
        return time < 101_000 ? .seconds(pause) : .milliseconds(4)
      })
    var audio = ScriptedMedia.Audio()
    audio.seconds = 12
    var video = ScriptedMedia.Video()
    video.seconds = 12
    let url = fake.add(.make(video: video, audio: audio))
    let devices = VirtualAudioDevices()
    let runner = PlayerRunner(media: slow, sources: fake, sinks: devices)
    defer { runner.shutdown() }
    slow.spend(on: runner.scheduler)
    let player = runner.makePlayer()
    player.replaceCurrentItem(runner.makeItem(file: url))
    player.play()
    try runner.advance(player, limit: .seconds(20 as Int64)).until(.ended)
    #expect(player.currentTime() == CMTime(value: 12, timescale: 1))
    player.close()
  }
}
