/// Which of an item's tracks are decoded. Pure.
struct TrackChoice: Hashable, Sendable {
  /// `MediaTrack.index`; nil when none plays.
  var video: Int?
  var audio: Int?
  /// Held but not decoded, so that they can be there at once: switched off by the app, other languages, other angles.
  var passive: Set<Int> = []

  /// Tracks that the reader delivers.
  var read: Set<Int> {
    var tracks = passive
    if let video { tracks.insert(video) }
    if let audio { tracks.insert(audio) }
    return tracks
  }

  init(_ description: MediaDescription, _ configuration: ItemConfiguration) {
    let selection = configuration.selection(of: description)
    let decodable = description.tracks.filter { $0.isDecodable && ($0.kind == .video || $0.kind == .audio) }
    for track in decodable {
      guard selection[track.kind] == .some(track.id), !configuration.disabledTracks.contains(track.id) else {
        passive.insert(track.index)
        continue
      }
      if track.kind == .video { video = track.index } else { audio = track.index }
    }
  }
}
