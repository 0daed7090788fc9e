public typealias CMBlockBufferFlags = UInt32

public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 1 << 1
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 1 << 2
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 1 << 3

public let kCMBlockBufferNoErr: OSStatus = 0
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// Bytes in one or several runs of memory that look like one range of offsets.
///
/// Runs are shared between buffers, never copied unless asked for. The list of runs may be used on any thread; who
/// writes bytes must see to it that nobody else uses them.
public final class CMBlockBuffer: Sendable {
  let segments: ValueLock<[BlockSegment]>
  let attachments = ValueLock<[CFString: CMAttachment]>([:])

  init(segments: [BlockSegment]) {
    self.segments = ValueLock(segments)
  }

  /// An empty buffer to append to. `capacity` is a hint.
  public convenience init(capacity: UInt32 = 0, flags: Flags = []) throws {
    self.init(segments: [])
  }

  /// Zeroed memory.
  public convenience init(length: Int, allocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []) throws {
    guard length >= 0 else { throw NSError.status(kCMBlockBufferBadLengthParameterErr) }
    guard let memory = BlockMemory(length: length) else {
      throw NSError.status(kCMBlockBufferBlockAllocationFailedErr)
    }
    self.init(segments: [BlockSegment(memory: memory, offset: 0, length: length)])
  }

  /// The caller's memory, released by `deallocator` once no buffer needs it.
  public convenience init(
    buffer: UnsafeMutableRawBufferPointer, flags: Flags = [],
    deallocator: @escaping (UnsafeMutableRawPointer, Int) -> Void
  ) throws {
    guard let base = buffer.baseAddress else { throw NSError.status(kCMBlockBufferBadPointerParameterErr) }
    let memory = BlockMemory(base, length: buffer.count, release: deallocator)
    self.init(segments: [BlockSegment(memory: memory, offset: 0, length: buffer.count)])
  }

  /// Bytes that belong to `owner`, a demuxer's packet for one, without copying them. Nobody may write them.
  package convenience init(bytes: UnsafeRawBufferPointer, owner: AnyObject) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      self.init(segments: [])
      return
    }
    let memory = BlockMemory(UnsafeMutableRawPointer(mutating: base), length: bytes.count) { _, _ in
      withExtendedLifetime(owner) {}
    }
    self.init(segments: [BlockSegment(memory: memory, offset: 0, length: bytes.count)])
  }

  /// A copy of the data.
  package convenience init(copying data: Data) throws {
    try self.init(length: data.count)
    _ = data.withUnsafeBytes { replace($0, at: 0) }
  }

  public struct Flags: OptionSet, Sendable {
    public let rawValue: CMBlockBufferFlags

    public init(rawValue: CMBlockBufferFlags) {
      self.rawValue = rawValue
    }

    public static let assureMemoryNow = Flags(rawValue: kCMBlockBufferAssureMemoryNowFlag)
    public static let alwaysCopyData = Flags(rawValue: kCMBlockBufferAlwaysCopyDataFlag)
    public static let dontOptimizeDepth = Flags(rawValue: kCMBlockBufferDontOptimizeDepthFlag)
    public static let permitEmptyReference = Flags(rawValue: kCMBlockBufferPermitEmptyReferenceFlag)
  }
}

extension CMBlockBuffer: Hashable {
  /// The same object.
  public static func == (left: CMBlockBuffer, right: CMBlockBuffer) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CMBlockBuffer {
  /// The part of the runs that `length` bytes from `offset` cover; nil when they reach beyond the end.
  func segments(at offset: Int, length: Int) -> [BlockSegment]? {
    let all = segments.withLock { $0 }
    let total = all.reduce(0) { $0 + $1.length }
    guard offset >= 0, length >= 0, offset <= total, length <= total - offset else { return nil }
    var part: [BlockSegment] = []
    var (skip, wanted) = (offset, length)
    for segment in all where wanted > 0 {
      guard skip < segment.length else {
        skip -= segment.length
        continue
      }
      let count = Swift.min(segment.length - skip, wanted)
      part.append(BlockSegment(memory: segment.memory, offset: segment.offset + skip, length: count))
      wanted -= count
      skip = 0
    }
    return part
  }

  /// The same, where a length of 0 means all from the offset on.
  func segments(at offset: Int, lengthOrRest length: Int) -> [BlockSegment]? {
    guard length == 0, offset >= 0 else { return segments(at: offset, length: length) }
    let (rest, overflow) = dataLength.subtractingReportingOverflow(offset)
    return overflow || rest < 0 ? nil : segments(at: offset, length: rest)
  }

  /// Which parameter is wrong when `segments(at:length:)` has no answer.
  func rangeError(at offset: Int) -> OSStatus {
    offset < 0 || offset > dataLength ? kCMBlockBufferBadOffsetParameterErr : kCMBlockBufferBadLengthParameterErr
  }

  /// False when the bytes do not fit.
  func replace(_ source: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard let part = segments(at: offset, length: source.count) else { return false }
    var position = 0
    for segment in part {
      UnsafeMutableRawBufferPointer(start: segment.bytes, count: segment.length)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[position..<position + segment.length]))
      position += segment.length
    }
    return true
  }

  func copy(_ part: [BlockSegment], to destination: UnsafeMutableRawPointer) {
    var position = 0
    for segment in part {
      (destination + position).copyMemory(from: segment.bytes, byteCount: segment.length)
      position += segment.length
    }
  }
}
