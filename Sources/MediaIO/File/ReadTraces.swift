import Glibc

/// Some of the bytes that were read of a file, to know whether they are still the same.
///
/// A file that is being written may grow, and its header may be filled in at the end: both leave what was read of its
/// body as it was.
struct ReadTraces {
  struct Trace {
    var offset: Int64
    var bytes: [UInt8]
  }

  /// Recorders go back to what stands before this.
  private static let headerSize: Int64 = 16 << 10
  private static let length = 64
  /// As many of the first reads, and of the last ones.
  private static let limit = 8
  /// How much is read between two looks at the file: as much as the demuxer reads at once.
  private static let interval = 32 << 10

  private var first: [Trace] = []
  private var last: [Trace] = []
  private var turn = 0
  private var unchecked = 0
  /// The file as it was when these bytes were last found in it.
  var checked: FileStamp?

  var all: [Trace] { first + last }

  /// - Returns: whether it is time to look at the file.
  mutating func note(_ read: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    unchecked += read.count
    if read.count >= 16 * Self.length, offset + Int64(read.count) > Self.headerSize + Int64(Self.length) {
      let bytes = Array(read.suffix(Self.length))
      let trace = Trace(offset: offset + Int64(read.count - Self.length), bytes: bytes)
      if first.count < Self.limit {
        first.append(trace)
      } else if last.count < Self.limit {
        last.append(trace)
      } else {
        last[turn % Self.limit] = trace
        turn = (turn + 1) % Self.limit
      }
    }
    guard unchecked >= Self.interval else { return false }
    unchecked = 0
    return true
  }
}

/// When a file was last written to, and how long it is.
struct FileStamp: Equatable {
  private let seconds: Int
  private let nanoseconds: Int
  private let length: Int64

  init(_ status: stat) {
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
    length = Int64(status.st_size)
  }
}
