import CoreMedia
import MediaRuntime

extension PlaybackStateMachine {
  /// Shows what the header said. Called at readiness, and when the media corrects itself later.
  mutating func publishDescription(of id: ItemID) {
    guard let item = items[id], let description = item.description else { return }
    update(id) { values in
      let rates = Dictionary(
        values.tracks.map { ($0.track.id, $0.currentFrameRate) }, uniquingKeysWith: { first, _ in first })
      let selection = item.configuration.selection(of: description)
      values.duration = description.duration
      values.tracks = description.tracks.map { track in
        // Of what is no alternative to anything, all plays that the container switches on.
        let isChosen = TrackGroup(track.kind) == nil ? track.isEnabled : selection[track.kind] == .some(track.id)
        var state = ItemTrackState(
          track: track, isEnabled: isChosen && !item.configuration.disabledTracks.contains(track.id))
        state.currentFrameRate = rates[track.id] ?? 0
        return state
      }
      let picture = description.tracks(of: .video).first { selection[.video] == .some($0.id) }
      let size = picture?.video?.presentationSize
      values.presentationWidth = size.map { Double($0.width) } ?? 0
      values.presentationHeight = size.map { Double($0.height) } ?? 0
      values.selectedTracks = selection
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
    case .pitch(let algorithm): pitch = algorithm
    case .mix(let tracks): mix = tracks
    case .secondarySubtitle(let track): secondarySubtitle = track
    case .subtitleDelay(let delay): subtitleDelay = delay
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
    case .pitch, .mix, .secondarySubtitle, .subtitleDelay: break
    }
  }
}
