import CoreGraphics
import Glibc

/// A piece of memory that block buffers refer to, freed with the last of them.
// @unchecked Sendable: constant fields; Apple's rule holds that writers of the bytes see to it that nobody else uses them.
final class BlockMemory: @unchecked Sendable {
  let bytes: UnsafeMutableRawPointer
  let length: Int
  private let release: (UnsafeMutableRawPointer, Int) -> Void

  init(_ bytes: UnsafeMutableRawPointer, length: Int, release: @escaping (UnsafeMutableRawPointer, Int) -> Void) {
    self.bytes = bytes
    self.length = length
    self.release = release
  }

  /// Zeroed memory; nil when there is none or `length` is negative.
  convenience init?(length: Int) {
    guard length >= 0, let bytes = calloc(1, max(length, 1)) else { return nil }
    self.init(bytes, length: length) { bytes, _ in free(bytes) }
  }

  convenience init?(copying data: Data) {
    self.init(length: data.count)
    data.copyBytes(to: UnsafeMutableRawBufferPointer(start: bytes, count: data.count))
  }

  deinit {
    release(bytes, length)
  }
}

/// A run of bytes of some memory.
struct BlockSegment {
  var memory: BlockMemory
  var offset: Int
  var length: Int

  var bytes: UnsafeMutableRawPointer { memory.bytes + offset }
}
