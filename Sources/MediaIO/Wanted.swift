package import MediaRuntime
import Synchronization

extension Atomic<UInt64> {
  /// Sets the value if it is higher than the present one: an old operation can't take back what a newer one wants.
  borrowing func raise(to value: UInt64) {
    _ = max(value, ordering: .acquiringAndReleasing)
  }
}

extension MediaError {
  /// A newer operation took the place of the one that reads from `address`.
  package static func interrupted(_ address: String) -> MediaError {
    MediaError(.interrupted, "A newer operation took the place of this one.", address: address)
  }
}
