extension CMBlockBuffer: DataProtocol {
  public typealias Element = UInt8

  public var startIndex: Int { 0 }
  public var endIndex: Int { dataLength }
  public var count: Int { dataLength }

  public subscript(position: Int) -> UInt8 {
    guard let segment = segments(at: position, length: 1)?.first else {
      preconditionFailure("index \(position) is beyond a CMBlockBuffer of \(dataLength) bytes")
    }
    return segment.bytes.load(as: UInt8.self)
  }

  public subscript(bounds: Range<Int>) -> Slice<CMBlockBuffer> {
    Slice(base: self, bounds: bounds)
  }

  /// The runs of memory, not copied.
  public var regions: [Data] {
    segments.withLock { $0 }.filter { $0.length > 0 }.map { segment in
      Data(
        bytesNoCopy: segment.bytes, count: segment.length,
        deallocator: .custom { _, _ in withExtendedLifetime(segment.memory) {} })
    }
  }

  public func copyBytes(to destination: UnsafeMutableRawBufferPointer, from range: Range<Int>) -> Int {
    let length = Swift.min(range.count, destination.count)
    guard let base = destination.baseAddress, let part = segments(at: range.lowerBound, length: length) else {
      return 0
    }
    copy(part, to: base)
    return length
  }
}
