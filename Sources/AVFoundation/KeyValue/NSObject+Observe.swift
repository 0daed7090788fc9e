import AVFAudio
public import Foundation
import MediaRuntime

/// An observation that lasts until it is invalidated or forgotten. Any thread.
public final class NSKeyValueObservation: NSObject, Sendable {
  private let observer: KeyValueObserver

  init(_ observer: KeyValueObserver) {
    self.observer = observer
  }

  /// Ends the observation: the handler is not called again. A call that is just being made on another thread may still
  /// run when this returns; on the thread that calls the handler there is none.
  public func invalidate() {
    observer.invalidate()
  }

  deinit {
    observer.invalidate()
  }
}

/// What `observe` hangs on, so that a key path may start at the receiver's own class.
public protocol _KeyValueCodingAndObserving {}

extension NSObject: _KeyValueCodingAndObserving {}

extension _KeyValueCodingAndObserving where Self: NSObject {
  /// Calls `changeHandler` whenever a property on the way of `keyPath` changes.
  ///
  /// What the key path depends on is found by evaluating it, so subclasses and chains such as `\.currentItem?.status`
  /// work, and a chain is followed to its new end. Calls come on the thread that made the change when the app made it,
  /// else on the main queue; what changes while another thread is just calling is told there, after that call, so that
  /// the value told last is the true one. The object isn't kept alive; the returned token keeps the observation.
  @preconcurrency
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let observer = KeyPathObserver(self, keyPath, options, changeHandler)
    observer.start()
    if !observer.hasDependencies {
      // The text of a key path names its members only where the linker has left their names.
      Log.app.warning(
        "A key path from \(type(of: self)) to \(Value.self) can't be observed: nothing on its way tells of changes. "
          + "The handler will not be called. \(keyPath)")
    }
    return NSKeyValueObservation(observer)
  }

  /// The values of a property as they change, the present one first; ends when the object is gone.
  ///
  /// An addition of ours for code without Combine: at Apple's this is `publisher(for: keyPath).values`.
  public func values<Value: Sendable>(for keyPath: KeyPath<Self, Value>) -> AsyncStream<Value> {
    AsyncStream { continuation in
      let observation = observe(keyPath, options: [.initial, .new]) { _, change in
        if let value = change.newValue { continuation.yield(value) }
      }
      let table = (self as? any KeyValueObservable)?.observers
      let ending = table?.atEnd { continuation.finish() }
      continuation.onTermination = { [weak table] _ in
        observation.invalidate()
        if let ending { table?.removeEnding(ending) }
      }
    }
  }
}
