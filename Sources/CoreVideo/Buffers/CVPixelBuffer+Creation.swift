/// Makes a buffer with zeroed memory of its own.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard let layout = PixelFormatLayout(pixelFormatType) else { return kCVReturnInvalidPixelFormat }
  let attributes = PixelBufferAttributes(pixelBufferAttributes ?? [:])
  guard let alignment = attributes.rowAlignment else { return kCVReturnInvalidPixelBufferAttributes }
  guard let plan = PixelMemoryPlan(layout, width: width, height: height, alignment: alignment) else {
    return kCVReturnInvalidSize
  }
  guard let storage = PixelStorage(plan) else { return kCVReturnAllocationFailed }
  pixelBufferOut.pointee = CVBuffer(
    width: width, height: height, format: pixelFormatType, attributes: pixelBufferAttributes ?? [:], storage: storage)
  return kCVReturnSuccess
}

/// Called once the buffer no longer needs the bytes it was made from.
public typealias CVPixelBufferReleaseBytesCallback =
  @convention(c) (_ releaseRefCon: UnsafeMutableRawPointer?, _ baseAddress: UnsafeRawPointer?) -> Void

/// Makes a buffer over the caller's bytes of a format with one plane.
@discardableResult
public func CVPixelBufferCreateWithBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
  _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard let layout = PixelFormatLayout(pixelFormatType), !layout.isPlanar else { return kCVReturnInvalidPixelFormat }
  let plane = PixelPlane(baseAddress: baseAddress, bytesPerRow: bytesPerRow, width: width, height: height)
  let owner = BytesOwner { releaseCallback?(releaseRefCon, baseAddress) }
  guard bytesPerRow > 0,
    let buffer = CVBuffer(
      width: width, height: height, format: pixelFormatType, planes: [plane], owner: owner, isExclusive: true,
      attributes: pixelBufferAttributes ?? [:])
  else {
    owner.disarm()
    return kCVReturnInvalidSize
  }
  pixelBufferOut.pointee = buffer
  return kCVReturnSuccess
}

/// Called once the buffer no longer needs the planes it was made from.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    _ releaseRefCon: UnsafeMutableRawPointer?, _ dataPtr: UnsafeRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
    _ planeAddresses: UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void

/// Makes a buffer over the caller's planes.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
  _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ planeWidth: UnsafeMutablePointer<Int>,
  _ planeHeight: UnsafeMutablePointer<Int>, _ planeBytesPerRow: UnsafeMutablePointer<Int>,
  _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  pixelBufferOut.pointee = nil
  guard let layout = PixelFormatLayout(pixelFormatType), layout.isPlanar else { return kCVReturnInvalidPixelFormat }
  guard layout.planes.count == numberOfPlanes else { return kCVReturnInvalidArgument }
  var planes: [PixelPlane] = []
  for index in 0..<numberOfPlanes {
    guard let address = planeBaseAddress[index], planeBytesPerRow[index] > 0 else { return kCVReturnInvalidArgument }
    planes.append(
      PixelPlane(
        baseAddress: address, bytesPerRow: planeBytesPerRow[index], width: planeWidth[index],
        height: planeHeight[index]))
  }
  let addresses = planes.map { UnsafeRawPointer($0.baseAddress) as UnsafeRawPointer? }
  let owner = BytesOwner {
    var addresses = addresses
    addresses.withUnsafeMutableBufferPointer { list in
      releaseCallback?(releaseRefCon, dataPtr, dataSize, numberOfPlanes, list.baseAddress)
    }
  }
  guard
    let buffer = CVBuffer(
      width: width, height: height, format: pixelFormatType, planes: planes, owner: owner, isExclusive: true,
      attributes: pixelBufferAttributes ?? [:])
  else {
    owner.disarm()
    return kCVReturnInvalidSize
  }
  pixelBufferOut.pointee = buffer
  return kCVReturnSuccess
}

/// Runs the caller's release callback when the last user of the bytes is gone.
private final class BytesOwner {
  private var release: (() -> Void)?

  init(_ release: @escaping () -> Void) {
    self.release = release
  }

  /// The buffer was not made: the bytes stay the caller's.
  func disarm() {
    release = nil
  }

  deinit {
    release?()
  }
}
