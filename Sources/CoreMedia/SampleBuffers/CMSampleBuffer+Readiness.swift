extension CMSampleBuffer {
  public enum DataReadiness: Sendable {
    case ready
    case notReady
    /// Making the data ready failed; the code says why.
    case failed(OSStatus)
  }

  public var dataReadiness: DataReadiness {
    let (own, original) = state.withLock { state -> (DataReadiness, Original?) in
      (state.failure != noErr ? .failed(state.failure) : state.isReady ? .ready : .notReady, state.original)
    }
    if case .notReady = own, let original { return original.buffer.dataReadiness }
    return own
  }

  /// Nil until the data is set, and for pictures.
  public var dataBuffer: CMBlockBuffer? {
    let (own, original) = state.withLock { ($0.isInvalidated ? nil : $0.dataBuffer, $0.original) }
    guard own == nil, let original, let data = try? original.buffer.data(ofSamples: original.samples) else {
      return own
    }
    return state.withLock { state in
      guard !state.isInvalidated else { return nil }
      let kept = state.dataBuffer ?? data
      state.dataBuffer = kept
      return kept
    }
  }

  /// Nil for buffers of data, and once invalidated.
  public var imageBuffer: CVImageBuffer? {
    state.withLock { $0.isInvalidated ? nil : $0.imageBuffer }
  }

  /// False once invalidated.
  public var isValid: Bool {
    state.withLock { !$0.isInvalidated }
  }

  /// Gives the buffer its data; once only.
  public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
    try state.withLock { state in
      guard !state.isInvalidated else { throw NSError.status(kCMSampleBufferError_Invalidated) }
      guard state.dataBuffer == nil, state.imageBuffer == nil else {
        throw NSError.status(kCMSampleBufferError_AlreadyHasDataBuffer)
      }
      state.dataBuffer = dataBuffer
    }
  }

  public func setDataReady() throws {
    try checkValid()
    state.withLock { $0.isReady = true }
  }

  public func setDataFailed(status: OSStatus) throws {
    try checkValid()
    state.withLock { $0.failure = status }
  }

  /// Calls the handler that the buffer was made with, unless the data is ready already. It is called once: its failure
  /// is the buffer's, and who asks while it runs on another thread is told that the buffer is not ready. A copy that was
  /// made before has it from the original, and asks that.
  public func makeDataReady() throws {
    try checkValid()
    let (wasReady, failure, handler, original) = state.withLock { state in
      defer { if state.failure == noErr, !state.isReady { state.makeReady = nil } }
      return (state.isReady, state.failure, state.makeReady, state.original)
    }
    if failure != noErr { throw NSError.status(kCMSampleBufferError_DataFailed) }
    if wasReady { return }
    if let original { return try original.buffer.makeDataReady() }
    guard let handler else { throw NSError.status(kCMSampleBufferError_BufferNotReady) }
    do {
      let result = try handler(self)
      guard result == noErr else { throw NSError.status(result) }
    } catch {
      let code = statusCode(of: error)
      state.withLock { $0.failure = code }
      throw error
    }
    // The handler may have said itself that it failed.
    let isReady = state.withLock { state in
      state.isReady = state.failure == noErr
      return state.isReady
    }
    guard isReady else { throw NSError.status(kCMSampleBufferError_DataFailed) }
  }

  /// Calls the invalidation handler and lets the data go; from then on everything fails with `…_Invalidated`.
  public func invalidate() throws {
    // What is let go is released after the lock and after the handler: its deinit is foreign code.
    let before = state.withLock { state in
      defer {
        state.isInvalidated = true
        state.onInvalidate = nil
        state.makeReady = nil
        state.original = nil
        state.dataBuffer = nil
        state.imageBuffer = nil
      }
      return state
    }
    before.onInvalidate?(self)
    withExtendedLifetime(before) {}
  }

  public func setInvalidateHandler(_ invalidateHandler: @escaping (CMSampleBuffer) -> Void) throws {
    try checkValid()
    let before = state.withLock { state in
      defer { state.onInvalidate = invalidateHandler }
      return state.onInvalidate
    }
    withExtendedLifetime(before) {}
  }

  func checkValid() throws {
    guard isValid else { throw NSError.status(kCMSampleBufferError_Invalidated) }
  }
}
