import AVFoundation
import Foundation
import MediaTestSupport
import PlayerKit
import Testing

@Suite struct ReplayGainTests {
  private func tag(_ key: String, _ value: String, info: String? = nil) -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.keySpace = .id3
    item.key = key as NSString
    item.value = value as NSString
    item.extraAttributes = info.map { [.info: $0] }
    return item
  }

  @Test func tagsAreRead_underAnyOfTheirNames() async {
    let gain = await ReplayGain(metadata: [
      tag("replaygain_track_gain", "-7.30 dB"), tag("com.apple.iTunes.REPLAYGAIN_TRACK_PEAK", "0.988"),
      tag("TXXX", "+1.5 dB", info: "REPLAYGAIN_ALBUM_GAIN"), tag("TXXX", "1.02", info: "replaygain_album_peak"),
    ])
    #expect(gain == ReplayGain(trackGain: -7.3, trackPeak: 0.988, albumGain: 1.5, albumPeak: 1.02))
  }

  @Test("What no encoder means is ignored", arguments: ["", "loud", "nan dB", "inf", "-1e300 dB", "900 dB"])
  func damaged(text: String) async {
    #expect(await ReplayGain(metadata: [tag("REPLAYGAIN_TRACK_GAIN", text)]) == ReplayGain())
  }

  @Test func theVolume() {
    let gain = ReplayGain(trackGain: -6.0206, trackPeak: 0.9, albumGain: 6.0206, albumPeak: 0.8)
    #expect(gain.volume(.off) == 1)
    #expect(abs(gain.volume(.track) - 0.5) < 1e-4)
    #expect(abs(gain.volume(.album) - 1.25) < 1e-4)
    #expect(abs(gain.volume(.album, preventsClipping: false) - 2) < 1e-4)
    #expect(abs(gain.volume(.track, preamp: 3) - 0.7063) < 1e-3)
    #expect(ReplayGain().volume(.album, preamp: 6) == 1)
    #expect(ReplayGain(trackGain: 6).volume(.track) == 1)
    #expect(abs(ReplayGain(trackGain: -6.0206).volume(.album) - 0.5) < 1e-4)
    #expect(gain.volume(.track, preamp: .nan) == 1)
  }

  @Test("Files' own tags", arguments: ["replaygain.flac", "replaygain.mp3", "replaygain.opus"])
  func files(name: String) async throws {
    let asset = AVURLAsset(url: try Fixture.url(name))
    let gain = await ReplayGain(metadata: try await asset.load(.metadata))
    #expect(abs((gain.trackGain ?? 0) - -6.02) < 0.01)
    let tracks = try await asset.load(.tracks)
    let mix = try #require(gain.audioMix(for: tracks, .track))
    #expect(mix.inputParameters.map(\.trackID) == tracks.map(\.trackID))
    var volume: Float = 0
    #expect(mix.inputParameters[0].getVolumeRamp(for: .zero, startVolume: &volume, endVolume: nil, timeRange: nil))
    #expect(abs(volume - 0.5) < 0.01)
    #expect(gain.audioMix(for: tracks, .off) == nil)
  }
}
