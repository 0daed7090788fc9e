package import MediaRuntime
import Synchronization

/// A local file, read at offsets through a descriptor that stays open: the file may be renamed or deleted meanwhile.
///
/// Pipes and character devices are read in sequence; `want` wakes a read that waits for them.
package final class FileSource: ByteSource {
  package let address: String
  private let path: String
  private let wanted = Atomic<UInt64>(0)
  private let file = Lock<FileDescriptor?>(nil)
  private let traces = Lock(ReadTraces())
  private let lengthNow = Atomic<Int64>(-1)
  private let traits = Atomic<UInt8>(Trait.mayBlock)

  private enum Trait {
    static let mayBlock: UInt8 = 1
    static let isSequential: UInt8 = 2
  }

  /// - Parameter address: as the user gave it, for errors; the path when nil.
  package init(path: String, address: String? = nil) {
    self.path = path
    self.address = address ?? path
  }

  package func open(_ generation: Generation) throws(MediaError) {
    try checkWanted(generation)
    let opened = try FileDescriptor(path: path, address: address)
    if let length = opened.length {
      guard length > 0 else { throw .sourceEmpty(address) }
      lengthNow.store(length, ordering: .releasing)
    }
    var found: UInt8 = 0
    if opened.mayBlock { found |= Trait.mayBlock }
    if opened.length == nil { found |= Trait.isSequential }
    traits.store(found, ordering: .releasing)
    // A `close` meanwhile found nothing to close.
    let isWanted = file.withLock { file in
      guard generation.number >= wanted.load(ordering: .acquiring) else { return false }
      file = opened
      return true
    }
    guard isWanted else { throw .interrupted(address) }
  }

  /// The file's length when it was last looked at: a growing file is looked at again at its end.
  package var length: Int64? {
    let value = lengthNow.load(ordering: .acquiring)
    return value < 0 ? nil : value
  }

  package var isSeekable: Bool { traits.load(ordering: .acquiring) & Trait.isSequential == 0 }

  /// True before `open` (nothing is known yet), then for network file systems, FUSE, pipes and devices.
  package var mayBlock: Bool { traits.load(ordering: .acquiring) & Trait.mayBlock != 0 }

  package var availableRanges: [Range<Int64>]? { nil }

  package func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ generation: Generation)
    throws(MediaError) -> Int
  {
    try checkWanted(generation)
    guard let opened = file.withLock({ $0 }) else {
      throw MediaError(.sourceReadFailed, "The file is closed. Open the media again.", address: address)
    }
    if opened.length == nil {
      return try opened.readInSequence(buffer, at: offset, address: address) { [self] in
        generation.number >= wanted.load(ordering: .acquiring)
      }
    }
    let count = try opened.read(buffer, at: offset, address: address)
    if count == 0 && !buffer.isEmpty { try checkEnd(of: opened, at: offset) }
    let read = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
    // Before it is handed out: what was written over is not to be taken for media.
    if traces.withLock({ $0.note(read, at: offset) }) || count == 0 { try checkUnchanged(isDamaged: false) }
    return count
  }

  package func checkUnchanged(isDamaged: Bool) throws(MediaError) {
    guard let opened = file.withLock({ $0 }), opened.length != nil, let stamp = opened.currentStamp(),
      stamp != opened.stamp
    else { return }
    let traces = traces.withLock { $0.checked == stamp ? [] : $0.all }
    guard !isDamaged, traces.allSatisfy({ opened.holds($0.bytes, at: $0.offset) }) else {
      throw MediaError(
        .sourceChanged, "The file was written over while it was read. Open it again when it is complete.",
        address: address)
    }
    self.traces.withLock { $0.checked = stamp }
  }

  package func want(_ generation: Generation) {
    wanted.raise(to: generation.number)
    file.withLock { $0 }?.wake()
  }

  package func duplicate() -> (any ByteSource)? {
    isSeekable ? FileSource(sharing: self) : nil
  }

  package func close() {
    wanted.raise(to: .max)
    let closed = file.withLock { stored in
      defer { stored = nil }
      return stored
    }
    closed?.wake()
  }

  /// Another position on the descriptor that `original` holds, so that a deleted file has it too.
  private init(sharing original: FileSource) {
    self.path = original.path
    address = original.address
    let descriptor = original.file.withLock { $0 }
    file.withLock { $0 = descriptor }
    lengthNow.store(original.lengthNow.load(ordering: .acquiring), ordering: .releasing)
    traits.store(original.traits.load(ordering: .acquiring), ordering: .releasing)
  }

  private func checkWanted(_ generation: Generation) throws(MediaError) {
    guard generation.number >= wanted.load(ordering: .acquiring) else { throw .interrupted(address) }
  }

  /// Nothing was read: the end, unless the file has become shorter than it was.
  private func checkEnd(of opened: FileDescriptor, at offset: Int64) throws(MediaError) {
    guard let size = opened.currentLength() else { return }
    let known = lengthNow.load(ordering: .acquiring)
    if size > known { lengthNow.store(size, ordering: .releasing) }
    guard offset < known, size <= offset else { return }
    throw MediaError(
      .sourceChanged, "The file was cut short while it was read. Open it again when it is complete.", address: address)
  }
}
