extension CMSampleBuffer {
  public enum DataReadiness: Sendable {
    case ready
    case notReady
    /// Making the data ready failed; the code says why.
    case failed(OSStatus)
  }

  public var dataReadiness: DataReadiness {
    state.withLock { state in
      state.failure != noErr ? .failed(state.failure) : state.isReady ? .ready : .notReady
    }
  }

  /// Nil until the data is set, and for pictures.
  public var dataBuffer: CMBlockBuffer? {
    state.withLock { $0.isInvalidated ? nil : $0.dataBuffer }
  }

  /// False once invalidated.
  public var isValid: Bool {
    state.withLock { !$0.isInvalidated }
  }

  /// Gives the buffer its data; once only.
  public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
    try checkValid()
    try state.withLock { state in
      guard state.dataBuffer == nil, imageBuffer == nil else {
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

  /// Calls the handler that the buffer was made with, unless the data is ready already.
  public func makeDataReady() throws {
    try checkValid()
    let (isReady, failure, handler) = state.withLock { ($0.isReady, $0.failure, $0.makeReady) }
    if failure != noErr { throw NSError.status(kCMSampleBufferError_DataFailed) }
    if isReady { return }
    guard let handler else { throw NSError.status(kCMSampleBufferError_BufferNotReady) }
    let result = try handler(self)
    guard result == noErr else { throw NSError.status(result) }
    state.withLock { $0.isReady = true }
  }

  /// Calls the invalidation handler and lets the data go; from then on everything fails with `…_Invalidated`.
  public func invalidate() throws {
    let handler = state.withLock { state in
      defer {
        state.isInvalidated = true
        state.onInvalidate = nil
        state.makeReady = nil
      }
      return state.isInvalidated ? nil : state.onInvalidate
    }
    handler?(self)
  }

  public func setInvalidateHandler(_ invalidateHandler: @escaping (CMSampleBuffer) -> Void) throws {
    try checkValid()
    state.withLock { $0.onInvalidate = invalidateHandler }
  }

  func checkValid() throws {
    guard isValid else { throw NSError.status(kCMSampleBufferError_Invalidated) }
  }
}
