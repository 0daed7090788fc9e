import CFFmpeg
import Glibc
import MediaRuntime

/// What an FFmpeg function answered, in FFmpeg's own words: the cause below our errors.
struct FFmpegStatus: Error, CustomStringConvertible, Hashable, Sendable {
  let code: Int32

  init(_ code: Int32) { self.code = code }

  var description: String {
    var text = [CChar](repeating: 0, count: 128)
    av_strerror(code, &text, text.count)
    let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "\(words) (FFmpeg \(code))"
  }
}

extension Int32 {
  /// The decoder or demuxer wants another call first.
  static let again = ff_error(EAGAIN)
  static let endOfFile = Int32(FF_ERROR_EOF)
  static let outOfMemory = ff_error(ENOMEM)
}

extension MediaError {
  /// What FFmpeg's answer means in this place. A lack of memory is no fault of the media, wherever it shows.
  init(_ code: Code, _ message: String, status: Int32, address: String? = nil) {
    guard status != .outOfMemory else {
      self = .outOfMemory
      return
    }
    self.init(code, message, address: address, cause: FFmpegStatus(status))
  }
}
