/// The two places of subtitles over one picture.
package enum SubtitleSlot: Hashable, Sendable, CaseIterable {
  case primary
  /// A second language, shown at the upper edge.
  case secondary

  var place: SubtitleLayer.Place { self == .primary ? .own : .top }
}

/// Which tracks of subtitles are shown, by their ids. Pure.
struct SubtitleChoice: Hashable, Sendable {
  private(set) var tracks: [SubtitleSlot: Int32] = [:]

  init(_ description: MediaDescription, _ configuration: ItemConfiguration) {
    let selection = configuration.selection(of: description)
    for kind in TrackGroup.legible.kinds {
      if let id = selection[kind] ?? nil, isShown(id, description, configuration) { tracks[.primary] = id }
    }
    if let id = configuration.secondarySubtitle, isShown(id, description, configuration), tracks[.primary] != id {
      tracks[.secondary] = id
    }
  }

  private func isShown(_ id: Int32, _ description: MediaDescription, _ configuration: ItemConfiguration) -> Bool {
    guard let track = description.tracks(of: .legible).first(where: { $0.id == id }) else { return false }
    return track.isDecodable && !configuration.disabledTracks.contains(id)
  }
}
