import Foundation
import Glibc

/// The output that was asked for does not work.
struct OutputError: Error {
  let message: String
}

extension PlayOptions.SoundOutput {
  /// Takes effect for players made from now on. A file is tried first: it must not be one of those to be played, and it
  /// must take bytes.
  func select(beside addresses: [String]) throws {
    switch self {
    case .device: unsetenv("SPROCKET_AUDIO")
    case .null: setenv("SPROCKET_AUDIO", "null", 1)
    case .wav(let path):
      try Self.check(path, beside: addresses)
      setenv("SPROCKET_AUDIO", "wav:\(path)", 1)
    }
  }

  private static func check(_ path: String, beside addresses: [String]) throws {
    if let file = identity(path), addresses.contains(where: { identity(PlayEntry($0).url?.path ?? $0) == file }) {
      throw OutputError(message: "\(path) is to be played and would be overwritten: give --output wav: another name.")
    }
    if let file = identity(path), [STDOUT_FILENO, STDERR_FILENO].contains(where: { identity($0) == file }) {
      throw OutputError(message: "\(path) is where the text goes, too: give --output wav: another name.")
    }
    let isKept = isRegular(path)
    // The length is written at the start once it is known: nothing else can be gone back in.
    guard isKept || !exists(path) else {
      throw OutputError(
        message: "\(path) is no file, and a WAVE file can only be written into one: give --output wav: a file's name.")
    }
    // A link to a file that is not there yet stands for that file, and stays.
    let isNew = !isName(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (isNew ? O_EXCL : 0), 0o666)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    // What is there stays until playing begins: it may not come to that.
    guard !isKept else { return }
    let room = [UInt8](repeating: 0, count: 44)
    let hasRoom = write(descriptor, room, room.count) == room.count
    let failure = failure(path)
    // Where nothing sounds there is to be no file.
    if isNew { unlink(path) } else { _ = ftruncate(descriptor, 0) }
    guard hasRoom else { throw failure }
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Also that of a link which leads nowhere.
  private static func isName(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  private static func failure(_ path: String) -> OutputError {
    OutputError(
      message: "\(path) can't be written (\(String(cString: strerror(errno)))): name a file in a folder of your own.")
  }

  /// Device and number: the same for all names of a file.
  private static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  private static func identity(_ descriptor: Int32) -> [UInt64]? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}
