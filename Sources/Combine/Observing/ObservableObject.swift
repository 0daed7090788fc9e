/// An object that tells before it changes.
///
/// Without a publisher of its own it gets one that sends whenever a `@Published` property is about to be set.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// The same publisher for the same object, for as long as it lives.
  public var objectWillChange: ObservableObjectPublisher {
    var published: [any PublishedProperty] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      for child in level.children {
        if let property = child.value as? any PublishedProperty { published.append(property) }
      }
      mirror = level.superclassMirror
    }
    let publisher = ChangePublishers.publisher(of: self)
    for property in published { property.tells(publisher) }
    return publisher
  }
}

/// Tells that an object is about to change.
// @unchecked Sendable: the hub guards all state.
public final class ObservableObjectPublisher: Publisher, @unchecked Sendable {
  public typealias Output = Void
  public typealias Failure = Never

  private let hub = SubjectHub<Void, Never>("ObservableObjectPublisher")

  public init() {}

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    hub.attach(subscriber)
  }

  public func send() { hub.send(()) }
}

/// A property wrapper that can tell an object's publisher.
protocol PublishedProperty {
  func tells(_ publisher: ObservableObjectPublisher)
}

/// The publishers of objects that brought none of their own. Objects are not kept; what is left of those that have gone
/// is thrown out whenever the table has doubled.
enum ChangePublishers {
  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private struct Table {
    var entries: [ObjectIdentifier: Entry] = [:]
    var limit = 64
  }

  private static let table = Guarded(Table())

  static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let new = ObservableObjectPublisher()
    let (publisher, freed) = table.withLock { table -> (ObservableObjectPublisher, [Entry]) in
      let key = ObjectIdentifier(object)
      // Another object may have lived at the same address.
      if let entry = table.entries[key], entry.object === object { return (entry.publisher, []) }
      var freed = table.entries[key].map { [$0] } ?? []
      if table.entries.count >= table.limit {
        freed += table.entries.values.filter { $0.object == nil }
        table.entries = table.entries.filter { $0.value.object != nil }
        table.limit = max(64, table.entries.count * 2)
      }
      table.entries[key] = Entry(object: object, publisher: new)
      return (new, freed)
    }
    withExtendedLifetime(freed) {}
    return publisher
  }
}
