extension CMBlockBuffer: DataProtocol {
  public typealias Element = UInt8

  public var startIndex: Int { 0 }
  public var endIndex: Int { dataLength }
  public var count: Int { dataLength }

  public subscript(position: Int) -> UInt8 {
    let byte = segments.withLock { segments -> UInt8? in
      guard position >= 0 else { return nil }
      var offset = position
      for segment in segments {
        if offset < segment.length { return segment.bytes.load(fromByteOffset: offset, as: UInt8.self) }
        offset -= segment.length
      }
      return nil
    }
    guard let byte else { preconditionFailure("index \(position) is beyond a CMBlockBuffer of \(dataLength) bytes") }
    return byte
  }

  /// Goes through the runs of memory that the buffer had when it was made.
  public struct Iterator: IteratorProtocol {
    private let segments: [BlockSegment]
    private var index = 0
    private var offset = 0

    fileprivate init(_ segments: [BlockSegment]) {
      self.segments = segments
    }

    public mutating func next() -> UInt8? {
      while index < segments.count {
        let segment = segments[index]
        if offset < segment.length {
          defer { offset += 1 }
          return segment.bytes.load(fromByteOffset: offset, as: UInt8.self)
        }
        index += 1
        offset = 0
      }
      return nil
    }
  }

  public func makeIterator() -> Iterator {
    Iterator(segments.withLock { $0 })
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
