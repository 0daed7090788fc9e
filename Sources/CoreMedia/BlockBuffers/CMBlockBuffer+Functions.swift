/// Allocates and frees blocks for a block buffer in the caller's way.
public struct CMBlockBufferCustomBlockSource {
  public var version: UInt32
  public var AllocateBlock:
    (@convention(c) (_ refCon: UnsafeMutableRawPointer?, _ sizeInBytes: Int) -> UnsafeMutableRawPointer?)?
  public var FreeBlock:
    (
      @convention(c) (
        _ refCon: UnsafeMutableRawPointer?, _ doomedMemoryBlock: UnsafeMutableRawPointer, _ sizeInBytes: Int
      ) -> Void
    )?
  public var refCon: UnsafeMutableRawPointer?

  public init(
    version: UInt32,
    AllocateBlock: (
      @convention(c) (_ refCon: UnsafeMutableRawPointer?, _ sizeInBytes: Int) -> UnsafeMutableRawPointer?
    )?,
    FreeBlock: (
      @convention(c) (
        _ refCon: UnsafeMutableRawPointer?, _ doomedMemoryBlock: UnsafeMutableRawPointer, _ sizeInBytes: Int
      ) -> Void
    )?,
    refCon: UnsafeMutableRawPointer?
  ) {
    self.version = version
    self.AllocateBlock = AllocateBlock
    self.FreeBlock = FreeBlock
    self.refCon = refCon
  }
}

public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// The caller's block, or a new one when there is none.
private func makeMemory(
  _ memoryBlock: UnsafeMutableRawPointer?, _ length: Int, _ allocator: CFAllocator?,
  _ source: UnsafePointer<CMBlockBufferCustomBlockSource>?
) throws -> BlockMemory {
  guard length >= 0 else { throw NSError.status(kCMBlockBufferBadLengthParameterErr) }
  if let source = source?.pointee {
    guard let free = source.FreeBlock else { throw NSError.status(kCMBlockBufferBadCustomBlockSourceErr) }
    guard let bytes = memoryBlock ?? source.AllocateBlock?(source.refCon, length) else {
      throw NSError.status(kCMBlockBufferBlockAllocationFailedErr)
    }
    return BlockMemory(bytes, length: length) { free(source.refCon, $0, $1) }
  }
  guard let memoryBlock else {
    guard let memory = BlockMemory(length: length) else {
      throw NSError.status(kCMBlockBufferBlockAllocationFailedErr)
    }
    return memory
  }
  let isForeign = allocator === kCFAllocatorNull
  return BlockMemory(memoryBlock, length: length) { bytes, _ in if !isForeign { free(bytes) } }
}

extension CMBlockBuffer {
  /// The part of the runs that a reference of these parameters has.
  fileprivate func reference(
    at offset: Int, lengthOrRest length: Int, _ flags: CMBlockBufferFlags
  ) throws -> [BlockSegment] {
    guard let part = segments(at: offset, lengthOrRest: length) else { throw NSError.status(rangeError(at: offset)) }
    guard !part.isEmpty || flags & kCMBlockBufferPermitEmptyReferenceFlag != 0 else {
      throw NSError.status(kCMBlockBufferEmptyBBufErr)
    }
    return part
  }
}

private func makeSegment(_ memory: BlockMemory, offset: Int, length: Int) throws -> BlockSegment {
  guard offset >= 0, offset <= memory.length else { throw NSError.status(kCMBlockBufferBadOffsetParameterErr) }
  guard length >= 0, length <= memory.length - offset else {
    throw NSError.status(kCMBlockBufferBadLengthParameterErr)
  }
  return BlockSegment(memory: memory, offset: offset, length: length)
}

@discardableResult
public func CMBlockBufferCreateEmpty(
  allocator structureAllocator: CFAllocator?, capacity subBlockCapacity: UInt32, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = CMBlockBuffer(segments: [])
  return kCMBlockBufferNoErr
}

/// Takes over `memoryBlock` (freed with `free`, or not at all with `kCFAllocatorNull`), or makes a block when it is nil.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
  allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
  blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
  offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  guard offsetToData >= 0, offsetToData <= blockLength else { return kCMBlockBufferBadOffsetParameterErr }
  guard dataLength >= 0, dataLength <= blockLength - offsetToData else { return kCMBlockBufferBadLengthParameterErr }
  return status {
    let memory = try makeMemory(memoryBlock, blockLength, blockAllocator, customBlockSource)
    let segment = try makeSegment(memory, offset: offsetToData, length: dataLength)
    blockBufferOut.pointee = CMBlockBuffer(segments: [segment])
  }
}

/// Shares a part of another buffer. A length of 0 means all from the offset on.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
  allocator structureAllocator: CFAllocator?, referenceBuffer bufferReference: CMBlockBuffer, offsetToData: Int,
  dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  return status {
    blockBufferOut.pointee = CMBlockBuffer(
      segments: try bufferReference.reference(at: offsetToData, lengthOrRest: dataLength, flags))
  }
}

/// The same bytes in one run: shared when they are already and no copy is asked for. A length of 0 means all from the
/// offset on.
@discardableResult
public func CMBlockBufferCreateContiguous(
  allocator structureAllocator: CFAllocator?, sourceBuffer: CMBlockBuffer, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  blockBufferOut.pointee = nil
  guard let part = sourceBuffer.segments(at: offsetToData, lengthOrRest: dataLength) else {
    return sourceBuffer.rangeError(at: offsetToData)
  }
  if part.count <= 1 && flags & kCMBlockBufferAlwaysCopyDataFlag == 0 {
    blockBufferOut.pointee = CMBlockBuffer(segments: part)
    return kCMBlockBufferNoErr
  }
  return status {
    let length = part.reduce(0) { $0 + $1.length }
    let memory = try makeMemory(nil, length, blockAllocator, customBlockSource)
    sourceBuffer.copy(part, to: memory.bytes)
    blockBufferOut.pointee = CMBlockBuffer(segments: [BlockSegment(memory: memory, offset: 0, length: length)])
  }
}

@discardableResult
public func CMBlockBufferAppendMemoryBlock(
  _ theBuffer: CMBlockBuffer, memoryBlock: UnsafeMutableRawPointer?, length blockLength: Int,
  blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int,
  dataLength: Int, flags: CMBlockBufferFlags
) -> OSStatus {
  guard offsetToData >= 0, offsetToData <= blockLength else { return kCMBlockBufferBadOffsetParameterErr }
  guard dataLength >= 0, dataLength <= blockLength - offsetToData else { return kCMBlockBufferBadLengthParameterErr }
  return status {
    let memory = try makeMemory(memoryBlock, blockLength, blockAllocator, customBlockSource)
    let segment = try makeSegment(memory, offset: offsetToData, length: dataLength)
    theBuffer.segments.withLock { $0.append(segment) }
  }
}

/// Adds a part of another buffer, shared. A length of 0 means all from the offset on.
@discardableResult
public func CMBlockBufferAppendBufferReference(
  _ theBuffer: CMBlockBuffer, targetBBuf: CMBlockBuffer, offsetToData: Int, dataLength: Int,
  flags: CMBlockBufferFlags
) -> OSStatus {
  status {
    let part = try targetBBuf.reference(at: offsetToData, lengthOrRest: dataLength, flags)
    theBuffer.segments.withLock { $0 += part }
  }
}

@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
  status { try theBuffer.assureBlockMemory() }
}

/// A pointer to the bytes themselves, or to a copy in `temporaryBlock` when they lie in several runs.
@discardableResult
public func CMBlockBufferAccessDataBytes(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int, temporaryBlock: UnsafeMutableRawPointer,
  returnedPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> OSStatus {
  guard let part = theBuffer.segments(at: offset, length: length) else { return theBuffer.rangeError(at: offset) }
  var pointer = temporaryBlock
  if let only = part.first, part.count == 1 {
    pointer = only.bytes
  } else {
    theBuffer.copy(part, to: temporaryBlock)
  }
  returnedPointerOut.pointee = pointer.assumingMemoryBound(to: CChar.self)
  return kCMBlockBufferNoErr
}

@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int, destination: UnsafeMutableRawPointer
) -> OSStatus {
  guard let part = theSourceBuffer.segments(at: offsetToData, length: dataLength) else {
    return theSourceBuffer.rangeError(at: offsetToData)
  }
  theSourceBuffer.copy(part, to: destination)
  return kCMBlockBufferNoErr
}

@discardableResult
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
  dataLength: Int
) -> OSStatus {
  guard dataLength >= 0 else { return kCMBlockBufferBadLengthParameterErr }
  let source = UnsafeRawBufferPointer(start: sourceBytes, count: dataLength)
  return destinationBuffer.replace(source, at: offsetIntoDestination)
    ? kCMBlockBufferNoErr : destinationBuffer.rangeError(at: offsetIntoDestination)
}

/// Sets bytes. A length of 0 means all from the offset on.
@discardableResult
public func CMBlockBufferFillDataBytes(
  with fillByte: CChar, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
  guard let part = destinationBuffer.segments(at: offsetIntoDestination, lengthOrRest: dataLength) else {
    return destinationBuffer.rangeError(at: offsetIntoDestination)
  }
  for segment in part {
    segment.bytes.initializeMemory(as: CChar.self, repeating: fillByte, count: segment.length)
  }
  return kCMBlockBufferNoErr
}

/// The first run from the offset; there may be more bytes than `lengthAtOffsetOut` says.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
  totalLengthOut: UnsafeMutablePointer<Int>?, dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  let length = theBuffer.dataLength
  guard offset >= 0, offset < length, let first = theBuffer.segments(at: offset, length: length - offset)?.first else {
    return theBuffer.hasNoRuns ? kCMBlockBufferEmptyBBufErr : kCMBlockBufferBadOffsetParameterErr
  }
  lengthAtOffsetOut?.pointee = first.length
  totalLengthOut?.pointee = length
  dataPointerOut?.pointee = first.bytes.assumingMemoryBound(to: CChar.self)
  return kCMBlockBufferNoErr
}

public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int {
  theBuffer.dataLength
}

/// True when the bytes lie in one run. A length of 0 means all from the offset on.
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
  theBuffer.segments(at: offset, lengthOrRest: length).map { $0.count <= 1 } ?? false
}

public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool {
  theBuffer.hasNoRuns
}
