import CoreMedia
import Foundation
import Testing

@Suite struct BlockBufferTests {
  /// Two runs: 0…3 and 4…9.
  private func twoRuns() throws -> CMBlockBuffer {
    let buffer = try CMBlockBuffer(copying: Data([0, 1, 2, 3]))
    try buffer.append(bufferReference: CMBlockBuffer(copying: Data([4, 5, 6, 7, 8, 9])))
    return buffer
  }

  @Test func runs_lookLikeOneRange() throws {
    let buffer = try twoRuns()
    #expect(buffer.dataLength == 10 && !buffer.isContiguous && CMBlockBufferGetDataLength(buffer) == 10)
    #expect(CMBlockBufferIsRangeContiguous(buffer, atOffset: 4, length: 6))
    #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 3, length: 2))
    #expect(Array(buffer) == Array(0...9) && buffer[5] == 5 && buffer.regions.map(\.count) == [4, 6])
    #expect(try buffer.dataBytes() == Data(0...9))
    var part = [UInt8](repeating: 0, count: 4)
    #expect(CMBlockBufferCopyDataBytes(buffer, atOffset: 2, dataLength: 4, destination: &part) == kCMBlockBufferNoErr)
    #expect(part == [2, 3, 4, 5])
  }

  @Test func dataPointer_givesTheFirstRunOnly() throws {
    let buffer = try twoRuns()
    var (length, total) = (0, 0)
    var pointer: UnsafeMutablePointer<CChar>?
    #expect(
      CMBlockBufferGetDataPointer(
        buffer, atOffset: 1, lengthAtOffsetOut: &length, totalLengthOut: &total, dataPointerOut: &pointer)
        == kCMBlockBufferNoErr)
    #expect(length == 3 && total == 10 && pointer?.pointee == 1)
    #expect(
      CMBlockBufferGetDataPointer(
        buffer, atOffset: 10, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
        == kCMBlockBufferBadOffsetParameterErr)
  }

  @Test func references_shareMemory() throws {
    let buffer = try twoRuns()
    var made: CMBlockBuffer?
    CMBlockBufferCreateWithBufferReference(
      allocator: nil, referenceBuffer: buffer, offsetToData: 3, dataLength: 3, flags: 0, blockBufferOut: &made)
    let part = try #require(made)
    #expect(Array(part) == [3, 4, 5])
    #expect(
      CMBlockBufferReplaceDataBytes(
        with: [90, 91] as [UInt8], blockBuffer: part, offsetIntoDestination: 0, dataLength: 2)
        == kCMBlockBufferNoErr)
    #expect(buffer[3] == 90 && buffer[4] == 91)
    CMBlockBufferFillDataBytes(with: 7, blockBuffer: part, offsetIntoDestination: 1, dataLength: 2)
    #expect(Array(buffer) == [0, 1, 2, 90, 7, 7, 6, 7, 8, 9])
  }

  @Test func lengthZero_meansTheRest() throws {
    let buffer = try twoRuns()
    var made: CMBlockBuffer?
    CMBlockBufferCreateWithBufferReference(
      allocator: nil, referenceBuffer: buffer, offsetToData: 3, dataLength: 0, flags: 0, blockBufferOut: &made)
    #expect(made.map(Array.init) == Array(3...9))
    let other = try CMBlockBuffer()
    #expect(
      CMBlockBufferAppendBufferReference(other, targetBBuf: buffer, offsetToData: 8, dataLength: 0, flags: 0)
        == kCMBlockBufferNoErr)
    #expect(Array(other) == [8, 9])
    #expect(CMBlockBufferIsRangeContiguous(buffer, atOffset: 4, length: 0))
    #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 3, length: 0))
    #expect(
      CMBlockBufferFillDataBytes(with: 1, blockBuffer: buffer, offsetIntoDestination: 2, dataLength: 0)
        == kCMBlockBufferNoErr)
    #expect(Array(buffer) == [0, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    for offset in [11, -1, Int.max, Int.min] {
      #expect(
        CMBlockBufferFillDataBytes(with: 1, blockBuffer: buffer, offsetIntoDestination: offset, dataLength: 0)
          == kCMBlockBufferBadOffsetParameterErr)
    }
  }

  @Test func emptyReferences_needTheirFlag() throws {
    let empty = try CMBlockBuffer()
    var made: CMBlockBuffer?
    func make(_ flags: CMBlockBufferFlags) -> OSStatus {
      CMBlockBufferCreateWithBufferReference(
        allocator: nil, referenceBuffer: empty, offsetToData: 0, dataLength: 0, flags: flags, blockBufferOut: &made)
    }
    #expect(make(0) == kCMBlockBufferEmptyBBufErr && made == nil)
    #expect(make(kCMBlockBufferPermitEmptyReferenceFlag) == kCMBlockBufferNoErr && made?.dataLength == 0)
  }

  @Test func bytes_areReadRunByRun() throws {
    let buffer = try twoRuns()
    try buffer.append(length: 0)
    try buffer.append(length: 1)
    #expect((0..<11).map { buffer[$0] } == Array(0...9) + [0])
    var iterator = buffer.makeIterator()
    // Goes through what there was when it was made.
    try buffer.append(length: 1)
    #expect(Array(IteratorSequence(iterator)) == Array(0...9) + [0] && iterator.next() == 0)
    #expect(buffer.last == 0 && buffer.count == 12 && Array(buffer[3..<6]) == [3, 4, 5])
  }

  @Test func contiguous_copiesOnlyWhenItMust() throws {
    let buffer = try twoRuns()
    var (joined, shared): (CMBlockBuffer?, CMBlockBuffer?) = (nil, nil)
    CMBlockBufferCreateContiguous(
      allocator: nil, sourceBuffer: buffer, blockAllocator: nil, customBlockSource: nil, offsetToData: 0,
      dataLength: 0, flags: 0, blockBufferOut: &joined)
    #expect(joined?.isContiguous == true && joined.map(Array.init) == Array(0...9))
    CMBlockBufferCreateContiguous(
      allocator: nil, sourceBuffer: buffer, blockAllocator: nil, customBlockSource: nil, offsetToData: 4,
      dataLength: 6, flags: 0, blockBufferOut: &shared)
    try shared?.fillDataBytes(with: 1)
    #expect(buffer[9] == 1 && joined?[9] == 9)
  }

  @Test func callersMemory_isFreedByTheRightHand() throws {
    var bytes: [UInt8] = [1, 2, 3]
    var buffer: CMBlockBuffer?
    bytes.withUnsafeMutableBytes { bytes in
      CMBlockBufferCreateWithMemoryBlock(
        allocator: kCFAllocatorDefault, memoryBlock: bytes.baseAddress, blockLength: 3,
        blockAllocator: kCFAllocatorNull,
        customBlockSource: nil, offsetToData: 1, dataLength: 2, flags: 0, blockBufferOut: &buffer)
      #expect(buffer.map(Array.init) == [2, 3])
      buffer = nil
    }
    let flag = Flag()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    var owned: CMBlockBuffer? = try CMBlockBuffer(buffer: memory) { bytes, _ in
      bytes.deallocate()
      flag.raise()
    }
    let reference = try CMBlockBuffer()
    try reference.append(bufferReference: try #require(owned))
    owned = nil
    #expect(!flag.isRaised && reference.dataLength == 8)
  }

  @Test func customSource_allocatesAndFrees() throws {
    let flag = Flag()
    var source = CMBlockBufferCustomBlockSource(
      version: kCMBlockBufferCustomBlockSourceVersion, AllocateBlock: { _, size in malloc(size) },
      FreeBlock: { context, block, _ in
        free(block)
        if let context { Unmanaged<Flag>.fromOpaque(context).takeUnretainedValue().raise() }
      }, refCon: Unmanaged.passUnretained(flag).toOpaque())
    var buffer: CMBlockBuffer?
    CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: nil, blockLength: 16, blockAllocator: nil, customBlockSource: &source,
      offsetToData: 0, dataLength: 16, flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &buffer)
    #expect(buffer?.dataLength == 16 && !flag.isRaised)
    buffer = nil
    #expect(flag.isRaised)
  }

  @Test func ownersBytes_areNotCopied() throws {
    let flag = Flag()
    var owner: FrameOwner? = FrameOwner(count: 8) { flag.raise() }
    let bytes = UnsafeRawBufferPointer(try #require(owner).bytes)
    var buffer: CMBlockBuffer? = CMBlockBuffer(bytes: bytes, owner: try #require(owner))
    owner = nil
    let address = try buffer?.withUnsafeMutableBytes { $0.baseAddress.map { UnsafeRawPointer($0) } }
    #expect(address == bytes.baseAddress && !flag.isRaised)
    buffer = nil
    #expect(flag.isRaised)
  }

  @Test func rangesBeyondTheEnd_giveCodes() throws {
    let buffer = try twoRuns()
    var byte: UInt8 = 0
    for (offset, length) in [(11, 0), (-1, 1), (.max, 1), (0, 11), (5, .max), (0, -1)] {
      #expect(
        CMBlockBufferCopyDataBytes(buffer, atOffset: offset, dataLength: length, destination: &byte)
          != kCMBlockBufferNoErr)
    }
    var made: CMBlockBuffer?
    #expect(
      CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: nil, blockLength: 4, blockAllocator: nil, customBlockSource: nil, offsetToData: 3,
        dataLength: 2, flags: 0, blockBufferOut: &made) == kCMBlockBufferBadLengthParameterErr)
    #expect(throws: NSError.self) { try CMBlockBuffer(length: -1) }
  }

  @Test func emptyBuffer() throws {
    let buffer = try CMBlockBuffer()
    #expect(buffer.isEmpty && CMBlockBufferIsEmpty(buffer) && buffer.dataLength == 0)
    #expect(CMBlockBufferAssureBlockMemory(buffer) == kCMBlockBufferEmptyBBufErr)
    let added = CMBlockBufferAppendBufferReference(
      buffer, targetBBuf: buffer, offsetToData: 0, dataLength: 0, flags: kCMBlockBufferPermitEmptyReferenceFlag)
    #expect(added == kCMBlockBufferNoErr)
  }
}
