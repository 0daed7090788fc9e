public import Foundation

extension NotificationCenter {
  /// Sends the notifications of a name, and of an object when one is given, on the threads that post them.
  ///
  /// The object is kept by the publisher, not by its subscriptions.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Notifications; those that come without a demand are left out.
  public struct Publisher: Combine.Publisher, Equatable {
    public typealias Output = Notification
    public typealias Failure = Never

    public let center: NotificationCenter
    public let name: Notification.Name
    public let object: AnyObject?

    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      let cell = LatestCell<Notification>("NotificationCenter Observer", subscriber, keepsLatest: false)
      let isOfAnObject = object != nil
      let source = Source(object: object)
      // Foundation would keep an object that it is given, for as long as this listens.
      let token = center.addObserver(forName: name, object: nil, queue: nil) { [weak cell] notification in
        guard isOfAnObject else {
          cell?.put(notification)
          return
        }
        guard let object = source.object else { return }
        if notification.object as AnyObject === object { cell?.put(notification) }
      }
      let center = center
      cell.begin { center.removeObserver(token) }
    }

    public static func == (left: Publisher, right: Publisher) -> Bool {
      left.center === right.center && left.name == right.name && left.object === right.object
    }
  }

  // @unchecked Sendable: the object is only compared.
  private struct Source: @unchecked Sendable {
    weak var object: AnyObject?
  }
}
