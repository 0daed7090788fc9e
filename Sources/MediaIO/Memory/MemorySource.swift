package import Foundation
package import MediaRuntime
import Synchronization

/// Bytes that are in memory already.
package final class MemorySource: ByteSource {
  package let address: String
  private let data: Data
  private let wanted = Atomic<UInt64>(0)

  package init(_ data: Data, address: String = "memory:") {
    self.data = data
    self.address = address
  }

  package func open(_ generation: Generation) throws(MediaError) {
    guard !data.isEmpty else {
      throw MediaError(
        .sourceEmpty, "There is not a single byte to play. Give the content of a media file.", address: address)
    }
  }

  package var length: Int64? { Int64(data.count) }
  package var isSeekable: Bool { true }
  package var mayBlock: Bool { false }
  package var availableRanges: [Range<Int64>]? { nil }

  package func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ generation: Generation)
    throws(MediaError) -> Int
  {
    guard generation.number >= wanted.load(ordering: .acquiring) else { throw .interrupted(address) }
    guard offset >= 0, offset < Int64(data.count) else { return 0 }
    let start = Int(offset)
    let count = min(buffer.count, data.count - start)
    return data.withUnsafeBytes { bytes in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
      return count
    }
  }

  package func want(_ generation: Generation) { wanted.raise(to: generation.number) }

  package func duplicate() -> (any ByteSource)? { MemorySource(data, address: address) }

  package func close() { wanted.raise(to: .max) }
}
