import Glibc

/// The memory behind a pixel buffer. Its planes live as long as this object.
// @unchecked Sendable: all stored properties are constant; access to the pixels is ruled by CVPixelBuffer's locks.
final class PixelStorage: @unchecked Sendable {
  let planes: [PixelPlane]
  let dataSize: Int
  /// False when someone else, such as a decoder, may read these pixels later.
  let isExclusive: Bool
  private let owner: AnyObject?

  init(planes: [PixelPlane], dataSize: Int, isExclusive: Bool, owner: AnyObject?) {
    self.planes = planes
    self.dataSize = dataSize
    self.isExclusive = isExclusive
    self.owner = owner
  }

  /// Planes one after the other in one piece of memory. `memory` serves if it is large enough, else new memory is made.
  convenience init?(_ plan: PixelMemoryPlan, memory: PixelMemory? = nil) {
    guard let memory = memory ?? PixelMemory(byteCount: plan.byteCount) else { return nil }
    let planes = plan.planes.map { plane in
      PixelPlane(
        baseAddress: memory.bytes + plane.offset, bytesPerRow: plane.bytesPerRow, width: plane.width,
        height: plane.height)
    }
    self.init(planes: planes, dataSize: plan.byteCount, isExclusive: true, owner: memory)
  }

  /// Row by row, as many bytes as both rows have (`rowBytes` at most).
  func copyPixels(from source: [PixelPlane], rowBytes: [Int]) {
    for ((target, source), rowBytes) in zip(zip(planes, source), rowBytes) {
      let count = min(rowBytes, target.bytesPerRow.magnitudeAsInt, source.bytesPerRow.magnitudeAsInt)
      for row in 0..<min(target.height, source.height) {
        memcpy(target.baseAddress + row * target.bytesPerRow, source.baseAddress + row * source.bytesPerRow, count)
      }
    }
  }
}

extension Int {
  fileprivate var magnitudeAsInt: Int { Int(clamping: magnitude) }
}

/// Memory aligned to a cache line and zeroed, with a margin that vector code may read beyond the end.
// @unchecked Sendable: the pointers are constant and this object alone frees them.
final class PixelMemory: @unchecked Sendable {
  let bytes: UnsafeMutableRawPointer
  let byteCount: Int
  private let allocation: UnsafeMutableRawPointer

  private static let alignment = 64
  private static let margin = 64

  /// `calloc` and not `memset`: of a large piece, only the pages that are used take memory.
  init?(byteCount: Int) {
    let (size, overflow) = byteCount.addingReportingOverflow(PixelMemory.alignment + PixelMemory.margin)
    guard byteCount >= 0, !overflow, let allocation = calloc(1, size) else { return nil }
    self.allocation = allocation
    bytes = allocation.alignedUp(toMultipleOf: PixelMemory.alignment)
    self.byteCount = byteCount
  }

  deinit {
    free(allocation)
  }
}

/// Where the planes of a picture go in one piece of memory.
struct PixelMemoryPlan {
  struct Plane {
    var offset: Int
    var bytesPerRow: Int
    var width: Int
    var height: Int
  }

  private(set) var planes: [Plane] = []
  private(set) var byteCount = 0

  /// More than any display or codec uses, and small enough that no product below overflows.
  static let largestSide = 1 << 20

  /// Nil when a side is not positive or too long, or `alignment` is not a power of two.
  init?(_ layout: PixelFormatLayout, width: Int, height: Int, alignment: Int) {
    let sides = 1...PixelMemoryPlan.largestSide
    guard sides.contains(width), sides.contains(height), alignment > 0, alignment <= 1 << 16,
      alignment.nonzeroBitCount == 1
    else { return nil }
    for plane in layout.planes {
      let bytesPerRow = (plane.rowBytes(pictureWidth: width) + alignment - 1) / alignment * alignment
      let rows = plane.height(height)
      planes.append(
        Plane(offset: byteCount, bytesPerRow: bytesPerRow, width: plane.width(width), height: rows))
      byteCount += (bytesPerRow * rows + 63) / 64 * 64
    }
  }
}
