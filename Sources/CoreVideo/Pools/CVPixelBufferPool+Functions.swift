public let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
/// Has no effect: idle memory beyond what the next buffers need is freed at once, whatever its age.
public let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
/// An auxiliary attribute: the number of buffers in use at which no more are made.
public let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"
/// Posted, on the thread that lets it go, when a buffer comes back after the threshold refused one.
public let kCVPixelBufferPoolFreeBufferNotification: CFString = "CVPixelBufferPoolFreeBufferNotification"

public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
  public let rawValue: CVOptionFlags

  public init(rawValue: CVOptionFlags) {
    self.rawValue = rawValue
  }

  /// Frees all idle memory.
  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Makes a pool; the pixel buffer attributes must name width, height and format.
@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  poolOut.pointee = CVPixelBufferPool(pool: poolAttributes ?? [:], buffer: pixelBufferAttributes ?? [:])
  return poolOut.pointee == nil ? kCVReturnInvalidPixelBufferAttributes : kCVReturnSuccess
}

@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let (buffer, result) = pixelBufferPool.makeBuffer(threshold: nil)
  pixelBufferOut.pointee = buffer
  return result
}

/// As the plain form, with attributes such as the allocation threshold.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let threshold = auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey].flatMap(PixelBufferAttributes.integer)
  let (buffer, result) = pixelBufferPool.makeBuffer(threshold: threshold)
  pixelBufferOut.pointee = buffer
  return result
}

public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
  pool.attributes.withLock { $0.pool }
}

public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
  pool.attributes.withLock { $0.buffer }
}

/// Frees memory that waits for its next use: with `.excessBuffers` all of it, else what is beyond the pool's limit.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
  pool.flush(all: options.contains(.excessBuffers))
}
