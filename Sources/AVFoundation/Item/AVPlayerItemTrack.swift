public import Foundation
import MediaEngine
import MediaRuntime

/// A track of an item: whether it is presented, and how well.
@preconcurrency @MainActor
open class AVPlayerItemTrack: NSObject, KeyValueObservable {
  nonisolated let observers = ObserverTable(registrar: ObservationSwitch.registrar())
  private nonisolated let core: ItemCore
  private nonisolated let trackID: Int32
  private nonisolated let ownedTrack: Unchecked<AVAssetTrack>

  /// - Parameter assetTrack: handed out on the main actor alone.
  nonisolated init(_ core: ItemCore, _ trackID: Int32, _ assetTrack: Unchecked<AVAssetTrack>) {
    self.core = core
    self.trackID = trackID
    ownedTrack = assetTrack
    super.init()
  }

  private nonisolated func view(_ key: PropertyKey) -> ItemTrackState? {
    access(key)
    let item = ThreadObservation.view(of: observers, as: ItemSnapshot.self) ?? core.snapshot
    return item.tracks.first { $0.track.id == trackID }
  }

  /// The track of the asset.
  open var assetTrack: AVAssetTrack? { ownedTrack.value }

  /// Whether the track is presented.
  open nonisolated var isEnabled: Bool {
    get { view(.isEnabled)?.isEnabled ?? false }
    set { core.setEnabled(newValue, track: trackID) }
  }

  /// Frames per second being shown; 0 while not playing. Observable.
  open nonisolated var currentVideoFrameRate: Float { view(.currentVideoFrameRate)?.currentFrameRate ?? 0 }
}
