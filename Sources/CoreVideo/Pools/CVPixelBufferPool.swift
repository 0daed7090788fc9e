/// Makes pixel buffers of one kind and uses their memory again when they are gone.
public final class CVPixelBufferPool: Sendable {
  let width: Int
  let height: Int
  let format: OSType
  private let alignment: Int
  private let shared: Shared
  let attributes: ValueLock<(pool: CFDictionary, buffer: CFDictionary)>

  /// What buffers keep alive after the pool itself is gone.
  private final class Shared: Sendable {
    let state: ValueLock<State>

    init(minimumCount: Int) {
      state = ValueLock(State(minimumCount: minimumCount))
    }
  }

  private struct State {
    let minimumCount: Int
    var idle: [PixelMemory] = []
    var inUse = 0

    /// Enough to serve as many again as are out now, and never fewer than asked for.
    var idleLimit: Int { max(minimumCount, inUse + 1, 3) }
  }

  /// Brings the memory back when the buffer that used it is gone.
  private final class Lease {
    private let memory: PixelMemory
    private let shared: Shared

    init(_ memory: PixelMemory, _ shared: Shared) {
      self.memory = memory
      self.shared = shared
    }

    deinit {
      shared.state.withLock { state in
        state.inUse -= 1
        if state.idle.count < state.idleLimit { state.idle.append(memory) }
      }
    }
  }

  init?(pool: CFDictionary, buffer: CFDictionary) {
    let wanted = PixelBufferAttributes(buffer)
    guard let width = wanted.width, let height = wanted.height, let format = wanted.format,
      let alignment = wanted.rowAlignment, let layout = PixelFormatLayout(format),
      PixelMemoryPlan(layout, width: width, height: height, alignment: alignment) != nil
    else { return nil }
    self.width = width
    self.height = height
    self.format = format
    self.alignment = alignment
    let minimumCount = pool[kCVPixelBufferPoolMinimumBufferCountKey].flatMap(PixelBufferAttributes.integer) ?? 0
    shared = Shared(minimumCount: min(max(minimumCount, 0), 64))
    attributes = ValueLock((pool, wanted.resolved(width: width, height: height, format: format)))
  }

  /// - Parameter threshold: no new buffer when as many are in use.
  func makeBuffer(threshold: Int?) -> (CVPixelBuffer?, CVReturn) {
    guard let layout = PixelFormatLayout(format),
      let plan = PixelMemoryPlan(layout, width: width, height: height, alignment: alignment)
    else { return (nil, kCVReturnInvalidPoolAttributes) }
    enum Grant {
      case idle(PixelMemory)
      case new
      case refused
    }
    let grant: Grant = shared.state.withLock { state in
      if let threshold, state.inUse >= threshold { return .refused }
      state.inUse += 1
      return state.idle.popLast().map(Grant.idle) ?? .new
    }
    let memory: PixelMemory?
    switch grant {
    case .refused: return (nil, kCVReturnWouldExceedAllocationThreshold)
    case .idle(let idle): memory = idle
    case .new: memory = PixelMemory(byteCount: plan.byteCount)
    }
    guard let memory, let storage = PixelStorage(plan, memory: memory) else {
      shared.state.withLock { $0.inUse -= 1 }
      return (nil, kCVReturnPoolAllocationFailed)
    }
    let buffer = CVBuffer(
      width: width, height: height, format: format, attributes: attributes.withLock { $0.buffer }, storage: storage)
    buffer.keepAlive(Lease(memory, shared))
    return (buffer, kCVReturnSuccess)
  }

  func flush() {
    let released = shared.state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(released) {}
  }

  /// How many buffers are out and how many pieces of memory wait, for tests.
  package var counts: (inUse: Int, idle: Int) {
    shared.state.withLock { ($0.inUse, $0.idle.count) }
  }
}
