import AVFoundation
import AudioOutput
import FFmpegBackend
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Plays the numbered clip on a sound server's null sink and holds each picture handed out against the sample that was
/// recorded from the sink at that instant. At other speeds a clip with swept sound (`SweptSound`) takes its place.
struct SyncMeasure {
  struct Report: CustomStringConvertible {
    /// How much later than its sound each picture was presented, in milliseconds.
    var errors: [Double] = []
    /// Numbers left out between two looks, and those of them for which the display itself looked too late.
    var missing = 0
    var overslept = 0
    var soundBreaks = 0

    static func mean(_ values: [Double]) -> Double { values.reduce(0) { $0 + abs($1) } / Double(max(values.count, 1)) }
    static func share(_ values: [Double]) -> Double {
      Double(values.count { abs($0) <= 1000 / SyncMeasure.frameRate / 2 }) / Double(max(values.count, 1))
    }

    var description: String {
      let sorted = errors.sorted()
      let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
      return """
        sound against picture: \(errors.count) pictures, mean error \(Self.rounded(Self.mean(errors))) ms, median \
        \(Self.rounded(median)) ms, largest \(Self.rounded(errors.map { abs($0) }.max() ?? 0)) ms, within half a frame \
        \(Self.rounded(Self.share(errors) * 100)) %
        pictures never seen: \(missing), \(overslept) of them while the display slept; breaks in the sound: \(soundBreaks)
        """
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
  }

  static let frameRate = 30.0
  /// How often the display looks for a new picture.
  private static let period = Nanoseconds.milliseconds(4)
  private static let clipSeconds = 60.0

  let scheduler = RealScheduler.shared
  var rate: Float = 1
  var pitch = AVAudioTimePitchAlgorithm.timeDomain

  /// - Parameter seconds: of media, played in laps of a minute at most.
  func run(seconds: Double) async throws -> Report {
    let server = try SoundServer()
    let environment = EngineEnvironment(
      scheduler: scheduler, backend: FFmpegMediaBackend(), sources: LocalSourceOpener(),
      audioSinks: AudioSinks(.server, address: server.address))
    let url = try Fixture.url(rate == 1 ? "sync.mov" : "sync-chirp.mov")
    let (player, output) = EngineEnvironment.$override.withValue(environment) {
      let item = AVPlayerItem(url: url)
      item.audioTimePitchAlgorithm = pitch
      let output = AVPlayerItemVideoOutput()
      item.add(output)
      return (AVPlayer(playerItem: item), output)
    }
    var report = Report()
    var left = seconds
    while left > 0.5 {
      let recording = try server.record("one")
      let begin = scheduler.now
      let shown = await lap(player, output, until: min(left, Self.clipSeconds - 0.2))
      print(
        "lap of \((scheduler.now - begin).seconds) s: \(shown.count) pictures, to \(player.currentTime().seconds) s")
      let sound = recording.stop()
      if rate == 1 {
        judge(shown, sound, recording.arrivals, &report)
      } else {
        judge(
          shown, SweptSound(samples: sound.left, pitch: pitch == .varispeed ? Double(rate) : 1), recording.arrivals,
          &report)
      }
      left -= Self.clipSeconds
      _ = await player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero)
    }
    return report
  }

  private struct Shown {
    var number: Int
    /// When a display that looks at every instant would have got it: when the player's time reached it, unless a look
    /// after that did not find it yet.
    var presented: HostTime
    /// Since the look before.
    var gap: Nanoseconds
  }

  /// Plays from where the player stands, and looks for pictures as a display does.
  private func lap(_ player: AVPlayer, _ output: AVPlayerItemVideoOutput, until end: Double) async -> [Shown] {
    let queue = scheduler.queue("test display", .urgent)
    var shown: [Shown] = []
    var last = scheduler.now
    let giveUp = last + .seconds(end / Double(rate) + 20)
    player.rate = rate
    while scheduler.now < giveUp {
      await queue.sleep(Self.period)
      let now = scheduler.now
      let time = output.itemTime(forHostTime: Double(now.nanoseconds) / 1_000_000_000)
      if output.hasNewPixelBuffer(forItemTime: time),
        let buffer = output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil),
        let number = FrameCode.read(buffer)
      {
        let due = now - .seconds((time.seconds - Double(number) / Self.frameRate) / Double(rate))
        shown.append(Shown(number: number, presented: due > last ? due : now, gap: now - last))
      }
      last = now
      if time.seconds >= end || player.rate == 0 {
        player.pause()
        return shown
      }
    }
    let item = player.currentItem
    print(
      """
      this lap gave up: \(player.timeControlStatus), rate \(player.rate), \
      \(String(describing: player.reasonForWaitingToPlay)), at \(player.currentTime().seconds) s, \
      \(String(describing: item?.status)), \(String(describing: item?.error)), \
      likely to keep up \(String(describing: item?.isPlaybackLikelyToKeepUp)), \
      loaded \(String(describing: item?.loadedTimeRanges.count))
      """)
    player.pause()
    return shown
  }

  private func judge(
    _ shown: [Shown], _ samples: (left: [Float], right: [Float]), _ arrivals: SoundArrivals, _ report: inout Report
  ) {
    let numbers = zip(samples.left, samples.right).map { SoundFeeder.number($0, $1) }
    guard let first = numbers.firstIndex(where: { $0 != nil }),
      let last = numbers.lastIndex(where: { $0 != nil })
    else { return }
    // The fades at both ends change the samples, hence their numbers.
    let steady = (first + 960)..<max(first + 961, last - 960)
    for index in steady.dropFirst() where index < numbers.count {
      if numbers[index] != numbers[index - 1].map({ $0 + 1 }) { report.soundBreaks += 1 }
    }
    for picture in shown {
      guard let index = arrivals.frame(at: picture.presented), steady.contains(index), index < numbers.count,
        let sample = numbers[index]
      else { continue }
      report.errors.append(Double(sample) / 48 - Double(picture.number) / Self.frameRate * 1000)
    }
    countMissing(shown, &report)
  }

  /// At another speed: how far the sound heard is from the picture, in wall time.
  private func judge(_ shown: [Shown], _ sound: SweptSound, _ arrivals: SoundArrivals, _ report: inout Report) {
    for picture in shown {
      guard let index = arrivals.frame(at: picture.presented), let second = sound.second(at: index) else { continue }
      let time = Double(picture.number) / Self.frameRate
      let apart = second - time
      report.errors.append((apart - apart.rounded()) / Double(rate) * 1000)
    }
    countMissing(shown, &report)
  }

  private func countMissing(_ shown: [Shown], _ report: inout Report) {
    for (before, after) in zip(shown, shown.dropFirst()) where after.number > before.number + 1 {
      let missing = after.number - before.number - 1
      report.missing += missing
      if after.gap.seconds > 1 / Self.frameRate { report.overslept += missing }
    }
  }
}
