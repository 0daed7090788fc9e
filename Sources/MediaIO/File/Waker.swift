import Glibc
import MediaRuntime

/// A pipe whose one end becomes readable when `wake` is called: lets another thread end a `poll`.
final class Waker: Sendable {
  /// What to poll; -1 when the system gave no pipe.
  let end: Int32
  private let source: Int32

  init() {
    let pipe = Pipe(nonblocking: true)
    end = pipe?.reading ?? -1
    source = pipe?.writing ?? -1
  }

  deinit {
    guard end >= 0 else { return }
    close(end)
    close(source)
  }

  func wake() {
    var byte: UInt8 = 1
    _ = write(source, &byte, 1)
  }

  func drain() {
    var bytes: UInt64 = 0
    while read(end, &bytes, MemoryLayout<UInt64>.size) > 0 {}
  }
}
