import AVFoundation
import Foundation
import Glibc
import ImageIO

/// Writes files whole or not at all, and never over the film that they are made of.
struct ThumbnailFile {
  /// Device and inode of what must stay.
  private let inputs: [(dev_t, ino_t)]

  /// - Parameter paths: the films.
  init(protecting paths: [String]) {
    inputs = paths.compactMap { path in Self.status(path).map { ($0.st_dev, $0.st_ino) } }
  }

  func write(_ image: CGImage, as format: ThumbnailOptions.Format, to path: String) throws(OutputError) {
    let data = NSMutableData()
    guard let destination = CGImageDestinationCreateWithData(data, format.type, 1, nil) else {
      throw OutputError(message: "Pictures can't be written as \(format.rawValue). Choose png.")
    }
    CGImageDestinationAddImage(destination, image, [kCGImageDestinationLossyCompressionQuality: 0.9])
    guard CGImageDestinationFinalize(destination) else {
      throw OutputError(
        message:
          "\(path): FFmpeg has no encoder for \(format.rawValue) of \(image.width) × \(image.height) here. Choose png, or a smaller size."
      )
    }
    try write(data as Data, to: path)
  }

  func write(_ data: Data, to path: String) throws(OutputError) {
    // A link stays one, and what it leads to is replaced.
    let target =
      realpath(path, nil).map { resolved in
        defer { free(resolved) }
        return String(cString: resolved)
      } ?? path
    if let existing = Self.status(target) {
      guard existing.st_mode & S_IFMT == S_IFREG else {
        throw OutputError(message: "\(path) is no plain file. Choose another --output.")
      }
      guard !inputs.contains(where: { $0 == (existing.st_dev, existing.st_ino) }) else {
        throw OutputError(message: "\(path) is the film itself. Choose another --output.")
      }
    }
    let partial = "\(target).\(getpid()).part"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(path) }
    var isWritten = false
    defer { if !isWritten { unlink(partial) } }
    let isComplete = data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    guard isComplete else {
      let error = failure(path)
      close(descriptor)
      throw error
    }
    guard close(descriptor) == 0, rename(partial, target) == 0 else { throw failure(path) }
    isWritten = true
  }

  private func failure(_ path: String) -> OutputError {
    let reason = String(cString: strerror(errno))
    return OutputError(message: "\(path) can't be written (\(reason)). Choose another --output, or make its folder.")
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
