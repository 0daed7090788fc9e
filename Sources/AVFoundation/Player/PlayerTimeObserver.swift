import Foundation
import MediaEngine
import MediaRuntime

/// The token that `addPeriodicTimeObserver` and its kin give out.
final class PlayerTimeObserver: NSObject, Sendable {
  private let token: Lock<ObserverToken?>

  init(_ token: ObserverToken) {
    self.token = Lock(token)
  }

  /// Ends it once; later calls find nothing to do.
  func end(_ remove: (ObserverToken) -> Void) {
    guard let token = token.withLock({ $0 }) else { return }
    remove(token)
    self.token.withLock { $0 = nil }
  }
}
