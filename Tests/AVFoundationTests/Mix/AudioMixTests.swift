import AVFoundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// `AVAudioMix` as a client sees it: values that are copied, and what is heard of them.
@Suite struct AudioMixTests {
  private func at(_ seconds: Double) -> CMTime { CMTime(seconds: seconds, preferredTimescale: 600) }

  @Test func parametersAreValues_theItemTakesAndGivesCopies() throws {
    let parameters = AVMutableAudioMixInputParameters()
    #expect(parameters.trackID == kCMPersistentTrackID_Invalid)
    #expect(parameters.audioTimePitchAlgorithm == nil && parameters.audioTapProcessor == nil)
    parameters.trackID = 2
    parameters.setVolumeRamp(
      fromStartVolume: 1, toEndVolume: 0, timeRange: CMTimeRange(start: at(2), duration: at(4)))
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    let item = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4"))
    #expect(item.audioMix == nil)
    item.audioMix = mix
    parameters.trackID = 3
    mix.inputParameters = []
    let kept = try #require(item.audioMix?.inputParameters.first)
    #expect(kept.trackID == 2)
    let copy = try #require(item.copy() as? AVPlayerItem)
    #expect(copy.audioMix == item.audioMix)
    var (from, to, range): (Float, Float, CMTimeRange) = (-1, -1, .invalid)
    #expect(!kept.getVolumeRamp(for: at(1), startVolume: &from, endVolume: &to, timeRange: &range))
    #expect(from == -1)
    #expect(kept.getVolumeRamp(for: at(3), startVolume: &from, endVolume: &to, timeRange: &range))
    #expect(from == 1 && to == 0 && range == CMTimeRange(start: at(2), end: at(6)))
    #expect(kept.getVolumeRamp(for: at(7), startVolume: &from, endVolume: nil, timeRange: &range))
    #expect(from == 0 && range.start == at(6) && range.end == .positiveInfinity)
    item.audioMix = nil
    #expect(item.audioMix == nil)
  }

  /// For the audio track of the stage's clip.
  private func mix(_ stage: Stage, _ change: (AVMutableAudioMixInputParameters) -> Void) async throws -> AVAudioMix {
    let track = try #require(try await AVURLAsset(url: stage.url).loadTracks(withMediaType: .audio).first)
    let parameters = AVMutableAudioMixInputParameters(track: track)
    change(parameters)
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    return mix
  }

  @Test("A fade-out is heard; parameters of another track are not; nil brings the sound back", arguments: Clip.allCases)
  func fade(clip: Clip) async throws {
    try await Stage.run(clip, file: "tone.m4a") { stage in
      let (player, item) = await stage.readyPlayer()
      item.audioMix = try await self.mix(stage) { parameters in
        parameters.setVolumeRamp(
          fromStartVolume: 1, toEndVolume: 0, timeRange: CMTimeRange(start: self.at(1), end: self.at(3)))
      }
      player.play()
      await stage.until("four seconds") { player.currentTime() > self.at(4) }
      let heard = stage.heard
      let rate = try #require(stage.sinks.sinks.first).format.sampleRate
      func peak(_ seconds: Double) -> Float {
        let from = Int(seconds * Double(rate))
        return heard[from..<from + rate / 10].map { abs($0) }.max() ?? 0
      }
      let whole = peak(0.8)
      #expect(whole > 0.05)
      #expect(abs(peak(2) / whole - 0.5) < 0.06)
      #expect(peak(3.2) == 0)
      let other = AVMutableAudioMix()
      let stranger = AVMutableAudioMixInputParameters()
      stranger.trackID = 4_711
      stranger.setVolume(0, at: .zero)
      other.inputParameters = [stranger]
      item.audioMix = other
      await stage.sleep(500)
      #expect((stage.heard.suffix(4_800).map { abs($0) }.max() ?? 0) > 0.9 * whole)
    }
  }

  @Test("A meter tells the levels of what is heard, and a processor before it changes them")
  func levels() async throws {
    final class Half: AudioTapProcessing {
      func process(_ buffer: inout AudioTapBuffer) {
        for frame in 0..<buffer.frameCount { buffer[frame, 1] *= 0.5 }
      }
    }
    try await Stage.run(.fake) { stage in
      let (player, item) = await stage.readyPlayer()
      let meter = AudioLevelMeter()
      item.audioMix = try await self.mix(stage) { $0.audioTapProcessor = MTAudioProcessingTap(Half(), meter) }
      #expect(meter.levels(at: .zero).isEmpty)
      player.play()
      await stage.until("two seconds") { player.currentTime() > self.at(2) }
      let levels = meter.levels(at: player.currentTime())
      try #require(levels.count == 2)
      // A triangle of amplitude 0.5: its power is a third of its peak's.
      #expect(abs(levels[0].peakPower - -6.02) < 0.1)
      #expect(abs(levels[0].averagePower - (-6.02 - 4.77)) < 0.2)
      #expect(abs(levels[1].peakPower - -12.04) < 0.1)
      #expect(meter.levels(at: self.at(9_000)).isEmpty)
      item.audioMix = nil
      await stage.sleep(100)
      #expect(meter.levels(at: player.currentTime()).isEmpty)
    }
  }

  @Test func aFrameBeyondTheBufferIsAMistake() async {
    await #expect(processExitsWith: .failure) {
      final class Wrong: AudioTapProcessing {
        func process(_ buffer: inout AudioTapBuffer) { buffer[buffer.frameCount, 0] = 1 }
      }
      try await Stage.run(.fake) { stage in
        let (player, item) = await stage.readyPlayer()
        let mix = AVMutableAudioMix()
        mix.inputParameters = try await AVURLAsset(url: stage.url).load(.tracks).map { track in
          let parameters = AVMutableAudioMixInputParameters(track: track)
          parameters.audioTapProcessor = MTAudioProcessingTap(Wrong())
          return parameters
        }
        item.audioMix = mix
        player.play()
        await stage.sleep(1_000)
      }
    }
  }
}
