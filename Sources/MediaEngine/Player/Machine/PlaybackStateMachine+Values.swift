import CoreMedia
import MediaRuntime

extension PlaybackStateMachine {
  /// Shows what the header said. Called at readiness, and when the media corrects itself later.
  mutating func publishDescription(of id: ItemID) {
    guard let item = items[id], let description = item.description else { return }
    update(id) { values in
      let rates = Dictionary(
        values.tracks.map { ($0.track.id, $0.currentFrameRate) }, uniquingKeysWith: { first, _ in first })
      values.duration = description.duration
      values.tracks = description.tracks.map { track in
        let isChosen = Self.isChosen(track, of: description, item.configuration)
        var state = ItemTrackState(
          track: track, isEnabled: isChosen && !item.configuration.disabledTracks.contains(track.id))
        state.currentFrameRate = rates[track.id] ?? 0
        return state
      }
      let picture = values.tracks.first { $0.track.kind == .video && $0.isEnabled }
      let size = (picture?.track ?? description.tracks(of: .video).first)?.video?.presentationSize
      values.presentationWidth = size.map { Double($0.width) } ?? 0
      values.presentationHeight = size.map { Double($0.height) } ?? 0
      values.selectedTracks = Self.selection(of: description, item.configuration)
    }
  }

  mutating func publishBuffer(of id: ItemID) {
    guard let buffer = items[id]?.buffer else { return }
    update(id) { values in
      values.loadedTimeRanges = buffer.loadedRanges
      values.seekableTimeRanges = buffer.seekableRanges
      values.isLikelyToKeepUp = buffer.isLikelyToKeepUp
      values.isBufferFull = buffer.isFull
      values.isBufferEmpty = buffer.isEmpty
    }
  }

  mutating func configure(_ id: ItemID, _ change: ItemChange) {
    guard var item = items[id], item.phase != .failed else { return }
    item.configuration.apply(change)
    items[id] = item
    update(id) { $0.apply(change) }
    if item.phase == .ready { publishDescription(of: id) }
    if case .select = change { act(.notify(.mediaSelectionDidChange(id))) }
    if item.isAttached { act(.driver(.reconfigure(id, item.configuration))) }
  }

  /// The kinds among whose tracks one is chosen; of the others all play.
  private static let selectable: [TrackKind] = [.audio, .subtitle]

  /// The track chosen of each selectable kind that the media has: the app's choice, else the container's.
  static func selection(
    of description: MediaDescription, _ configuration: ItemConfiguration
  ) -> [TrackKind: Int32?] {
    var selection: [TrackKind: Int32?] = [:]
    for kind in selectable {
      let tracks = description.tracks(of: kind)
      if tracks.isEmpty { continue }
      if let chosen = configuration.selectedTracks[kind] {
        selection[kind] = .some(chosen)
      } else if kind == .audio {
        selection[kind] = .some((tracks.first { $0.isEnabled && $0.isDecodable } ?? tracks.first)?.id)
      } else {
        selection[kind] = .some(tracks.first { $0.isEnabled && $0.characteristics.contains(.forced) }?.id)
      }
    }
    return selection
  }

  private static func isChosen(
    _ track: MediaTrack, of description: MediaDescription, _ configuration: ItemConfiguration
  ) -> Bool {
    guard selectable.contains(track.kind) else { return track.isEnabled }
    return selection(of: description, configuration)[track.kind] == .some(track.id)
  }
}

extension ItemConfiguration {
  package mutating func apply(_ change: ItemChange) {
    switch change {
    case .enable(let track, true): disabledTracks.remove(track)
    case .enable(let track, false): disabledTracks.insert(track)
    case .select(let track, let kind): selectedTracks[kind] = .some(track)
    case .forwardEnd(let time): forwardEndTime = time
    case .reverseEnd(let time): reverseEndTime = time
    case .preferredForwardBuffer(let seconds): preferredForwardBufferDuration = seconds
    }
  }
}

extension ItemSnapshot {
  /// What an item shows of a change without knowing its media.
  package mutating func apply(_ change: ItemChange) {
    switch change {
    case .enable(let track, let isEnabled):
      for index in tracks.indices where tracks[index].track.id == track { tracks[index].isEnabled = isEnabled }
    case .select(let track, let kind): selectedTracks[kind] = .some(track)
    case .forwardEnd(let time): forwardEndTime = time
    case .reverseEnd(let time): reverseEndTime = time
    case .preferredForwardBuffer(let seconds): preferredForwardBufferDuration = seconds
    }
  }
}
