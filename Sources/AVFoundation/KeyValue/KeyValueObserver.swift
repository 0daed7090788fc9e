import Foundation
import MediaRuntime

/// One observation: knows how to read the key path, what it depends on, and whom to tell.
///
/// One thread at a time tells, and what comes from others meanwhile is told by it, in order: the last value told is the
/// true one, and nobody waits. A handler that makes a change is told of it before its setter returns.
class KeyValueObserver: @unchecked Sendable {
  // @unchecked Sendable: the only mutable state is behind the lock.
  private struct State {
    var isActive = true
    var dependencies: [ThreadObservation.Access] = []
    /// The thread that is telling.
    var teller: UInt?
    /// Still to be told, in order.
    var waiting: [Change] = []
  }

  /// A property that the key path reads has changed.
  struct Change: @unchecked Sendable {
    // @unchecked Sendable: the snapshots are values that nobody changes.
    let table: ObserverTable
    let old: Any
    let new: Any
    /// Lives until this is told.
    let companions: [AnyObject]
  }

  /// How often a path is read again at most when what it reads is another thing each time.
  private static let patience = 8

  private let state = Lock(State())

  var isActive: Bool { state.withLock { $0.isActive } }

  // MARK: What it depends on

  /// Whether the key path reads anything that tells of its changes.
  var hasDependencies: Bool { state.withLock { !$0.dependencies.isEmpty } }

  /// Registers with what the key path reads: not before a reading that began after the registration does the value
  /// count, since no later change can pass unheard.
  /// - Returns: that reading's value.
  func follow<Value>(_ read: () -> Value) -> Value {
    var (value, accesses) = ThreadObservation.recording(read)
    for _ in 0..<Self.patience where depend(on: accesses) {
      (value, accesses) = ThreadObservation.recording(read)
    }
    return value
  }

  /// - Returns: whether it was registered otherwise before.
  private func depend(on accesses: [ThreadObservation.Access]) -> Bool {
    // What may go for good must not do so while the lock is held.
    let (isOther, freed) = state.withLock { state -> (Bool, [any Sendable]) in
      guard state.isActive, state.dependencies != accesses else { return (false, []) }
      let freed = remove(state.dependencies.filter { !accesses.contains($0) })
      var kept: [any Sendable] = []
      for access in accesses where !state.dependencies.contains(access) {
        guard let table = access.table else { continue }
        table.add(self, for: access.key)
        kept.append(table)
      }
      state.dependencies = accesses
      return (true, freed + kept)
    }
    withExtendedLifetime(freed) {}
    return isOther
  }

  private func remove(_ accesses: [ThreadObservation.Access]) -> [any Sendable] {
    accesses.flatMap { access -> [any Sendable] in
      guard let table = access.table else { return [] }
      return [table] + table.remove(self, for: access.key)
    }
  }

  func invalidate() {
    let freed = state.withLock { state -> ([any Sendable], [Change]) in
      state.isActive = false
      defer {
        state.dependencies = []
        state.waiting = []
      }
      return (remove(state.dependencies), state.waiting)
    }
    withExtendedLifetime(freed) {}
  }

  // MARK: Telling

  /// Tells of a change, here or on the thread that is just telling.
  func changed(table: ObserverTable, old: Any, new: Any, keeping companions: [AnyObject] = []) {
    let change = Change(table: table, old: old, new: new, companions: companions)
    tellAll { state in state.waiting.append(change) }
  }

  /// Runs a first telling; changes that other threads make meanwhile are told after it.
  func begin(_ first: () -> Void) {
    tellAll(first: first) { _ in }
  }

  private func tellAll(first: () -> Void = {}, _ add: @Sendable (inout State) -> Void) {
    let me = CallingThread.id
    let (tells, isOutermost) = state.withLock { state -> (Bool, Bool) in
      guard state.isActive else { return (false, false) }
      add(&state)
      guard state.teller == nil || state.teller == me else { return (false, false) }
      defer { state.teller = me }
      return (true, state.teller == nil)
    }
    guard tells else { return }
    first()
    while let change = next(isOutermost) { tell(change) }
  }

  private func next(_ isOutermost: Bool) -> Change? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      if isOutermost { state.teller = nil }
      return nil
    }
  }

  /// Calls the handler.
  func tell(_ change: Change) {}
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
    guard options.contains(.initial) else {
      _ = follow { object[keyPath: keyPath] }
      return
    }
    begin {
      let value = follow { object[keyPath: keyPath] }
      handler(
        object,
        NSKeyValueObservedChange(
          kind: .setting, newValue: options.contains(.new) ? value : nil, oldValue: nil, indexes: nil, isPrior: false))
    }
  }

  override func tell(_ change: Change) {
    guard isActive, let object else { return }
    let read = { object[keyPath: self.keyPath] }
    let oldValue = options.contains(.old) ? ThreadObservation.viewing(change.old, of: change.table, read) : nil
    if options.contains(.prior) {
      // The handler of the call before the change sees the object as it was.
      ThreadObservation.viewing(change.old, of: change.table) {
        handler(
          object,
          NSKeyValueObservedChange(
            kind: .setting, newValue: nil, oldValue: oldValue, indexes: nil, isPrior: true))
      }
      guard isActive else { return }
    }
    // Where the path leads now may differ from where it led before.
    _ = follow(read)
    let newValue = options.contains(.new) ? ThreadObservation.viewing(change.new, of: change.table, read) : nil
    handler(
      object,
      NSKeyValueObservedChange(
        kind: .setting, newValue: newValue, oldValue: oldValue, indexes: nil, isPrior: false))
  }
}
