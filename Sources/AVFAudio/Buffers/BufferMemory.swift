import CoreMedia
import Foundation

/// Bytes in one or several pieces, and two lists of them: with the bytes in use, and with all.
final class BufferMemory {
  let used: UnsafeMutableAudioBufferListPointer
  let whole: UnsafeMutableAudioBufferListPointer
  private let release: () -> Void

  /// Zeroed. Nil when there is not so much memory, or more than a list can tell of.
  init?(pieces: Int, channelsEach: UInt32, bytesEach: Int) {
    guard pieces >= 1, bytesEach >= 0, let size = UInt32(exactly: bytesEach) else { return nil }
    var blocks: [UnsafeMutableRawPointer] = []
    for _ in 0..<pieces {
      guard let block = calloc(1, max(bytesEach, 1)) else {
        blocks.forEach { free($0) }
        return nil
      }
      blocks.append(block)
    }
    used = AudioBufferList.allocate(maximumBuffers: pieces)
    whole = AudioBufferList.allocate(maximumBuffers: pieces)
    for (index, block) in blocks.enumerated() {
      used[index] = AudioBuffer(mNumberChannels: channelsEach, mDataByteSize: 0, mData: block)
      whole[index] = AudioBuffer(mNumberChannels: channelsEach, mDataByteSize: size, mData: block)
    }
    release = { blocks.forEach { free($0) } }
  }

  /// Another's memory, which `release` gives back.
  init(_ list: UnsafePointer<AudioBufferList>, release: @escaping () -> Void) {
    let given = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
    used = AudioBufferList.allocate(maximumBuffers: max(given.count, 1))
    whole = AudioBufferList.allocate(maximumBuffers: max(given.count, 1))
    for index in given.indices {
      used[index] = given[index]
      whole[index] = given[index]
    }
    self.release = release
  }

  deinit {
    release()
    free(used.unsafeMutablePointer)
    free(whole.unsafeMutablePointer)
  }
}
