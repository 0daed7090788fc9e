import AVFoundation
import MediaTestSupport
import Testing

/// Sound files and formats. The numbers are those of Docs/FaultCases.md.
@Suite struct SoundCases {
  @Test("P038: VBR MP3 without a seek header has its true length, ends there, and is sought exactly")
  func headerlessVBRIsScanned() async throws {
    try await Stage.run(.real, file: "vbr-noxing.mp3") { stage in
      let case38 = await stage.player(of: stage.url)
      #expect(abs(case38.item.duration.seconds - 120) < 0.1)
      // Each 20 s hold 10 s of noise, then 10 s of 440 Hz.
      #expect(await case38.seek(91))
      let from = stage.heard.count
      case38.player.play()
      await stage.until("three seconds on") { case38.player.currentTime() > seconds(94) }
      let tone = Tone(samples: stage.heard[(from + 9_600)...].dropLast(4_800))
      #expect(abs(tone.hertz - 440) < 1)
      #expect(await case38.seek(118))
      await stage.until("ended") { case38.record.count("ended") == 1 }
      #expect(abs(case38.player.currentTime().seconds - 120) < 0.1)
    }
  }

  @Test(
    "P044: changes of rate and channels in mid-stream keep pitch and length", arguments: ["change.aac", "change.mp3"])
  func changingFormatKeepsPitchAndLength(file: String) async throws {
    try await Stage.run(.real, file: file) { stage in
      let case44 = await stage.player(of: stage.url)
      #expect(abs(case44.item.duration.seconds - 15) < 0.2)
      case44.player.play()
      var last = CMTime.zero
      for _ in 0..<14 {
        await stage.sleep(1_000)
        let now = case44.player.currentTime()
        #expect(abs((now - last).seconds - 1) < 0.1)
        last = now
      }
      await stage.until("ended") { case44.record.count("ended") == 1 }
      let heard = stage.heard
      for start in stride(from: 1, to: 14, by: 1) where start % 5 != 0 && start % 5 != 4 {
        let tone = Tone(samples: heard[start * 48_000..<(start + 1) * 48_000])
        #expect(abs(tone.hertz - 441) < 1, "second \(start)")
        #expect(tone.longestRun(below: 0.02) < 48, "second \(start)")
      }
      // The encoders' priming stands in the file at each join: 1,024 or 1,105 samples; nothing may be added to it.
      for join in [5, 10] {
        let tone = Tone(samples: heard[join * 48_000 - 12_000..<join * 48_000 + 12_000])
        #expect(tone.longestRun(below: 0.02) < 48_000 * 50 / 1_000, "join at \(join)")
      }
    }
  }

  @Test("P091: the centre channel comes from both speakers, 3 dB down")
  func centreComesFromBothSpeakers() async throws {
    try await Stage.run(.real, file: "center-only.m4a") { stage in
      let case91 = await stage.player(of: stage.url)
      case91.player.play()
      await stage.until("two seconds") { case91.player.currentTime() > seconds(2) }
      let played = try #require(stage.sinks.sinks.first).played
      for channel in 0..<2 {
        let samples = stride(from: 48_000 + channel, to: 2 * 48_000, by: 2).map { played[$0] }
        let level = 20 * log10(Double(Tone(samples: samples[...]).peak) / 0.25)
        #expect(abs(level + 3) < 1, "channel \(channel): \(level) dB")
      }
    }
  }
}
