import CoreMedia
import MediaEngine
import MediaRuntime

/// What the engine's player and item have in common for seeking.
protocol SeekingCore: Sendable {
  var scheduler: any Scheduler { get }
  func seek(
    to target: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completion: (@Sendable (Bool) -> Void)?)
}

extension PlayerCore: SeekingCore {
  var scheduler: any Scheduler { environment.scheduler }
}

extension ItemCore: SeekingCore {
  var scheduler: any Scheduler { asset.environment.scheduler }
}

/// A player or an item.
protocol MediaSeeker {
  associatedtype Core: SeekingCore
  var core: Core { get }
}

extension MediaSeeker {
  func move(to time: CMTime, _ completion: (@Sendable (Bool) -> Void)?) {
    // Infinity is the end itself, not a key frame before it.
    let tolerance: CMTime = time.isPositiveInfinity ? .zero : .positiveInfinity
    move(to: time, tolerance, tolerance, completion)
  }

  func move(to time: CMTime, _ before: CMTime, _ after: CMTime, _ completion: (@Sendable (Bool) -> Void)?) {
    Misuse.checkSeek(time, before, after)
    core.seek(to: time, toleranceBefore: before, toleranceAfter: after, completion: completion)
  }

  /// A completion that is called on the main queue: at once when the answer is given there.
  func onMain(_ completion: @escaping @Sendable (Bool) -> Void) -> @Sendable (Bool) -> Void {
    core.scheduler.onMain(completion)
  }
}
