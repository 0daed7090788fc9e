/// Tracks that are alternatives of each other: one of a group plays, or none. Named as Apple's characteristics.
///
/// The one place that says what can be chosen and what plays when nobody chooses.
package enum TrackGroup: Hashable, Sendable, CaseIterable {
  case audible, legible, visual

  package var kinds: [TrackKind] {
    switch self {
    case .audible: [.audio]
    case .legible: [.subtitle, .closedCaption]
    case .visual: [.video]
    }
  }

  /// Nil for tracks that are no alternatives of others.
  package init?(_ kind: TrackKind) {
    guard let group = Self.allCases.first(where: { $0.kinds.contains(kind) }) else { return nil }
    self = group
  }
}

extension MediaDescription {
  /// A group's tracks in the container's order.
  package func tracks(of group: TrackGroup) -> [MediaTrack] { tracks.filter { group.kinds.contains($0.kind) } }

  /// Whether there is anything to choose: a lone picture has no alternative, while sound and text have none but silence.
  package func offersChoice(of group: TrackGroup) -> Bool { tracks(of: group).count >= (group == .visual ? 2 : 1) }

  /// What plays of a group when nobody chooses: the container's own choice, as far as it can be decoded. Text shows by
  /// itself only where it is forced.
  package func defaultTrack(of group: TrackGroup) -> MediaTrack? {
    let tracks = tracks(of: group)
    if group == .legible { return tracks.first { $0.isEnabled && $0.characteristics.contains(.forced) } }
    return tracks.first { $0.isEnabled && $0.isDecodable } ?? tracks.first(where: \.isDecodable) ?? tracks.first
  }
}

extension ItemConfiguration {
  /// The track chosen of each kind that is in a group and that the media has, nil for none: the app's choice as far as it
  /// can be played, else the default.
  package func selection(of description: MediaDescription) -> [TrackKind: Int32?] {
    var selection: [TrackKind: Int32?] = [:]
    for group in TrackGroup.allCases {
      let standard = description.defaultTrack(of: group)
      for kind in group.kinds {
        let tracks = description.tracks(of: kind)
        guard !tracks.isEmpty else { continue }
        let byDefault = standard.flatMap { $0.kind == kind ? $0.id : nil }
        switch selectedTracks[kind] {
        case nil: selection[kind] = .some(byDefault)
        case .some(nil): selection[kind] = .some(nil)
        case .some(let id?):
          let isPossible = tracks.contains { $0.id == id && (group == .legible || $0.isDecodable) }
          selection[kind] = .some(isPossible ? id : byDefault)
        }
      }
    }
    return selection
  }
}
