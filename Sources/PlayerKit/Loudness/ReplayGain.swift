public import AVFoundation

/// How much louder or quieter a piece of music is to be played so that all pieces are equally loud, as its tags say:
/// ReplayGain's tags, or those of Opus (RFC 7845 section 5.2.1), which are turned into the same.
public struct ReplayGain: Hashable, Codable, Sendable {
  /// Which of the gains counts.
  public enum Mode: String, CaseIterable, Codable, Sendable {
    case off
    /// Every piece as loud as every other.
    case track
    /// The pieces of an album as they are to each other; a piece without an album's gain by its own.
    case album
  }

  /// In decibels.
  public var trackGain: Double?
  /// The largest sample, 1 for full scale.
  public var trackPeak: Double?
  public var albumGain: Double?
  public var albumPeak: Double?

  public init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
  }

  /// Reads an asset's tags; values that no encoder means (beyond ±60 dB, peaks beyond 100) are ignored.
  /// - Parameter metadata: what `load(.metadata)` gives.
  public init(metadata: [AVMetadataItem]) async {
    self.init()
    for item in metadata {
      guard let field = Field.allCases.first(where: { $0.names(item) }) else { continue }
      guard let text = try? await item.load(.stringValue) else { continue }
      set(field, text)
    }
  }

  private enum Field: String, CaseIterable {
    case trackGain = "replaygain_track_gain"
    case trackPeak = "replaygain_track_peak"
    case albumGain = "replaygain_album_gain"
    case albumPeak = "replaygain_album_peak"
    case opusTrackGain = "r128_track_gain"
    case opusAlbumGain = "r128_album_gain"

    /// Containers have the name as a key, or as the description of a text of the user's own (ID3's TXXX).
    func names(_ item: AVMetadataItem) -> Bool {
      let info = item.extraAttributes?[.info] as? String
      let key = (item.key as? NSString).map { $0 as String }
      return [key, info].contains { $0?.lowercased().hasSuffix(rawValue) == true }
    }
  }

  private mutating func set(_ field: Field, _ text: String) {
    let number = text.split(separator: " ", omittingEmptySubsequences: true).first.flatMap { Double($0) }
    guard let number, number.isFinite else { return }
    let gain = abs(number) <= 60 ? number : nil
    let peak = number > 0 && number <= 100 ? number : nil
    // In 256ths of a decibel, to −23 LUFS where ReplayGain goes to −18.
    let opus = abs(number) <= 32_768 ? number / 256 + 5 : nil
    switch field {
    case .trackGain: trackGain = gain ?? trackGain
    case .trackPeak: trackPeak = peak ?? trackPeak
    case .albumGain: albumGain = gain ?? albumGain
    case .albumPeak: albumPeak = peak ?? albumPeak
    case .opusTrackGain: trackGain = trackGain ?? opus
    case .opusAlbumGain: albumGain = albumGain ?? opus
    }
  }

  /// The volume to play at, 1 for unchanged.
  /// - Parameters:
  ///   - preamp: decibels on top, for pieces that have a gain.
  ///   - preventsClipping: never so loud that the largest sample known goes beyond full scale.
  public func volume(_ mode: Mode, preamp: Double = 0, preventsClipping: Bool = true) -> Float {
    let (gain, peak): (Double?, Double?)
    switch mode {
    case .off: return 1
    case .track: (gain, peak) = (trackGain ?? albumGain, trackPeak ?? albumPeak)
    case .album: (gain, peak) = albumGain.map { ($0, albumPeak) } ?? (trackGain, trackPeak)
    }
    guard let gain, preamp.isFinite else { return 1 }
    var volume = pow(10, min(max(gain + preamp, -60), 24) / 20)
    // Without a known peak nothing is made louder: it may be at full scale.
    if preventsClipping { volume = min(volume, 1 / (peak ?? 1)) }
    return Float(volume)
  }

  /// A mix for an item of the asset that was read: its audio tracks at `volume`; nil where that is 1.
  public func audioMix(
    for tracks: [AVAssetTrack], _ mode: Mode, preamp: Double = 0, preventsClipping: Bool = true
  ) -> AVAudioMix? {
    let volume = volume(mode, preamp: preamp, preventsClipping: preventsClipping)
    guard volume != 1 else { return nil }
    let mix = AVMutableAudioMix()
    mix.inputParameters = tracks.filter { $0.mediaType == .audio }.map { track in
      let parameters = AVMutableAudioMixInputParameters(track: track)
      parameters.setVolume(volume, at: .zero)
      return parameters
    }
    return mix
  }
}
