import CFFmpeg
import MediaIO
import MediaRuntime

/// Lets libavformat read a `ByteSource`. Used on the demuxer's source queue alone.
final class SourceReader {
  /// One read of a local disk; the network has its own read-ahead below.
  static let bufferSize = 32 * 1_024

  let source: any ByteSource
  /// What libavformat reads from.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  /// In whose name the running call reads.
  private(set) var generation: Generation
  /// Why the last read of the running call failed.
  private(set) var failure: MediaError?
  /// Bytes that follow the source's own: an index made from a scan, laid where the container looks for one.
  private(set) var tail: [UInt8] = []
  /// Where the source's own bytes end for libavformat.
  private var tailStart: Int64 = .max
  private(set) var position: Int64 = 0
  /// The source had no more when it was last read from.
  private(set) var hasMetEnd = false
  /// The first bytes of what can't go back, for our own parsing.
  private var head: [UInt8] = []
  private var headLimit = SourceReader.keptLength
  /// Its last ones, up to `position`.
  private var recent: [UInt8] = []
  /// A page of Ogg, or the headers of other containers.
  private static let keptLength = 64 << 10
  /// An ID3v2 tag before the headers is kept as well, up to this size.
  private static let tagLimit: Int64 = 16 << 20
  /// The boxes of a movie that can't go back.
  private(set) var boxes = PassingBoxes()

  init(_ source: any ByteSource, _ generation: Generation) throws(MediaError) {
    self.source = source
    self.generation = generation
    guard let buffer = av_malloc(Self.bufferSize) else { throw .outOfMemory }
    context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
      Unmanaged.passUnretained(self).toOpaque(),
      { @Sendable reader, buffer, size in SourceReader.from(reader)?.fill(buffer, size) ?? Int32.endOfFile },
      nil,
      { @Sendable reader, offset, whence in SourceReader.from(reader)?.move(offset, whence) ?? -1 })
    guard let context else {
      av_free(buffer)
      throw .outOfMemory
    }
    if !source.isSeekable { context.pointee.seekable = 0 }
  }

  deinit { close() }

  func close() {
    guard let context else { return }
    av_freep(&context.pointee.buffer)
    avio_context_free(&self.context)
  }

  /// Every call into libavformat begins here.
  func begin(_ generation: Generation) {
    self.generation = generation
    failure = nil
    if let context, context.pointee.error != 0 {
      context.pointee.error = 0
      context.pointee.eof_reached = 0
    }
  }

  /// libavformat remembers that it met the end; a seek must forget it.
  func forgetEnd() {
    context?.pointee.error = 0
    context?.pointee.eof_reached = 0
  }

  var wasInterrupted: Bool { failure?.code == .interrupted }

  /// What libavformat believes the length to be, the tail included.
  var length: Int64? {
    guard let length = source.length else { return nil }
    return min(length, tailStart) &+ Int64(tail.count)
  }

  /// Where the source ends, as far as that is known: what has no length has met its end.
  var end: Int64? {
    guard let length = source.length else { return hasMetEnd ? position : nil }
    // A file may have grown since its length was looked at.
    return tail.isEmpty ? max(length, position) : length
  }

  /// Nothing at all came.
  var isEmpty: Bool { hasMetEnd && end == 0 }

  /// Lays bytes behind the source's last one.
  func append(tail bytes: [UInt8]) {
    guard let length = source.length else { return }
    tail = bytes
    tailStart = length
  }

  /// Keeps what begins at `offset` from libavformat: the source ends there for it.
  func leaveOut(from offset: Int64) {
    tail = []
    tailStart = offset
  }

  /// Reads exactly `count` bytes for our own parsing; nil when the source ends before, or can't go back to them.
  func bytes(at offset: Int64, count: Int) throws(MediaError) -> [UInt8]? {
    guard offset >= 0, count >= 0 else { return nil }
    guard source.isSeekable else { return keptBytes(at: offset, count: count) }
    var result = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let taken: Result<Int, MediaError> = result.withUnsafeMutableBytes { bytes in
        Result { () throws(MediaError) in
          try source.read(
            UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]), at: offset &+ Int64(filled), generation)
        }
      }
      let count = try taken.get()
      if count == 0 { return nil }
      filled += count
    }
    return result
  }

  private func keptBytes(at offset: Int64, count: Int) -> [UInt8]? {
    for (kept, start) in [(head, 0), (recent, position - Int64(recent.count))] {
      guard offset >= start, offset - start <= kept.count else { continue }
      let rest = kept[Int(offset - start)...]
      if count <= rest.count { return Array(rest.prefix(count)) }
    }
    return nil
  }

  /// Remembers what comes from a source that can't go back.
  private func keep(_ bytes: UnsafeBufferPointer<UInt8>) {
    boxes.pass(bytes, at: position)
    if head.count < headLimit {
      head += bytes.prefix(headLimit - head.count)
      if headLimit == Self.keptLength, let tag = HeaderBytes.tagEnd(head) { headLimit += Int(min(tag, Self.tagLimit)) }
    }
    recent += bytes
    if recent.count > 4 * Self.keptLength { recent.removeFirst(recent.count - Self.keptLength) }
  }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> SourceReader? {
    opaque.map { Unmanaged<SourceReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func fill(_ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    guard let buffer, size > 0 else { return Int32.endOfFile }
    if position >= tailStart { return fillFromTail(buffer, size) }
    do throws(MediaError) {
      let wanted = Int(min(Int64(size), tailStart - position))
      let count = try source.read(
        UnsafeMutableRawBufferPointer(start: buffer, count: wanted), at: position, generation)
      hasMetEnd = count == 0
      guard count > 0 else { return Int32.endOfFile }
      if !source.isSeekable { keep(UnsafeBufferPointer(start: buffer, count: count)) }
      position &+= Int64(count)
      return Int32(clamping: count)
    } catch {
      failure = error
      return error.code == .interrupted ? Int32(FF_ERROR_EXIT) : ff_error(5)
    }
  }

  private func fillFromTail(_ buffer: UnsafeMutablePointer<UInt8>, _ size: Int32) -> Int32 {
    let start = Int(position - tailStart)
    guard start < tail.count else { return Int32.endOfFile }
    let count = min(Int(size), tail.count - start)
    tail.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { buffer.update(from: base + start, count: count) }
    }
    position &+= Int64(count)
    return Int32(count)
  }

  private func move(_ offset: Int64, _ whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 { return length ?? Int64(ff_error(38)) }
    let target: Int64
    switch whence & ~AVSEEK_FORCE {
    case 0: target = offset
    case 1: target = position &+ offset
    case 2:
      guard let length else { return Int64(ff_error(38)) }
      target = length &+ offset
    default: return Int64(ff_error(22))
    }
    guard target >= 0 else { return Int64(ff_error(22)) }
    guard source.isSeekable || target == position else { return Int64(ff_error(29)) }
    position = target
    return target
  }
}

extension MediaError {
  static let outOfMemory = MediaError(
    .outOfMemory, "There is not enough memory for the media. Close other programs.")
}
