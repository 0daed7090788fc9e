public import Observation

/// A class whose properties Swift's own observation can follow too. `currentTime()` cannot be followed either way.
protocol TrackedObservable: KeyValueObservable, Observable {}

extension TrackedObservable {
  /// Stands for a property in the registrar, which knows properties by key paths only.
  subscript(observed key: PropertyKey) -> Void { () }

  func track(_ step: ObservationStep, of key: PropertyKey, _ registrar: ObservationRegistrar) {
    let keyPath = \Self.[observed: key]
    switch step {
    case .access: registrar.access(self, keyPath: keyPath)
    case .willChange: registrar.willSet(self, keyPath: keyPath)
    case .didChange: registrar.didSet(self, keyPath: keyPath)
    }
  }
}

extension AVPlayer: Observable, TrackedObservable {}
extension AVPlayerItem: Observable, TrackedObservable {}
extension AVPlayerItemTrack: Observable, TrackedObservable {}
