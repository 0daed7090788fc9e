public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  public let rawValue: CVOptionFlags

  public init(rawValue: CVOptionFlags) {
    self.rawValue = rawValue
  }

  /// The caller only reads: no copy is made.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Makes the pixels accessible until the matching unlock. Locks nest, on any threads.
///
/// Without `.readOnly`, pixels that others use too are copied first.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags) -> CVReturn
{
  pixelBuffer.lock(lockFlags)
}

/// Ends a lock; the flags must be those of the lock.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.unlock(unlockFlags)
}

extension CVBuffer {
  func lock(_ flags: CVPixelBufferLockFlags) -> CVReturn {
    memory.withLock { memory in
      if flags.contains(.readOnly) {
        memory.readLocks += 1
        return kCVReturnSuccess
      }
      guard memory.makeExclusive(width: width, height: height, format: format) else {
        return kCVReturnAllocationFailed
      }
      memory.writeLocks += 1
      return kCVReturnSuccess
    }
  }

  func unlock(_ flags: CVPixelBufferLockFlags) -> CVReturn {
    // Storage is released after the mutex: its owner's deinit is foreign code.
    var released: [PixelStorage] = []
    let result = memory.withLock { memory in
      if flags.contains(.readOnly) {
        guard memory.readLocks > 0 else { return kCVReturnError }
        memory.readLocks -= 1
      } else {
        guard memory.writeLocks > 0 else { return kCVReturnError }
        memory.writeLocks -= 1
      }
      if memory.readLocks == 0 && memory.writeLocks == 0 { swap(&released, &memory.retired) }
      return kCVReturnSuccess
    }
    withExtendedLifetime(released) {}
    return result
  }
}

extension CVBuffer.Memory {
  /// False when there is no memory for the copy.
  mutating func makeExclusive(width: Int, height: Int, format: OSType) -> Bool {
    if storage.isExclusive { return true }
    guard let layout = PixelFormatLayout(format),
      let copy = CVBuffer.copy(of: storage, width: width, height: height, layout: layout)
    else { return false }
    // Kept until the last lock ends even when nobody reads now: a release here would run foreign code under the mutex.
    retired.append(storage)
    storage = copy
    return true
  }
}
