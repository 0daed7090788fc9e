import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime

extension AVPlayerItem {
  /// One transition of the engine's item.
  nonisolated func take(old: ItemSnapshot, new: ItemSnapshot) {
    notify(new.changedKeys(since: old), old: old, new: new)
    for state in new.tracks {
      guard let before = old.tracks.first(where: { $0.track.id == state.track.id }),
        let shown = shownTracks.withLock({ $0[state.track.id] })
      else { continue }
      var keys: [PropertyKey] = []
      if before.isEnabled != state.isEnabled { keys.append(.isEnabled) }
      if before.currentFrameRate != state.currentFrameRate { keys.append(.currentVideoFrameRate) }
      shown.notify(keys, old: old, new: new)
    }
  }

  /// The same object for the same track each time.
  nonisolated func itemTracks(_ states: [ItemTrackState]) -> [AVPlayerItemTrack] {
    guard !states.isEmpty else { return [] }
    let asset = ownedAsset.value
    let assetTracks = (try? core.asset.description?.get()).map { asset.tracks(of: $0) } ?? []
    return states.map { state in
      if let shown = shownTracks.withLock({ $0[state.track.id] }) { return shown }
      let assetTrack =
        assetTracks.first { $0.trackID == state.track.id } ?? AVAssetTrack(state.track, asset: asset, container: "")
      let made = AVPlayerItemTrack(core, state.track.id, Unchecked(assetTrack))
      return shownTracks.withLock { shown in
        let kept = shown[state.track.id] ?? made
        shown[state.track.id] = kept
        return kept
      }
    }
  }

  // MARK: Choices

  nonisolated func selection(_ now: ItemSnapshot) -> AVMediaSelection {
    var choices: [AVMediaCharacteristic: Int32?] = [:]
    let description = try? core.asset.description?.get()
    for characteristic in AVMediaCharacteristic.selectable {
      guard let group = characteristic.trackGroup, description?.offersChoice(of: group) ?? true else { continue }
      let made = group.kinds.compactMap { now.selectedTracks[$0] }
      guard !made.isEmpty else { continue }
      choices[characteristic] = .some(made.compactMap { $0 }.first)
    }
    return AVMediaSelection(
      asset: ownedAsset.value, choices: choices, explicit: settings.withLock { $0.explicit })
  }

  nonisolated func choose(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
    for kind in group.characteristic.trackGroup?.kinds ?? [] {
      guard option == nil || group.options.contains(where: { $0.track.kind == kind }) else { continue }
      core.select(track: option?.track.kind == kind ? option?.track.id : nil, kind: kind)
    }
  }

  nonisolated func chooseAutomatically(in group: AVMediaSelectionGroup) {
    settings.withLock { _ = $0.explicit.remove(group.characteristic) }
    let player = core.player.flatMap { PlayerDirectory.player(of: $0) }
    guard let player, player.appliesMediaSelectionCriteriaAutomatically else { return }
    choose(player.choice(in: group), in: group)
  }

  /// The player's choice, unless the app has chosen itself.
  nonisolated func choose(for characteristic: AVMediaCharacteristic, as player: AVPlayer) {
    guard settings.withLock({ !$0.explicit.contains(characteristic) }),
      let description = try? core.asset.description?.get(),
      let group = AVMediaSelectionGroup(description, characteristic)
    else { return }
    let choice = player.choice(in: group)
    guard selection(core.snapshot).selectedMediaOption(in: group) != choice else { return }
    choose(choice, in: group)
  }

  // MARK: Outputs

  nonisolated func attach(_ output: AVPlayerItemOutput) {
    // It keeps its pictures, and what was taken of them.
    if output.item === self { return }
    output.item?.detach(output)
    // Another thread may be just as far.
    let isNew = settings.withLock { settings in
      guard !settings.outputs.contains(where: { $0 === output }) else { return false }
      settings.outputs.append(output)
      return true
    }
    guard isNew else { return }
    output.join(self)
    if let frames = output.frames { core.addOutput(frames) }
    if let subtitles = output.subtitles { core.addOutput(subtitles) }
  }

  nonisolated func detach(_ output: AVPlayerItemOutput) {
    let wasHere = settings.withLock { settings in
      let count = settings.outputs.count
      settings.outputs.removeAll { $0 === output }
      return settings.outputs.count != count
    }
    guard wasHere else { return }
    output.join(nil)
    if let frames = output.frames { core.removeOutput(frames) }
    if let subtitles = output.subtitles { core.removeOutput(subtitles) }
  }
}

extension ItemSnapshot {
  /// Which properties differ, in the order in which observers are told: the status comes last.
  func changedKeys(since old: ItemSnapshot) -> [PropertyKey] {
    var keys: [PropertyKey] = []
    func note(_ key: PropertyKey, _ differs: Bool) { if differs { keys.append(key) } }
    note(.duration, duration != old.duration)
    note(.tracks, tracks.map(\.track.id) != old.tracks.map(\.track.id))
    note(
      .presentationSize,
      presentationWidth != old.presentationWidth || presentationHeight != old.presentationHeight)
    note(.seekableTimeRanges, seekableTimeRanges != old.seekableTimeRanges)
    note(.loadedTimeRanges, loadedTimeRanges != old.loadedTimeRanges)
    note(.canPlayFastForward, canPlayFastForward != old.canPlayFastForward)
    note(.canPlaySlowForward, canPlaySlowForward != old.canPlaySlowForward)
    note(.canPlayReverse, canPlayReverse != old.canPlayReverse)
    note(.canPlaySlowReverse, canPlaySlowReverse != old.canPlaySlowReverse)
    note(.canPlayFastReverse, canPlayFastReverse != old.canPlayFastReverse)
    note(.canStepForward, canStepForward != old.canStepForward)
    note(.canStepBackward, canStepBackward != old.canStepBackward)
    note(.timebase, timebase !== old.timebase)
    note(.forwardPlaybackEndTime, forwardEndTime != old.forwardEndTime)
    note(.reversePlaybackEndTime, reverseEndTime != old.reverseEndTime)
    note(
      .preferredForwardBufferDuration, preferredForwardBufferDuration != old.preferredForwardBufferDuration)
    note(.currentMediaSelection, selectedTracks != old.selectedTracks)
    note(.isPlaybackBufferEmpty, isBufferEmpty != old.isBufferEmpty)
    note(.isPlaybackBufferFull, isBufferFull != old.isBufferFull)
    note(.isPlaybackLikelyToKeepUp, isLikelyToKeepUp != old.isLikelyToKeepUp)
    note(.error, (error == nil) != (old.error == nil))
    note(.status, status != old.status)
    return keys
  }
}
