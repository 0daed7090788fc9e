import MediaRuntime
import Observation

/// Who observes which property of one object. Belongs to the object; any thread.
package final class ObserverTable: Sendable {
  private let observers = Lock<[PropertyKey: [KeyValueObserver]]>([:])
  private let endings = Lock(Endings())
  /// Unique in the process, unlike its address.
  let number: UInt64
  private static let count = Lock<UInt64>(0)
  /// Swift's own observation; nil while it is off.
  let registrar: ObservationRegistrar?

  package convenience init() { self.init(registrar: nil) }

  init(registrar: ObservationRegistrar?) {
    self.registrar = registrar
    number = Self.count.withLock { count in
      count &+= 1
      return count
    }
  }

  private struct Endings {
    var actions: [UInt64: @Sendable () -> Void] = [:]
    var number: UInt64 = 0
  }

  deinit {
    let actions = endings.withLock { $0.actions }
    for (_, action) in actions.sorted(by: { $0.key < $1.key }) { action() }
  }

  /// Runs an action when the object is gone, on the thread that let go of it.
  /// - Returns: the action's name for `removeEnding`.
  func atEnd(_ action: @escaping @Sendable () -> Void) -> UInt64 {
    endings.withLock { endings in
      endings.number += 1
      endings.actions[endings.number] = action
      return endings.number
    }
  }

  func removeEnding(_ number: UInt64) {
    // Freed after unlocking: what the action holds may call back.
    let action = endings.withLock { $0.actions.removeValue(forKey: number) }
    withExtendedLifetime(action) {}
  }

  func add(_ observer: KeyValueObserver, for key: PropertyKey) {
    observers.withLock { $0[key, default: []].append(observer) }
  }

  /// - Returns: what may go with the entry, its last reference: not while a lock is held.
  func remove(_ observer: KeyValueObserver, for key: PropertyKey) -> [KeyValueObserver] {
    observers.withLock { table in
      let before = table[key] ?? []
      let after = before.filter { $0 !== observer }
      table[key] = after.isEmpty ? nil : after
      return before
    }
  }

  func observers(of key: PropertyKey) -> [KeyValueObserver] {
    observers.withLock { $0[key] ?? [] }
  }

  var isEmpty: Bool { observers.withLock { $0.isEmpty } }
  var endingCount: Int { endings.withLock { $0.actions.count } }
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
  /// - Parameter companions: what the snapshots name without keeping it alive.
  func notify(_ keys: [PropertyKey], old: Any, new: Any, keeping companions: [AnyObject] = []) {
    let registrar = observers.registrar
    for key in keys {
      if let registrar {
        // "Will set" is told after the fact; whoever looks then sees the object as it was.
        ThreadObservation.viewing(old, of: observers) { track(.willChange, of: key, registrar) }
      }
      defer { if let registrar { track(.didChange, of: key, registrar) } }
      for observer in observers.observers(of: key) {
        observer.changed(table: observers, old: old, new: new, keeping: companions)
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
