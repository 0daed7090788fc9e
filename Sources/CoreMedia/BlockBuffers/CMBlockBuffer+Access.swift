extension CMBlockBuffer {
  public var dataLength: Int {
    segments.withLock { $0.reduce(0) { $0 + $1.length } }
  }

  public var isEmpty: Bool { dataLength == 0 }

  /// No runs of memory, which is not the same as no bytes.
  var hasNoRuns: Bool { segments.withLock(\.isEmpty) }

  /// True when all bytes lie in one run.
  public var isContiguous: Bool {
    isRangeContiguous(atOffset: 0, length: dataLength)
  }

  func isRangeContiguous(atOffset offset: Int, length: Int) -> Bool {
    (segments(at: offset, length: length)?.count).map { $0 <= 1 } ?? false
  }

  /// Memory is always there; does nothing.
  public func assureBlockMemory() throws {
    if hasNoRuns { throw NSError.status(kCMBlockBufferEmptyBBufErr) }
  }

  /// Adds another buffer's runs, shared.
  public func append(bufferReference targetBuffer: CMBlockBuffer, flags: Flags = []) throws {
    let added = targetBuffer.segments.withLock { $0 }
    guard !added.isEmpty || flags.contains(.permitEmptyReference) else {
      throw NSError.status(kCMBlockBufferEmptyBBufErr)
    }
    segments.withLock { $0 += added }
  }

  /// Adds zeroed memory.
  public func append(length: Int, allocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []) throws {
    guard length >= 0 else { throw NSError.status(kCMBlockBufferBadLengthParameterErr) }
    guard let memory = BlockMemory(length: length) else {
      throw NSError.status(kCMBlockBufferBlockAllocationFailedErr)
    }
    segments.withLock { $0.append(BlockSegment(memory: memory, offset: 0, length: length)) }
  }

  /// Adds the caller's memory, released by `deallocator` once no buffer needs it.
  public func append(
    buffer: UnsafeMutableRawBufferPointer, flags: Flags = [],
    deallocator: @escaping (UnsafeMutableRawPointer, Int) -> Void
  ) throws {
    guard let base = buffer.baseAddress else { throw NSError.status(kCMBlockBufferBadPointerParameterErr) }
    let memory = BlockMemory(base, length: buffer.count, release: deallocator)
    segments.withLock { $0.append(BlockSegment(memory: memory, offset: 0, length: buffer.count)) }
  }

  /// Fills the destination with the first bytes; fails when it has more room than there are bytes.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
    guard let base = destination.baseAddress else { return }
    guard let part = segments(at: 0, length: destination.count) else {
      throw NSError.status(kCMBlockBufferBadLengthParameterErr)
    }
    copy(part, to: base)
  }

  /// All bytes in a copy.
  public func dataBytes() throws -> Data {
    let length = dataLength
    guard let part = segments(at: 0, length: length) else {
      throw NSError.status(kCMBlockBufferBadLengthParameterErr)
    }
    var data = Data(capacity: length)
    for segment in part { data.append(segment.bytes.assumingMemoryBound(to: UInt8.self), count: segment.length) }
    return data
  }

  /// Overwrites the first bytes.
  public func replaceDataBytes(with source: UnsafeRawBufferPointer) throws {
    guard replace(source, at: 0) else { throw NSError.status(kCMBlockBufferBadLengthParameterErr) }
  }

  /// Sets every byte.
  public func fillDataBytes(with fillByte: CChar) throws {
    for segment in segments.withLock({ $0 }) {
      segment.bytes.initializeMemory(as: CChar.self, repeating: fillByte, count: segment.length)
    }
  }

  /// The run of bytes that starts at `offset`: all of them only when the buffer is contiguous from there.
  public func withUnsafeMutableBytes<Result>(
    atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    let length = dataLength
    guard offset >= 0, offset <= length, let part = segments(at: offset, length: length - offset) else {
      throw NSError.status(kCMBlockBufferBadOffsetParameterErr)
    }
    guard let first = part.first else { return try body(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
    return try withExtendedLifetime(first.memory) {
      try body(UnsafeMutableRawBufferPointer(start: first.bytes, count: first.length))
    }
  }

  /// All bytes in one piece, copied only when they lie in several runs.
  public func withContiguousStorage<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    if isContiguous { return try withUnsafeMutableBytes { try body(UnsafeRawBufferPointer($0)) } }
    return try dataBytes().withUnsafeBytes(body)
  }
}
