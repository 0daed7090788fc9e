package import MediaRuntime

/// Some pictures that were asked for together, and how far they have come. Each request gets exactly one answer.
package final class ImageRun: Sendable {
  package typealias Handler =
    @Sendable (_ run: ImageRun, _ index: Int, _ result: Result<ExtractedImage, MediaError>) -> Void

  let requests: [ImageRequest]
  let settings: ImageSettings
  private let handler: Handler
  private let state: Lock<State>
  /// Where the handler is called; nil: on the queue that made the picture, for handlers that never wait.
  private let queue: SerialQueue?

  private struct State {
    var remaining: Set<Int>
    /// Pictures that nobody has taken yet.
    var untaken = 0
    var isCancelled = false
    var whenChanged: (@Sendable (ImageRun) -> Void)?
  }

  /// Pictures that may wait for whoever takes them.
  private static let lead = 4

  init(_ requests: [ImageRequest], _ settings: ImageSettings, queue: SerialQueue?, _ handler: @escaping Handler) {
    self.requests = requests
    self.settings = settings
    self.queue = queue
    self.handler = handler
    state = Lock(State(remaining: Set(requests.indices)))
  }

  /// Called when the run was cancelled, or pictures were taken of one that waited for that.
  func whenChanged(_ body: @escaping @Sendable (ImageRun) -> Void) {
    state.withLock { $0.whenChanged = body }
  }

  /// What has no answer yet.
  var remaining: [Int] { state.withLock { $0.remaining }.sorted() }
  var isFinished: Bool { state.withLock { $0.remaining.isEmpty } }
  /// Nothing more is made before some pictures are taken.
  var isSaturated: Bool { state.withLock { $0.untaken >= Self.lead } }

  /// Answers what has no answer with `.interrupted`, at once.
  package func cancel() {
    let (open, changed) = state.withLock { state -> ([Int], (@Sendable (ImageRun) -> Void)?) in
      let open = state.remaining.sorted()
      state.remaining = []
      state.isCancelled = true
      return (open, open.isEmpty ? nil : state.whenChanged)
    }
    let error = MediaError(.interrupted, "The pictures were cancelled. Ask for them again.")
    for index in open { tell(index, .failure(error)) }
    changed?(self)
  }

  /// What the handler was given has been taken.
  package func take() {
    let changed = state.withLock { state -> (@Sendable (ImageRun) -> Void)? in
      state.untaken -= 1
      return state.untaken == Self.lead - 1 ? state.whenChanged : nil
    }
    changed?(self)
  }

  func answer(_ index: Int, _ result: Result<ExtractedImage, MediaError>) {
    let isOpen = state.withLock { state in
      guard state.remaining.remove(index) != nil else { return false }
      state.untaken += 1
      return true
    }
    if isOpen { tell(index, result) }
  }

  func fail(_ error: MediaError) {
    for index in remaining { answer(index, .failure(error)) }
  }

  private func tell(_ index: Int, _ result: Result<ExtractedImage, MediaError>) {
    guard let queue else { return handler(self, index, result) }
    queue.post("image handler") { self.handler(self, index, result) }
  }
}
