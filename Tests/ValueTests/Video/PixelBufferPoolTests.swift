import CoreVideo
import Dispatch
import Foundation
import Testing

@Suite struct PixelBufferPoolTests {
  private func makePool(_ poolAttributes: CFDictionary? = nil) throws -> CVPixelBufferPool {
    var pool: CVPixelBufferPool?
    let attributes: [String: Any] = [
      kCVPixelBufferWidthKey as String: 64, kCVPixelBufferHeightKey as String: 32,
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
    ]
    #expect(
      CVPixelBufferPoolCreate(kCFAllocatorDefault, poolAttributes, attributes as CFDictionary, &pool)
        == kCVReturnSuccess)
    return try #require(pool)
  }

  private func makeBuffer(_ pool: CVPixelBufferPool) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess)
    return try #require(buffer)
  }

  @Test func memory_isUsedAgain() throws {
    let pool = try makePool()
    var first: CVPixelBuffer? = try makeBuffer(pool)
    let address = first.flatMap { CVPixelBufferGetBaseAddress($0) }
    CVBufferSetAttachment(try #require(first), "key", 1, .shouldPropagate)
    first = nil
    #expect(pool.counts == (0, 1))
    let second = try makeBuffer(pool)
    #expect(CVPixelBufferGetBaseAddress(second) == address && pool.counts == (1, 0))
    #expect(!CVBufferHasAttachment(second, "key"))
    #expect(CVPixelBufferGetWidth(second) == 64 && CVPixelBufferGetHeight(second) == 32)
  }

  @Test func threshold_isKept() throws {
    let pool = try makePool()
    let kept = try (0..<2).map { _ in try makeBuffer(pool) }
    var third: CVPixelBuffer?
    let limit = [kCVPixelBufferPoolAllocationThresholdKey as String: 2] as CFDictionary
    #expect(
      CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &third)
        == kCVReturnWouldExceedAllocationThreshold)
    #expect(third == nil && kept.count == 2)
  }

  @Test func returnAfterARefusal_isTold() throws {
    let pool = try makePool()
    var buffers = try (0..<3).map { _ in try makeBuffer(pool) }
    let told = ValueLock(0)
    let token = NotificationCenter.default.addObserver(
      forName: Notification.Name(kCVPixelBufferPoolFreeBufferNotification), object: pool, queue: nil
    ) { _ in told.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(token) }
    buffers.removeLast()
    #expect(told.withLock { $0 } == 0)
    var refused: CVPixelBuffer?
    CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
      nil, pool, [kCVPixelBufferPoolAllocationThresholdKey: 2], &refused)
    #expect(refused == nil && told.withLock { $0 } == 0)
    buffers.removeLast()
    #expect(told.withLock { $0 } == 1)
    buffers = []
    #expect(told.withLock { $0 } == 1)
  }

  @Test func manyReleased_leaveFewIdle() throws {
    let pool = try makePool()
    var buffers = try (0..<60).map { _ in try makeBuffer(pool) }
    buffers.removeLast(20)
    #expect(pool.counts == (40, 20))
    buffers.removeLast(30)
    #expect(pool.counts == (10, 11))
    buffers = []
    #expect(pool.counts == (0, 3))
  }

  @Test func flush_freesIdleMemory() throws {
    let pool = try makePool([kCVPixelBufferPoolMinimumBufferCountKey: 4])
    _ = try (0..<4).map { _ in try makeBuffer(pool) }
    #expect(pool.counts.idle == 4)
    CVPixelBufferPoolFlush(pool, [])
    #expect(pool.counts.idle == 4)
    CVPixelBufferPoolFlush(pool, .excessBuffers)
    #expect(pool.counts == (0, 0))
  }

  @Test func buffers_outliveTheirPool() throws {
    var pool: CVPixelBufferPool? = try makePool()
    let buffer = try makeBuffer(try #require(pool))
    pool = nil
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    base.storeBytes(of: 1, as: UInt8.self)
    #expect(base.load(as: UInt8.self) == 1)
  }

  @Test func poolWithoutASize_isRefused() {
    var pool: CVPixelBufferPool?
    #expect(CVPixelBufferPoolCreate(nil, nil, [:], &pool) == kCVReturnInvalidPixelBufferAttributes)
    #expect(pool == nil)
  }

  @Test func manyThreads_shareAPoolAndItsBuffers() throws {
    let pool = try makePool()
    let shared = try makeBuffer(pool)
    DispatchQueue.concurrentPerform(iterations: 500) { index in
      var buffer: CVPixelBuffer?
      CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer)
      let flags: CVPixelBufferLockFlags = index % 2 == 0 ? .readOnly : []
      CVPixelBufferLockBaseAddress(shared, flags)
      CVBufferSetAttachment(shared, "k\(index % 5)", index, .shouldPropagate)
      _ = CVBufferCopyAttachments(shared, .shouldPropagate)
      CVPixelBufferUnlockBaseAddress(shared, flags)
    }
    #expect(pool.counts.inUse == 1)
    #expect(CVPixelBufferUnlockBaseAddress(shared, .readOnly) == kCVReturnError)
  }
}
