package import Foundation
package import MediaRuntime

/// A file that is written anew, at any place of it. Used by one thread at a time.
package final class OutputFile {
  package let path: String
  /// Bytes that stand in it.
  package private(set) var length: Int64 = 0
  private let descriptor: Int32

  /// Creates the file, or empties it.
  /// - Throws: `addressUnsupported`, `addressMalformed`, `writeFailed`.
  package convenience init(_ url: URL) throws(MediaError) {
    let path = url.path(percentEncoded: false)
    guard url.isFileURL else {
      throw MediaError(
        .addressUnsupported, "Sound can be written into files only. Use URL(fileURLWithPath:).",
        address: url.absoluteString)
    }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw MediaError(
        .addressMalformed, "The file address holds no usable path. Write file:/// and the full path.",
        address: url.absoluteString)
    }
    try self.init(path: path)
  }

  package init(path: String) throws(MediaError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure("could not be created", path) }
  }

  deinit { close(descriptor) }

  package func append(_ bytes: UnsafeRawBufferPointer) throws(MediaError) { try put(bytes, at: length) }

  /// Writes all of the bytes at a place, or as many as there is room for.
  /// - Throws: `diskFull` where there is no room, `writeFailed`. `length` tells how much stands there nevertheless.
  package func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(MediaError) {
    var done = 0
    while done < bytes.count {
      guard let base = bytes.baseAddress else { return }
      let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset) + off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("could not be written to", path) }
      done += count
      length = max(length, offset + Int64(done))
    }
  }

  package func put(_ bytes: [UInt8], at offset: Int64) throws(MediaError) {
    let outcome: Result<Void, MediaError> = bytes.withUnsafeBytes { bytes in
      Result { () throws(MediaError) in try put(bytes, at: offset) }
    }
    try outcome.get()
  }

  private static func failure(_ what: String, _ path: String) -> MediaError {
    let cause = SystemError(code: errno)
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(cause.code)
    return MediaError(
      isFull ? .diskFull : .writeFailed,
      isFull
        ? "There is no room for more of the sound file; what was written so far is kept. Make room, or choose another place."
        : "The sound file \(what) (\(cause.words)). Choose another place for it.", address: path, cause: cause)
  }
}
