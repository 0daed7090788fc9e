import Synchronization

/// A yes or no that several threads may ask for.
final class Flag: Sendable {
  private let value: Atomic<Bool>

  init(_ value: Bool) {
    self.value = Atomic(value)
  }

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set(_ new: Bool) { value.store(new, ordering: .releasing) }
}
