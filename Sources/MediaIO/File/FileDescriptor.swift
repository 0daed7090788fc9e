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
  /// How long a named pipe is waited for that nobody has opened for writing, in milliseconds.
  private static let patience: Int32 = 10_000
  /// Wakes a read that waits for a pipe or device; nil for regular files.
  private let waker: Waker?
  private let isPipe: Bool
  /// As it was when the file was opened.
  let stamp: FileStamp
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
    guard isatty(descriptor) == 0 else {
      Glibc.close(descriptor)
      throw MediaError(
        .sourceUnreadable, "This is a terminal, which holds no media. Name a media file, or pipe one in.",
        address: address)
    }
    // Files of the kernel say that they are empty, and are not.
    let hasLength = isRegular && !(found.st_size == 0 && Self.yieldsBytes(descriptor))
    if isRegular, !hasLength { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    waker = hasLength ? nil : Waker()
    if let waker, waker.end < 0 {
      Glibc.close(descriptor)
      // A read that nobody can end would hold its thread for ever.
      throw Self.failure(EMFILE, path: path, address: address)
    }
    number = descriptor
    length = hasLength ? Int64(found.st_size) : nil
    stamp = FileStamp(found)
    isPipe = found.st_mode & S_IFMT == S_IFIFO
    mayBlock = !hasLength || RemoteMounts.hold(device: UInt64(found.st_dev))
  }

  deinit {
    Glibc.close(number)
  }

  func currentLength() -> Int64? {
    var found = stat()
    return fstat(number, &found) == 0 ? Int64(found.st_size) : nil
  }

  func currentStamp() -> FileStamp? {
    var found = stat()
    return fstat(number, &found) == 0 ? FileStamp(found) : nil
  }

  /// Whether these bytes stand there; also when that can't be found out.
  func holds(_ bytes: [UInt8], at offset: Int64) -> Bool {
    var found = [UInt8](repeating: 0, count: bytes.count)
    let count = pread(number, &found, found.count, off_t(offset))
    return count < 0 || count == bytes.count && found == bytes
  }

  private static func yieldsBytes(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return pread(descriptor, &byte, 1, 0) == 1
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
      if count == 0, !buffer.isEmpty, hasNoWriterYet {
        guard waitForBytes(milliseconds: Self.patience) else {
          throw MediaError(
            .sourceReadFailed,
            "Nobody writes into this pipe. Start the program that does, then open the pipe again.", address: address)
        }
        continue
      }
      if count >= 0 {
        sequencePosition.store(offset &+ Int64(count), ordering: .relaxed)
        return count
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitForBytes(milliseconds: -1)
      case let code: throw Self.readFailure(code, address: address)
      }
    }
  }

  /// Ends the wait of a read in sequence; it looks again whether it is still wanted.
  func wake() { waker?.wake() }

  /// A named pipe that nobody has opened for writing reads like one at its end; only `poll` knows the difference:
  /// it tells of a hang-up once there was a writer (pipe(7), fifo(7)).
  private var hasNoWriterYet: Bool {
    guard isPipe else { return false }
    var asked = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&asked, 1, 0) == 0
  }

  /// False when the time is over; -1 milliseconds never are.
  @discardableResult private func waitForBytes(milliseconds: Int32) -> Bool {
    var waited = [
      pollfd(fd: number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: waker?.end ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let found = poll(&waited, nfds_t(waited.count), milliseconds)
    waker?.drain()
    return found != 0
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
    case ENAMETOOLONG:
      return MediaError(
        .addressMalformed, "The file's name or path is longer than this system allows. Shorten it.", address: address,
        cause: cause)
    case ELOOP:
      return MediaError(
        .sourceUnreadable, "The file is a link that leads back to itself. Name the file that it was to lead to.",
        address: address, cause: cause)
    case EINVAL:
      return MediaError(
        .addressMalformed, "This is no usable file name. Check it for odd characters.", address: address, cause: cause)
    case ENXIO, ENODEV:
      return MediaError(
        .sourceUnreadable, "The device behind this name is not there (\(cause.words)). Name a media file.",
        address: address, cause: cause)
    default:
      return MediaError(
        .sourceUnreadable, "The file can't be opened (\(cause.words)). Check the disk or the mount it lies on.",
        address: address, cause: cause)
    }
  }

  private static func readFailure(_ code: Int32, address: String) -> MediaError {
    let cause = SystemError(code: code)
    return MediaError(
      .sourceReadFailed, "The file could not be read on (\(cause.words)). Check the disk or the mount it lies on.",
      address: address, cause: cause)
  }
}
