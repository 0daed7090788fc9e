import Glibc
package import MediaEngine
package import MediaRuntime

/// A WAV file that grows; its header is right after every append. Used by one queue at a time.
package final class WaveFile {
  package let path: String
  private let header: WaveHeader
  private let descriptor: Int32
  private var dataSize: UInt64 = 0

  /// Creates the file, or empties it.
  package init(path: String, format: AudioDeviceFormat) throws(MediaError) {
    self.path = path
    header = WaveHeader(format)
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure("could not be created", path) }
    do {
      try put(header.bytes(dataSize: 0), at: 0)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  deinit { Glibc.close(descriptor) }

  package func append(_ samples: [Float]) throws(MediaError) {
    let bytes = samples.withUnsafeBytes { Array($0) }
    try put(bytes, at: UInt64(WaveHeader.size) + dataSize)
    dataSize += UInt64(bytes.count)
    try put(header.bytes(dataSize: dataSize), at: 0)
  }

  /// Piece by piece: a gap may be an hour long.
  package func appendSilence(frames: Int) throws(MediaError) {
    var rest = frames
    while rest > 0 {
      let count = min(rest, 65_536)
      try append([Float](repeating: 0, count: count * header.format.channelCount))
      rest -= count
    }
  }

  private func put(_ bytes: [UInt8], at offset: UInt64) throws(MediaError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { pointer -> Int in
        guard let base = pointer.baseAddress else { return 0 }
        return pwrite(descriptor, base + done, bytes.count - done, off_t(clamping: offset + UInt64(done)))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("could not be written to", path) }
      done += count
    }
  }

  private static func failure(_ what: String, _ path: String) -> MediaError {
    let reason = String(cString: strerror(errno))
    return MediaError(
      .writeFailed, "The sound file \(what) (\(reason)). Choose another place or make room there.", address: path)
  }
}
