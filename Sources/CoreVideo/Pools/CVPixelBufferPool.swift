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
    /// The one that came back last is the last.
    var idle: [PixelMemory] = []
    var inUse = 0
    /// The pool whose threshold refused a buffer since the last one came back.
    weak var refused: CVPixelBufferPool?

    /// Enough to serve as many again as are out now, and never fewer than asked for.
    var idleLimit: Int { max(minimumCount, inUse + 1, 3) }

    /// Takes out the pieces beyond the limit, the longest idle first, to be released outside the lock. Only a return can
    /// have made them too many: what is handed out raises the limit.
    mutating func takeExcess() -> [PixelMemory] {
      let excess = idle.count - idleLimit
      guard excess > 0 else { return [] }
      defer { idle.removeFirst(excess) }
      return Array(idle.prefix(excess))
    }
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
      let (excess, refused) = shared.state.withLock { state in
        defer { state.refused = nil }
        state.inUse -= 1
        state.idle.append(memory)
        return (state.takeExcess(), state.refused)
      }
      withExtendedLifetime(excess) {}
      if let refused {
        NotificationCenter.default.post(
          name: Notification.Name(kCVPixelBufferPoolFreeBufferNotification), object: refused)
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
      if let threshold, state.inUse >= threshold {
        state.refused = self
        return .refused
      }
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
      flush(all: false)
      return (nil, kCVReturnPoolAllocationFailed)
    }
    let buffer = CVBuffer(
      width: width, height: height, format: format, attributes: attributes.withLock { $0.buffer }, storage: storage)
    buffer.keepAlive(Lease(memory, shared))
    return (buffer, kCVReturnSuccess)
  }

  /// - Parameter all: also what the pool keeps for its next buffers.
  func flush(all: Bool) {
    let released = shared.state.withLock { state in
      guard all else { return state.takeExcess() }
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
