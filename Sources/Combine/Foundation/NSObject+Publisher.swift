public import AVFoundation
public import Foundation

extension _KeyValueCodingAndObserving where Self: NSObject {
  /// Sends a property's values as they change, the present one first.
  ///
  /// What can be observed, and on which threads values come, is as with `observe(_:options:changeHandler:)`. With
  /// `.initial` the latest value waits for a demand; without it, what comes without a demand is left out. The object is
  /// kept by the publisher, not by its subscriptions.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
  ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
    NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options)
  }
}

extension NSObject {
  /// The values of a property as they change.
  public struct KeyValueObservingPublisher<Subject: NSObject, Value>: Publisher, Equatable {
    public typealias Output = Value
    public typealias Failure = Never

    public let object: Subject
    public let keyPath: KeyPath<Subject, Value>
    public let options: NSKeyValueObservingOptions

    public init(object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions) {
      self.object = object
      self.keyPath = keyPath
      self.options = options
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      let cell = LatestCell<Value>("KVOSubscription", subscriber, keepsLatest: options.contains(.initial))
      let path = Path(keyPath: keyPath)
      let observation = object.observe(keyPath, options: options) { [weak cell] object, change in
        // The call before a change sees the object as it was.
        cell?.put(change.newValue ?? object[keyPath: path.keyPath])
      }
      cell.begin { observation.invalidate() }
    }

    public static func == (left: KeyValueObservingPublisher, right: KeyValueObservingPublisher) -> Bool {
      left.object === right.object && left.keyPath == right.keyPath && left.options == right.options
    }

    // @unchecked Sendable: a key path that captures nothing but values.
    private struct Path: @unchecked Sendable {
      let keyPath: KeyPath<Subject, Value>
    }
  }
}
