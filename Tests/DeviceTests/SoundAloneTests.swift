import AVFoundation
import AudioOutput
import FFmpegBackend
import Glibc
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

extension DeviceTests {
  @Suite("A player of sound alone") struct SoundAloneTests {
    /// Whatever the machine does meanwhile: the sound of a minute is 350 blocks of memory that the server gives back (all
    /// at once on a quiet machine, each by itself at worst), 40 requests, 40 answers, and 20 bursts from the engine.
    @Test("It wakes the process at most 600 times a minute")
    func wakeUps() async throws {
      let scheduler = RealScheduler.shared
      let server = try SoundServer()
      let environment = EngineEnvironment(
        scheduler: scheduler, backend: FFmpegMediaBackend(), sources: LocalSourceOpener(),
        audioSinks: AudioSinks(.server, address: server.address))
      let url = try Fixture.url("minute.mp3")
      let player = EngineEnvironment.$override.withValue(environment) { AVPlayer(url: url) }
      let queue = scheduler.queue("sound alone", .light)
      player.play()
      for _ in 0..<1000 where player.currentTime().seconds < 1 { await queue.sleep(.milliseconds(20)) }
      let begin = player.currentTime().seconds
      try #require(begin >= 1)
      let before = ThreadCensus.sleepsByThread("sprocket.")
      let costBefore = cpuTime()
      await queue.sleep(.seconds(12 as Int64))
      let cost = cpuTime() - costBefore
      let after = ThreadCensus.sleepsByThread("sprocket.")
      let played = player.currentTime().seconds - begin
      #expect(played > 6)
      let counts = after.map { (name, count) in (name, Int(Double(count - (before[name] ?? 0)) * 60 / played)) }
      print("sound alone: wake-ups a minute by thread \(counts.filter { $0.1 > 0 }), \(cost / played * 100) % of a CPU")
      #expect(counts.reduce(0) { $0 + $1.1 } <= 600)
      player.pause()
    }

    private func cpuTime() -> Double {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
    }
  }
}
