import AVFAudio
import Foundation
import MediaEngine
import MediaRuntime

/// The token that `addPeriodicTimeObserver` and its kin give out.
final class PlayerTimeObserver: NSObject, Sendable {
  private let token: Lock<ObserverToken?>
  private let core: WeakCore

  private struct WeakCore: Sendable {
    weak var core: PlayerCore?
  }

  init(_ token: ObserverToken, of core: PlayerCore) {
    self.token = Lock(token)
    self.core = WeakCore(core: core)
  }

  deinit {
    guard token.withLock({ $0 }) != nil, let core = core.core, PlayerDirectory.player(of: core) != nil else { return }
    Log.app.warning(
      "A time observer has ended, because its token was let go of. Keep the token, and give it to "
        + "removeTimeObserver(_:) before letting go of it.")
  }

  /// Ends it once; later calls find nothing to do.
  func end(_ remove: (ObserverToken) -> Void) {
    guard let token = token.withLock({ $0 }) else { return }
    remove(token)
    self.token.withLock { $0 = nil }
  }
}
