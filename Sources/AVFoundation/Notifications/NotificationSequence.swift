public import Foundation
import MediaRuntime

extension NotificationCenter {
  /// The notifications of a name, and of an object when one is given, from now on, as a sequence.
  ///
  /// None is lost between two calls of `next`. The object is not kept alive: without it the sequence ends, for a
  /// player, an item, a track or a layer at once, for another object at the next notification of the name.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// A sequence of notifications that ends with their object, if it is of one. It has one consumer.
  public final class Notifications: AsyncSequence, Sendable {
    public typealias Element = Notification
    public typealias Failure = Never

    private let mailbox: NotificationMailbox

    init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
      mailbox = NotificationMailbox()
      mailbox.listen(to: center, name: name, object: object)
    }

    deinit {
      mailbox.stop()
    }

    public func makeAsyncIterator() -> Iterator {
      Iterator(sequence: self, mailbox: mailbox)
    }

    public struct Iterator: AsyncIteratorProtocol {
      // The sequence lives as long as somebody iterates: its end stops the listening.
      private let sequence: Notifications
      private let mailbox: NotificationMailbox

      init(sequence: Notifications, mailbox: NotificationMailbox) {
        self.sequence = sequence
        self.mailbox = mailbox
      }

      public mutating func next() async -> Notification? {
        await mailbox.next().map { $0.notification }
      }

      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await mailbox.next().map { $0.notification }
      }
    }
  }
}

/// What travels from the posting thread to the consumer.
// @unchecked Sendable: a notification is immutable; what its userInfo holds is the poster's business, as at Apple's.
struct NotificationParcel: @unchecked Sendable {
  let notification: Notification
}

final class NotificationMailbox: Sendable {
  private struct State {
    var waiting: [CheckedContinuation<NotificationParcel?, Never>] = []
    var parcels: [NotificationParcel] = []
    var listening: Listening?
    var isStopped = false
  }

  // @unchecked Sendable: the token is only handed back to the centre it came from.
  private struct Listening: @unchecked Sendable {
    let center: NotificationCenter
    let token: any NSObjectProtocol
    weak var table: ObserverTable?
    let ending: UInt64?

    func end() {
      center.removeObserver(token)
      if let ending { table?.removeEnding(ending) }
    }
  }

  // @unchecked Sendable: the object is only compared.
  private struct Source: @unchecked Sendable {
    weak var object: AnyObject?
  }

  private let state = Lock(State())

  func listen(to center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
    // Foundation would keep an object that it is given, for as long as this listens.
    let isOfAnObject = object != nil
    let source = Source(object: object)
    let token = center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
      guard isOfAnObject else {
        self?.put(NotificationParcel(notification: notification))
        return
      }
      guard let object = source.object else {
        self?.stop()
        return
      }
      if notification.object as AnyObject === object { self?.put(NotificationParcel(notification: notification)) }
    }
    let table = (object as? any KeyValueObservable)?.observers
    let ending = table?.atEnd { [weak self] in self?.stop() }
    let listening = Listening(center: center, token: token, table: table, ending: ending)
    state.withLock { $0.listening = listening }
  }

  private func put(_ parcel: NotificationParcel) {
    let consumer = state.withLock { state -> CheckedContinuation<NotificationParcel?, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.parcels.append(parcel)
      return nil
    }
    consumer?.resume(returning: parcel)
  }

  /// The next parcel; nil when the task is cancelled or the listening has stopped.
  func next() async -> NotificationParcel? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> NotificationParcel?? in
          if !state.parcels.isEmpty { return .some(state.parcels.removeFirst()) }
          if state.isStopped || Task.isCancelled { return .some(nil) }
          state.waiting.append(continuation)
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume(returning: nil) }
    }
  }

  func stop() {
    let (waiting, listening) = state.withLock { state in
      defer {
        state.waiting = []
        state.listening = nil
        state.isStopped = true
      }
      return (state.waiting, state.listening)
    }
    listening?.end()
    for continuation in waiting { continuation.resume(returning: nil) }
  }
}
