import MediaRuntime
import Observation

/// Who observes which property of one object. Belongs to the object; any thread.
package final class ObserverTable: Sendable {
  private let observers = Lock<[PropertyKey: [KeyValueObserver]]>([:])
  /// Swift's own observation; nil while it is off.
  let registrar: ObservationRegistrar?

  package convenience init() { self.init(registrar: nil) }

  init(registrar: ObservationRegistrar?) { self.registrar = registrar }

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
  /// For Swift's own observation; called only when the table has a registrar.
  func track(_ step: ObservationStep, of key: PropertyKey, _ registrar: ObservationRegistrar)
}

enum ObservationStep {
  case access, willChange, didChange
}

extension KeyValueObservable {
  func track(_ step: ObservationStep, of key: PropertyKey, _ registrar: ObservationRegistrar) {}
}

extension KeyValueObservable {
  /// Tells the observers of `keys`, in this order, of one transition. Values are read from the two snapshots;
  /// what the handlers themselves read is live.
  func notify(_ keys: [PropertyKey], old: Any, new: Any) {
    let registrar = observers.registrar
    for key in keys {
      if let registrar {
        // "Will set" is told after the fact; whoever looks then sees the object as it was.
        ThreadObservation.viewing(old, of: observers) { track(.willChange, of: key, registrar) }
      }
      defer { if let registrar { track(.didChange, of: key, registrar) } }
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
    if let registrar = observers.registrar { track(.access, of: key, registrar) }
  }
}
