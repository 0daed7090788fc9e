public import Foundation
import MediaRuntime

extension NotificationCenter {
  /// The notifications of a name, and of an object when one is given, from now on, as a sequence.
  ///
  /// None is lost between two calls of `next`. The object is not kept alive.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// An unending sequence of notifications. It has one consumer.
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
  }

  private let state = Lock(State())

  func listen(to center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
    let token = center.addObserver(forName: name, object: object, queue: nil) { [weak self] notification in
      self?.put(NotificationParcel(notification: notification))
    }
    let listening = Listening(center: center, token: token)
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
    if let listening { listening.center.removeObserver(listening.token) }
    for continuation in waiting { continuation.resume(returning: nil) }
  }
}
