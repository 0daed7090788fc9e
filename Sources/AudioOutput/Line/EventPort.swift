package import MediaEngine
package import MediaRuntime

/// Where a sink's events go: the handler's queue, one at a time, until closed.
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
    let early = state.withLock { state -> [AudioSinkEvent] in
      state.receiver = receiver
      let early = state.early
      state.early = []
      return early
    }
    for event in early { deliver(event, to: receiver) }
  }

  package func send(_ event: AudioSinkEvent) {
    let receiver = state.withLock { state -> Receiver? in
      guard !state.isClosed else { return nil }
      if state.receiver == nil, state.early.count < 16 { state.early.append(event) }
      return state.receiver
    }
    if let receiver { deliver(event, to: receiver) }
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
