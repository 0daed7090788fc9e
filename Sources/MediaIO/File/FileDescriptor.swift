import Foundation
import MediaRuntime
import Synchronization

/// An open file; closed when the last source that reads it lets go.
final class FileDescriptor: Sendable {
  let number: Int32
  /// Nil for what can only be read in sequence.
  let length: Int64?
  /// On a network file system, on FUSE, or not a regular file.
  let mayBlock: Bool
  /// Wakes a read that waits for a pipe or device; nil for regular files.
  private let waker: Waker?
  private let sequencePosition = Atomic<Int64>(0)

  init(path: String, address: String) throws(MediaError) {
    var found = stat()
    guard stat(path, &found) == 0 else { throw Self.failure(errno, path: path, address: address) }
    let kind = found.st_mode & S_IFMT
    switch kind {
    case S_IFDIR:
      throw MediaError(
        .sourceIsFolder, "This is a folder. Name one of the files in it.", address: address)
    case S_IFREG, S_IFIFO, S_IFCHR:
      break
    default:
      throw MediaError(
        .sourceUnreadable, "This is neither a file nor a pipe, so it can't be played. Name a media file.",
        address: address)
    }
    let isRegular = kind == S_IFREG
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (isRegular ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw Self.failure(errno, path: path, address: address) }
    // The name may mean another file by now; what counts is the one that is open.
    guard fstat(descriptor, &found) == 0, (found.st_mode & S_IFMT == S_IFREG) == isRegular else {
      Glibc.close(descriptor)
      throw MediaError(.sourceChanged, "The file was replaced while it was opened. Open it again.", address: address)
    }
    number = descriptor
    length = isRegular ? Int64(found.st_size) : nil
    mayBlock = !isRegular || RemoteMounts.hold(device: UInt64(found.st_dev))
    waker = isRegular ? nil : Waker()
  }

  deinit {
    Glibc.close(number)
  }

  func currentLength() -> Int64? {
    var found = stat()
    return fstat(number, &found) == 0 ? Int64(found.st_size) : nil
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, address: String) throws(MediaError) -> Int {
    guard offset >= 0 else { return 0 }
    while true {
      let count = pread(number, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      if errno != EINTR { throw Self.readFailure(errno, address: address) }
    }
  }

  /// Reads on from where the last read ended; waits for bytes while `isWanted`.
  func readInSequence(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, address: String, isWanted: () -> Bool
  ) throws(MediaError) -> Int {
    guard offset == sequencePosition.load(ordering: .relaxed) else {
      throw MediaError(
        .sourceReadFailed, "A pipe can't go back. Save the media to a file and open that.", address: address)
    }
    while true {
      guard isWanted() else { throw .interrupted(address) }
      let count = Glibc.read(number, buffer.baseAddress, buffer.count)
      if count >= 0 {
        sequencePosition.store(offset &+ Int64(count), ordering: .relaxed)
        return count
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitForBytes()
      case let code: throw Self.readFailure(code, address: address)
      }
    }
  }

  /// Ends the wait of a read in sequence; it looks again whether it is still wanted.
  func wake() { waker?.wake() }

  private func waitForBytes() {
    var waited = [
      pollfd(fd: number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: waker?.end ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&waited, nfds_t(waited.count), -1)
    waker?.drain()
  }

  private static func failure(_ code: Int32, path: String, address: String) -> MediaError {
    let cause = SystemError(code: code)
    switch code {
    case ENOENT, ENOTDIR:
      return MediaError(
        .sourceMissing, "There is no such file. Check the name and the folder.", address: address, cause: cause)
    case EACCES, EPERM:
      return MediaError(
        .sourceUnreadable, "The file may not be read. Change its permissions, or run as a user who may read it.",
        address: address, cause: cause)
    case EMFILE, ENFILE:
      return MediaError(
        .sourceUnreadable, "Too many files are open. Close some players, or raise the limit (ulimit -n).",
        address: address, cause: cause)
    case ENAMETOOLONG, EINVAL:
      return MediaError(.addressMalformed, "This is no usable file name.", address: address, cause: cause)
    default:
      return MediaError(
        .sourceUnreadable, "The file can't be opened. See the cause, and check the disk.", address: address,
        cause: cause)
    }
  }

  private static func readFailure(_ code: Int32, address: String) -> MediaError {
    MediaError(
      .sourceReadFailed, "The file could not be read on. Check the disk or the mount it lies on.", address: address,
      cause: SystemError(code: code))
  }
}
