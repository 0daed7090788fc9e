public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.width
}

public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.height
}

public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.format
}

public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool {
  pixelBuffer.isPlanar
}

/// 0 when the format is not planar.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.isPlanar ? pixelBuffer.withStorage { $0.planes.count } : 0
}

/// The first pixel, of the first plane if there are several. Nil when a decoder owns the pixels and the buffer is not locked.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.address(ofPlane: 0)
}

/// The row length, of the first plane if there are several.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.withStorage { $0.planes.first?.bytesPerRow ?? 0 }
}

public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.withStorage(\.dataSize)
}

/// Nil when the format is not planar, there is no such plane, or a decoder owns the pixels and the buffer is not locked.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  pixelBuffer.isPlanar ? pixelBuffer.address(ofPlane: planeIndex) : nil
}

/// 0 when the format is not planar or there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.plane(planeIndex)?.bytesPerRow ?? 0
}

/// 0 when the format is not planar or there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.plane(planeIndex)?.width ?? 0
}

/// 0 when the format is not planar or there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  pixelBuffer.plane(planeIndex)?.height ?? 0
}

/// Columns and rows beyond the picture; there are none.
public func CVPixelBufferGetExtendedPixels(
  _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
  _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
  _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
  for count in [extraColumnsOnLeft, extraColumnsOnRight, extraRowsOnTop, extraRowsOnBottom] { count?.pointee = 0 }
}

/// Does nothing, as there are no pixels beyond the picture.
@discardableResult
public func CVPixelBufferFillExtendedPixels(_ pixelBuffer: CVPixelBuffer) -> CVReturn {
  kCVReturnSuccess
}

/// The attributes the buffer was created with, and its size and format.
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
  let attributes = PixelBufferAttributes(pixelBuffer.creationAttributes.withLock { $0 })
  return attributes.resolved(width: pixelBuffer.width, height: pixelBuffer.height, format: pixelBuffer.format)
}

extension CVBuffer {
  func withStorage<Result>(_ body: (PixelStorage) -> Result) -> Result {
    memory.withLock { body($0.storage) }
  }

  func plane(_ index: Int) -> PixelPlane? {
    guard isPlanar else { return nil }
    return withStorage { $0.planes.indices.contains(index) ? $0.planes[index] : nil }
  }

  func address(ofPlane index: Int) -> UnsafeMutableRawPointer? {
    memory.withLock { memory in
      let isAccessible = memory.storage.isExclusive || memory.readLocks > 0 || memory.writeLocks > 0
      guard isAccessible, memory.storage.planes.indices.contains(index) else { return nil }
      return memory.storage.planes[index].baseAddress
    }
  }
}
