/// Work that can be given up.
public protocol Cancellable {
  /// Gives it up; may be called more than once, from any thread.
  func cancel()
}

/// A cancellable whose type doesn't matter; cancels when it is forgotten.
///
/// `hash` and `==` go by identity. Any thread.
// @unchecked Sendable: the action is behind the lock and runs once.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  private let action: Guarded<(() -> Void)?>

  public init(_ cancel: @escaping () -> Void) {
    action = Guarded(cancel)
  }

  public init<C: Cancellable>(_ canceller: C) {
    action = Guarded { canceller.cancel() }
  }

  public func cancel() {
    action.take()?()
  }

  deinit {
    cancel()
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
}

extension AnyCancellable {
  /// Keeps this in a collection, for as long as that lives.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps this in a set, for as long as that lives.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}

extension Cancellable {
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
