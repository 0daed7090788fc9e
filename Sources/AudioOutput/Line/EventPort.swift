package import MediaEngine
package import MediaRuntime

/// Where a sink's events go: the handler's queue, one at a time in the order of their sending, until closed.
package final class EventPort: Sendable {
  private struct Receiver {
    let queue: SerialQueue
    let handler: @Sendable (AudioSinkEvent) -> Void
  }

  private struct State {
    var receiver: Receiver?
    /// What happened before somebody listened.
    var early: [AudioSinkEvent] = []
    var isClosed = false
  }

  private let state = Lock(State())

  package init() {}

  package func open(on queue: SerialQueue, _ handler: @escaping @Sendable (AudioSinkEvent) -> Void) {
    let receiver = Receiver(queue: queue, handler: handler)
    state.withLock { state in
      state.receiver = receiver
      // Posted inside the lock, as all are: what is sent from now on comes behind.
      for event in state.early { deliver(event, to: receiver) }
      state.early = []
    }
  }

  package func send(_ event: AudioSinkEvent) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if let receiver = state.receiver {
        deliver(event, to: receiver)
      } else if state.early.count < 16 {
        state.early.append(event)
      }
    }
  }

  package func close() {
    let receiver = state.withLock { state -> Receiver? in
      state.isClosed = true
      state.early = []
      defer { state.receiver = nil }
      return state.receiver
    }
    // Freed outside the lock: what the handler captured may end with it.
    withExtendedLifetime(receiver) {}
  }

  private func deliver(_ event: AudioSinkEvent, to receiver: Receiver) {
    receiver.queue.post("audio sink event") { [weak self] in
      guard let self, !self.state.withLock({ $0.isClosed }) else { return }
      receiver.handler(event)
    }
  }
}
