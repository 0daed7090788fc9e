import CoreVideo
import Testing

/// Counts how long it lives, as a decoder's frame would.
final class FrameOwner {
  let bytes: UnsafeMutableRawBufferPointer
  let onDeinit: () -> Void

  init(count: Int, onDeinit: @escaping () -> Void = {}) {
    bytes = .allocate(byteCount: count, alignment: 64)
    bytes.copyBytes(from: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    self.onDeinit = onDeinit
  }

  deinit {
    bytes.deallocate()
    onDeinit()
  }
}

@Suite struct PixelBufferTests {
  private func make(
    _ width: Int, _ height: Int, _ format: OSType, _ attributes: CFDictionary? = nil
  ) -> (CVPixelBuffer?, CVReturn) {
    var buffer: CVPixelBuffer?
    let result = CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, attributes, &buffer)
    return (buffer, result)
  }

  private func foreign(_ owner: FrameOwner) throws -> CVPixelBuffer {
    let base = try #require(owner.bytes.baseAddress)
    let planes = [
      PixelPlane(baseAddress: base, bytesPerRow: 16, width: 16, height: 8),
      PixelPlane(baseAddress: base + 128, bytesPerRow: 8, width: 8, height: 4),
      PixelPlane(baseAddress: base + 160, bytesPerRow: 8, width: 8, height: 4),
    ]
    return try #require(
      CVPixelBuffer(
        width: 16, height: 8, format: kCVPixelFormatType_420YpCbCr8Planar, planes: planes, owner: owner))
  }

  @Test func ordinaryClientCode_compilesAndWorks() throws {
    let attributes =
      [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
        kCVPixelBufferCGImageCompatibilityKey as String: true,
        kCVPixelBufferIOSurfacePropertiesKey as String: [String: Any](),
      ] as [String: Any]
    let (made, result) = make(5, 3, kCVPixelFormatType_32BGRA, attributes as CFDictionary)
    let buffer = try #require(made)
    #expect(result == kCVReturnSuccess)
    CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0))
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    base.storeBytes(of: 0x1122_3344, toByteOffset: 2 * CVPixelBufferGetBytesPerRow(buffer) + 16, as: UInt32.self)
    #expect(CVPixelBufferGetWidth(buffer) == 5 && CVPixelBufferGetHeight(buffer) == 3)
    #expect(CVPixelBufferGetBytesPerRow(buffer) == 64 && CVPixelBufferGetDataSize(buffer) == 192)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
    #expect(!CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 0)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == nil)
    let created = CVPixelBufferCopyCreationAttributes(buffer)
    #expect(created[kCVPixelBufferWidthKey] as? Int == 5)
  }

  @Test func creationAttributes_areKeptHoweverTheBufferIsMade() throws {
    let format = kCVPixelFormatType_OneComponent8
    let owner = FrameOwner(count: 64)
    let base = try #require(owner.bytes.baseAddress)
    var made: CVPixelBuffer?
    CVPixelBufferCreateWithBytes(nil, 8, 4, format, base, 16, nil, nil, ["mine": 7], &made)
    let bytes = CVPixelBufferCopyCreationAttributes(try #require(made))
    #expect(bytes["mine"] as? Int == 7 && bytes[kCVPixelBufferHeightKey] as? Int == 4)
    let engines = CVPixelBufferCopyCreationAttributes(try foreign(FrameOwner(count: 256)))
    #expect(engines[kCVPixelBufferWidthKey] as? Int == 16 && engines[kCVPixelBufferHeightKey] as? Int == 8)
    #expect(engines[kCVPixelBufferPixelFormatTypeKey] as? UInt32 == kCVPixelFormatType_420YpCbCr8Planar)
    withExtendedLifetime(owner) {}
  }

  @Test func planes_ofOddSizes_holdIncompleteChroma() throws {
    let buffer = try #require(make(5, 3, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange).0)
    #expect(CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 2)
    #expect(CVPixelBufferGetWidthOfPlane(buffer, 0) == 5 && CVPixelBufferGetHeightOfPlane(buffer, 0) == 3)
    #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == 3 && CVPixelBufferGetHeightOfPlane(buffer, 1) == 2)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) >= 6)
    #expect(CVPixelBufferGetWidthOfPlane(buffer, 2) == 0 && CVPixelBufferGetBaseAddressOfPlane(buffer, -1) == nil)
  }

  @Test func rows_areAlignedAsAskedFor() throws {
    let wide = try #require(
      make(1, 1, kCVPixelFormatType_OneComponent8, [kCVPixelBufferBytesPerRowAlignmentKey: 256]).0)
    #expect(CVPixelBufferGetBytesPerRow(wide) == 256)
    let wrong = make(1, 1, kCVPixelFormatType_OneComponent8, [kCVPixelBufferBytesPerRowAlignmentKey: 7]).1
    #expect(wrong == kCVReturnInvalidPixelBufferAttributes)
  }

  @Test func badParameters_giveCodesAndNoBuffer() {
    #expect(make(0, 4, kCVPixelFormatType_32BGRA).1 == kCVReturnInvalidSize)
    #expect(make(4, -1, kCVPixelFormatType_32BGRA).1 == kCVReturnInvalidSize)
    #expect(make(.max, .max, kCVPixelFormatType_32BGRA).1 == kCVReturnInvalidSize)
    let unknown = make(4, 4, 0x3f3f_3f3f)
    #expect(unknown.0 == nil && unknown.1 == kCVReturnInvalidPixelFormat)
  }

  @Test func readOnlyLock_neverCopies() throws {
    let owner = FrameOwner(count: 192)
    let buffer = try foreign(owner)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == owner.bytes.baseAddress)
    #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1) == 8)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 0) == nil)
  }

  @Test func writableLock_copiesWhatADecoderMayRead() throws {
    let owner = FrameOwner(count: 192)
    let buffer = try foreign(owner)
    CVPixelBufferLockBaseAddress(buffer, [])
    let copy = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 2))
    #expect(copy != owner.bytes.baseAddress.map { $0 + 160 })
    let row = CVPixelBufferGetBytesPerRowOfPlane(buffer, 2)
    #expect((copy + 3 * row + 7).load(as: UInt8.self) == 191)
    copy.storeBytes(of: 7, as: UInt8.self)
    CVPixelBufferUnlockBaseAddress(buffer, [])
    #expect(owner.bytes[160] == 160)
    CVPixelBufferLockBaseAddress(buffer, [])
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 2) == copy && copy.load(as: UInt8.self) == 7)
    CVPixelBufferUnlockBaseAddress(buffer, [])
  }

  @Test func readersAddresses_surviveAWritersCopy() throws {
    let isGone = Flag()
    var owner: FrameOwner? = FrameOwner(count: 192) { isGone.raise() }
    let buffer = try foreign(try #require(owner))
    owner = nil
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    let seen = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
    CVPixelBufferLockBaseAddress(buffer, [])
    CVPixelBufferUnlockBaseAddress(buffer, [])
    #expect(!isGone.isRaised && (seen + 5).load(as: UInt8.self) == 5)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    #expect(isGone.isRaised)
  }

  @Test func exclusiveMemory_isWrittenInPlace() throws {
    let owner = FrameOwner(count: 64)
    let base = try #require(owner.bytes.baseAddress)
    let plane = PixelPlane(baseAddress: base, bytesPerRow: 16, width: 16, height: 4)
    let buffer = try #require(
      CVPixelBuffer(
        width: 16, height: 4, format: kCVPixelFormatType_OneComponent8, planes: [plane], owner: owner,
        isExclusive: true))
    CVPixelBufferLockBaseAddress(buffer, [])
    #expect(CVPixelBufferGetBaseAddress(buffer) == base)
    CVPixelBufferUnlockBaseAddress(buffer, [])
  }

  @Test func rowsThatRunUpwards_areTurned() throws {
    let owner = FrameOwner(count: 64)
    let base = try #require(owner.bytes.baseAddress)
    let plane = PixelPlane(baseAddress: base + 48, bytesPerRow: -16, width: 16, height: 4)
    let buffer = try #require(
      CVPixelBuffer(
        width: 16, height: 4, format: kCVPixelFormatType_OneComponent8, planes: [plane], owner: owner))
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    let first = try #require(CVPixelBufferGetBaseAddress(buffer))
    #expect(first.load(as: UInt8.self) == 48 && CVPixelBufferGetBytesPerRow(buffer) > 0)
    CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
  }

  @Test func planesThatDoNotFit_areRefused() throws {
    let owner = FrameOwner(count: 64)
    let base = try #require(owner.bytes.baseAddress)
    func make(_ planes: [PixelPlane]) -> CVPixelBuffer? {
      CVPixelBuffer(width: 16, height: 4, format: kCVPixelFormatType_OneComponent8, planes: planes, owner: owner)
    }
    #expect(make([]) == nil)
    #expect(make([PixelPlane(baseAddress: base, bytesPerRow: 15, width: 16, height: 4)]) == nil)
    #expect(make([PixelPlane(baseAddress: base, bytesPerRow: 16, width: 16, height: 3)]) == nil)
    #expect(make([PixelPlane(baseAddress: base, bytesPerRow: .min, width: 16, height: 4)]) == nil)
  }

  @Test func unlockingWithoutALock_isAnError() throws {
    let buffer = try #require(make(4, 4, kCVPixelFormatType_32ARGB).0)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnError)
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnError)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
  }

  @Test func callersBytes_areReleasedOnce() throws {
    let flag = Flag()
    let context = Unmanaged.passRetained(flag).toOpaque()
    var buffer: CVPixelBuffer?
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    let result = CVPixelBufferCreateWithBytes(
      kCFAllocatorDefault, 4, 4, kCVPixelFormatType_32BGRA, bytes, 16,
      { context, bytes in
        guard let context else { return }
        Unmanaged<Flag>.fromOpaque(context).takeRetainedValue().raise()
        bytes?.deallocate()
      }, context, nil, &buffer)
    #expect(result == kCVReturnSuccess && !flag.isRaised)
    #expect(buffer.map { CVPixelBufferGetBaseAddress($0) } == bytes)
    buffer = nil
    #expect(flag.isRaised)
  }

  @Test func refusedBytes_stayTheCallers() {
    var buffer: CVPixelBuffer?
    var bytes: [UInt8] = [0, 0, 0, 0]
    let result = bytes.withUnsafeMutableBytes { bytes in
      CVPixelBufferCreateWithBytes(
        nil, 4, 4, kCVPixelFormatType_32BGRA, bytes.baseAddress!, 2, { _, _ in Issue.record("released") }, nil, nil,
        &buffer)
    }
    #expect(result == kCVReturnInvalidSize && buffer == nil)
  }

  @Test func planarBytes_areUsedInPlace() throws {
    let owner = FrameOwner(count: 96)
    let base = try #require(owner.bytes.baseAddress)
    var addresses: [UnsafeMutableRawPointer?] = [base, base + 64]
    var (widths, heights, strides) = ([8, 4], [8, 4], [8, 8])
    var buffer: CVPixelBuffer?
    let result = CVPixelBufferCreateWithPlanarBytes(
      nil, 8, 8, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, 0, 2, &addresses, &widths, &heights, &strides,
      nil, nil, nil, &buffer)
    #expect(result == kCVReturnSuccess)
    #expect(buffer.map { CVPixelBufferGetBaseAddressOfPlane($0, 1) } == base + 64)
  }

  @Test func companions_liveAsLongAsTheBuffer() throws {
    let flag = Flag()
    var buffer = make(4, 4, kCVPixelFormatType_24RGB).0
    buffer?.keepAlive(FrameOwner(count: 1) { flag.raise() })
    #expect(!flag.isRaised)
    buffer = nil
    #expect(flag.isRaised)
  }

  @Test func everyNamedLayout_canBeMade() throws {
    for format in [
      kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
      kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr10,
      kCVPixelFormatType_420YpCbCr8PlanarFullRange, kCVPixelFormatType_1Monochrome, kCVPixelFormatType_64RGBAHalf,
      kCVPixelFormatType_422YpCbCr16, kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar,
    ] {
      let buffer = try #require(make(7, 5, format).0)
      #expect(CVPixelBufferGetBytesPerRow(buffer) > 0)
    }
    #expect(PixelFormatLayout(kCVPixelFormatType_422YpCbCr10)?.planes[0].rowBytes(pictureWidth: 1920) == 5120)
    #expect(PixelFormatLayout(kCVPixelFormatType_422YpCbCr8)?.planes[0].rowBytes(pictureWidth: 7) == 16)
  }

  @Test func codes_spellTheirLetters() {
    #expect(kCVPixelFormatType_32BGRA == 0x4247_5241)
    #expect(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange.characters == "420v")
    #expect(kCVPixelFormatType_32ARGB == 32 && kCVPixelFormatType_24RGB == 24)
  }
}

/// Raised once, seen from any thread.
final class Flag: Sendable {
  private let state = ValueLock(false)
  var isRaised: Bool { state.withLock { $0 } }
  func raise() { state.withLock { $0 = true } }
}

@Suite struct LiveBufferTests {
  /// Other tests make buffers at the same time, so only the lower bound is certain.
  @Test func liveBuffers_areCounted() {
    let kept = (0..<1000).compactMap { _ in
      var buffer: CVPixelBuffer?
      CVPixelBufferCreate(nil, 1, 1, kCVPixelFormatType_OneComponent8, nil, &buffer)
      return buffer
    }
    #expect(CVPixelBuffer.liveCount >= kept.count && kept.count == 1000)
  }
}
