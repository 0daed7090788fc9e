import MediaRuntime

/// Who observes which property of one object. Belongs to the object; any thread.
package final class ObserverTable: Sendable {
  private let observers = Lock<[PropertyKey: [KeyValueObserver]]>([:])

  package init() {}

  func add(_ observer: KeyValueObserver, for key: PropertyKey) {
    observers.withLock { $0[key, default: []].append(observer) }
  }

  func remove(_ observer: KeyValueObserver, for key: PropertyKey) {
    // The last reference may go with the entry: not while the lock is held.
    let removed = observers.withLock { table -> [KeyValueObserver] in
      let before = table[key] ?? []
      let after = before.filter { $0 !== observer }
      table[key] = after.isEmpty ? nil : after
      return before
    }
    _ = removed
  }

  func observers(of key: PropertyKey) -> [KeyValueObserver] {
    observers.withLock { $0[key] ?? [] }
  }

  var isEmpty: Bool { observers.withLock { $0.isEmpty } }
}

/// An object whose properties can be observed.
protocol KeyValueObservable: AnyObject {
  var observers: ObserverTable { get }
}

extension KeyValueObservable {
  /// Tells the observers of `keys`, in this order, of one transition. Values are read from the two snapshots;
  /// what the handlers themselves read is live.
  func notify(_ keys: [PropertyKey], old: Any, new: Any) {
    for key in keys {
      for observer in observers.observers(of: key) {
        observer.changed(table: observers, old: old, new: new)
      }
    }
  }
}

extension KeyValueObservable {
  /// A getter's report that it was read.
  func access(_ key: PropertyKey) {
    ThreadObservation.access(observers, key)
  }
}
