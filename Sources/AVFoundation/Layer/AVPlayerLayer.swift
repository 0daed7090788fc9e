import AVFAudio
public import CoreVideo
public import Foundation
package import MediaEngine
import MediaRuntime
public import QuartzCore

/// Where a player's picture belongs in a tree of layers: its rectangle, and whether there is a picture.
///
/// Nothing is drawn here: a renderer takes the frames from `output` and puts them into `videoRect`.
open class AVPlayerLayer: CALayer, KeyValueObservable {
  let observers = ObserverTable()
  /// The pictures of the player's current item, for a renderer.
  package let output = VideoFrameOutput(.pull)
  private let readiness: LayerReadiness
  private var shownPlayer: AVPlayer?
  private var observations: [NSKeyValueObservation] = []
  private var gravity = AVLayerVideoGravity.resizeAspect
  private var attributes: [String: Any]?
  private var shown: ShownFrame?

  public override init() {
    readiness = LayerReadiness(observers, output)
    super.init()
  }

  public convenience init(player: AVPlayer?) {
    self.init()
    self.player = player
  }

  public override init(layer: Any) {
    readiness = LayerReadiness(observers, output)
    super.init(layer: layer)
    guard let other = layer as? AVPlayerLayer else { return }
    gravity = other.gravity
    attributes = other.attributes
    keepsLastFrame = other.keepsLastFrame
    player = other.player
  }

  deinit {
    shownPlayer?.detach(output)
  }

  private var snapshot: LayerSnapshot {
    LayerSnapshot(player: shownPlayer, gravity: gravity, attributes: attributes)
  }

  private func view(_ key: PropertyKey) -> LayerSnapshot {
    access(key)
    return ThreadObservation.view(of: observers, as: LayerSnapshot.self) ?? snapshot
  }

  private func announce(_ key: PropertyKey, since old: LayerSnapshot) {
    notify([key], old: old, new: snapshot)
  }

  /// The layer keeps it alive.
  open var player: AVPlayer? {
    get {
      view(.player).player
    }
    set {
      guard newValue !== shownPlayer else { return }
      let old = snapshot
      shownPlayer?.detach(output)
      observations = []
      shownPlayer = newValue
      readiness.itemChanged(to: newValue?.currentItem)
      if let newValue {
        newValue.attach(output)
        observations = [
          newValue.observe(\.currentItem) { [readiness] player, _ in readiness.itemChanged(to: player.currentItem) }
        ]
      }
      announce(.player, since: old)
    }
  }

  /// How the picture fits into the bounds. Default `.resizeAspect`.
  open var videoGravity: AVLayerVideoGravity {
    get {
      view(.videoGravity).gravity
    }
    set {
      let old = snapshot
      gravity = newValue
      announce(.videoGravity, since: old)
    }
  }

  /// True when the first picture of the current item is there. Observable.
  open var isReadyForDisplay: Bool {
    access(.isReadyForDisplay)
    return ThreadObservation.view(of: observers, as: Bool.self) ?? readiness.isReady
  }

  /// The picture's rectangle in the layer's coordinates; zero without a picture. Observable, but
  /// for changes of the layer's own bounds, which its owner makes.
  open var videoRect: CGRect {
    access(.videoRect)
    guard let size = player?.currentItem?.presentationSize, size.width > 0, size.height > 0 else { return .zero }
    switch videoGravity {
    case .resize: return bounds
    case .resizeAspectFill:
      let scale = max(bounds.width / size.width, bounds.height / size.height)
      let filled = CGSize(width: size.width * scale, height: size.height * scale)
      return CGRect(
        x: bounds.midX - filled.width / 2, y: bounds.midY - filled.height / 2, width: filled.width,
        height: filled.height)
    default: return AVMakeRect(aspectRatio: size, insideRect: bounds)
    }
  }

  /// The form of the buffers that `copyDisplayedPixelBuffer` gives.
  open var pixelBufferAttributes: [String: Any]? {
    get {
      view(.pixelBufferAttributes).attributes
    }
    set {
      let old = snapshot
      attributes = newValue
      announce(.pixelBufferAttributes, since: old)
    }
  }

  /// The picture being shown; nil while playing.
  open func copyDisplayedPixelBuffer() -> CVPixelBuffer? {
    guard let player = shownPlayer, player.core.snapshot.rate == 0, let frame = frameToShow else { return nil }
    return try? PixelBufferForm(attributes).pixelBuffer(of: frame.picture)
  }

  /// Whether the last picture of an item stays until the next item has its first one, as feeds want it. Default false.
  ///
  /// An addition to Apple's API. Within one item the picture always stays, also while a seek is under way.
  public var keepsLastFrame = false

  /// For renderers: what is to be seen now; nil while an output of the item shows the picture itself.
  package var frameToShow: VideoFrame? {
    guard let item = shownPlayer?.currentItem else {
      shown = nil
      return nil
    }
    guard !item.outputs.contains(where: \.suppressesPlayerRendering) else { return nil }
    if let id = item.core.id, let frame = output.frame(at: item.currentTime(), of: id) {
      shown = ShownFrame(item: item, frame: frame)
    } else if let last = shown, last.item !== item, !keepsLastFrame {
      shown = nil
    }
    return shown?.frame
  }
}

/// What is observed of a layer, but for its readiness, which changes on other threads.
private struct LayerSnapshot {
  let player: AVPlayer?
  let gravity: AVLayerVideoGravity
  let attributes: [String: Any]?
}

/// The picture that a layer gave last, and whose it is.
private struct ShownFrame {
  weak var item: AVPlayerItem?
  let frame: VideoFrame
}

/// Whether a layer has a picture, kept for threads that the layer itself does not know.
final class LayerReadiness: Sendable {
  private struct State {
    var isReady = false
    var change: UInt64 = 0
  }

  private let observers: ObserverTable
  private let output: VideoFrameOutput
  private let scheduler = EngineEnvironment.forNewObjects.scheduler
  private let state = Lock(State())

  init(_ observers: ObserverTable, _ output: VideoFrameOutput) {
    self.observers = observers
    self.output = output
    output.setHandlers(onDataAvailable: { [weak self] in self?.pictureCame() })
  }

  var isReady: Bool { state.withLock { $0.isReady } }

  /// The picture of the item before is not the one to show.
  func itemChanged(to item: AVPlayerItem?) {
    let wasReady = state.withLock { state in
      defer { state.isReady = false }
      state.change &+= 1
      return state.isReady
    }
    if wasReady { announce(false) }
    if let id = item?.core.id { output.requestAvailability(of: id) }
  }

  private func pictureCame() {
    let change = state.withLock { $0.change }
    scheduler.deliver("layer ready", to: nil) { [self] in
      let isNew = state.withLock { state in
        guard state.change == change, !state.isReady else { return false }
        state.isReady = true
        return true
      }
      if isNew { announce(true) }
    }
  }

  private func announce(_ isReady: Bool) {
    for observer in observers.observers(of: .isReadyForDisplay) {
      observer.changed(table: observers, old: !isReady, new: isReady)
    }
  }
}
