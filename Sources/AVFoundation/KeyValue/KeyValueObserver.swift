import Foundation
import MediaRuntime

/// One observation: knows how to read the key path, what it depends on, and whom to tell.
class KeyValueObserver: @unchecked Sendable {
  // @unchecked Sendable: the only mutable state is behind the lock.
  private struct State {
    var isActive = true
    var dependencies: [ThreadObservation.Access] = []
  }

  private let state = Lock(State())

  var isActive: Bool { state.withLock { $0.isActive } }

  /// Registers with exactly what the key path reads now.
  func depend(on accesses: [ThreadObservation.Access]) {
    let (gone, added) = state.withLock { state -> ([ThreadObservation.Access], [ThreadObservation.Access]) in
      guard state.isActive else { return ([], []) }
      let gone = state.dependencies.filter { !accesses.contains($0) }
      let added = accesses.filter { !state.dependencies.contains($0) }
      state.dependencies = accesses
      return (gone, added)
    }
    for access in gone { access.table.remove(self, for: access.key) }
    for access in added { access.table.add(self, for: access.key) }
    // An invalidation that came between must not leave an entry behind.
    if !isActive { for access in added { access.table.remove(self, for: access.key) } }
  }

  func invalidate() {
    let gone = state.withLock { state in
      state.isActive = false
      defer { state.dependencies = [] }
      return state.dependencies
    }
    for access in gone { access.table.remove(self, for: access.key) }
  }

  /// A property that the key path read has changed.
  func changed(table: ObserverTable, old: Any, new: Any) {}
}

final class KeyPathObserver<Root: NSObject, Value>: KeyValueObserver, @unchecked Sendable {
  private weak let object: Root?
  private let keyPath: KeyPath<Root, Value>
  private let options: NSKeyValueObservingOptions
  private let handler: (Root, NSKeyValueObservedChange<Value>) -> Void

  init(
    _ object: Root, _ keyPath: KeyPath<Root, Value>, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping (Root, NSKeyValueObservedChange<Value>) -> Void
  ) {
    self.object = object
    self.keyPath = keyPath
    self.options = options
    self.handler = handler
    super.init()
  }

  func start() {
    guard let object else { return }
    let (value, accesses) = ThreadObservation.recording { object[keyPath: keyPath] }
    depend(on: accesses)
    guard options.contains(.initial) else { return }
    handler(
      object,
      NSKeyValueObservedChange(
        kind: .setting, newValue: options.contains(.new) ? value : nil, oldValue: nil, indexes: nil, isPrior: false))
  }

  override func changed(table: ObserverTable, old: Any, new: Any) {
    guard isActive, let object else { return }
    let read = { object[keyPath: self.keyPath] }
    let oldValue = options.contains(.old) ? ThreadObservation.viewing(old, of: table, read) : nil
    if options.contains(.prior) {
      // The handler of the call before the change sees the object as it was.
      ThreadObservation.viewing(old, of: table) {
        handler(
          object,
          NSKeyValueObservedChange(
            kind: .setting, newValue: nil, oldValue: oldValue, indexes: nil, isPrior: true))
      }
      guard isActive else { return }
    }
    let newValue = options.contains(.new) ? ThreadObservation.viewing(new, of: table, read) : nil
    // Where the path leads now may differ from where it led before.
    depend(on: ThreadObservation.recording(read).1)
    handler(
      object,
      NSKeyValueObservedChange(
        kind: .setting, newValue: newValue, oldValue: oldValue, indexes: nil, isPrior: false))
  }
}
