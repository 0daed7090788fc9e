public import CoreMedia
import MediaEngine

/// Sprocket's own: what viewers want of subtitles beyond Apple's selection.
extension AVPlayerItem {
  /// How much later subtitles are shown than the media say; negative shows them earlier. Zero at first; a time that is not
  /// numeric counts as zero. It may change at any time.
  public nonisolated var subtitleDelay: CMTime {
    get { core.configuration.subtitleDelay }
    set { core.setSubtitleDelay(newValue) }
  }

  /// A second option of the legible group that is shown at the upper edge beside the selected one; nil for none. An option
  /// of another group changes nothing.
  public nonisolated var secondaryLegibleOption: AVMediaSelectionOption? {
    get {
      guard let id = core.configuration.secondarySubtitle, let description = try? core.asset.description?.get(),
        let group = AVMediaSelectionGroup(description, .legible)
      else { return nil }
      return group.options.first { $0.track.id == id }
    }
    set {
      if let newValue, TrackGroup(newValue.track.kind) != .legible { return }
      core.setSecondarySubtitle(track: newValue?.track.id)
    }
  }
}
