/// Which of an item's tracks are decoded. Pure.
struct TrackChoice: Hashable, Sendable {
  /// `MediaTrack.index`; nil when none plays.
  var video: Int?
  var audio: Int?
  /// Held but not decoded, so that they can be back at once: switched off by the app, or other languages.
  var passive: Set<Int> = []

  /// Tracks that the reader delivers.
  var read: Set<Int> {
    var tracks = passive
    if let video { tracks.insert(video) }
    if let audio { tracks.insert(audio) }
    return tracks
  }

  init(_ description: MediaDescription, _ configuration: ItemConfiguration) {
    let video = Self.chosen(.video, description, configuration)
    let audio = Self.chosen(.audio, description, configuration)
    for track in [video, audio].compactMap({ $0 }) {
      if configuration.disabledTracks.contains(track.id) {
        passive.insert(track.index)
      } else if track.kind == .video {
        self.video = track.index
      } else {
        self.audio = track.index
      }
    }
    for track in description.tracks(of: .audio) where track.isDecodable && track.index != self.audio {
      passive.insert(track.index)
    }
  }

  /// The app's choice, else the container's default, else the first that can be decoded.
  private static func chosen(_ kind: TrackKind, _ description: MediaDescription, _ configuration: ItemConfiguration)
    -> MediaTrack?
  {
    let tracks = description.tracks(of: kind).filter(\.isDecodable)
    if let choice = configuration.selectedTracks[kind] {
      guard let id = choice else { return nil }
      if let track = tracks.first(where: { $0.id == id }) { return track }
    }
    let enabled = tracks.filter { !configuration.disabledTracks.contains($0.id) }
    return enabled.first(where: \.isEnabled) ?? enabled.first ?? tracks.first(where: \.isEnabled) ?? tracks.first
  }
}
