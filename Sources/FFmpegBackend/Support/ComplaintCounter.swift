import CFFmpeg
import MediaEngine
import MediaRuntime

/// Collects what FFmpeg says at its error level about one demuxer or decoder. The context's `opaque` points to it, which
/// frame threads copy to theirs; any of them may speak.
final class ComplaintCounter: Sendable {
  private let found = Lock(Complaints())

  var complaints: Complaints { found.withLock { $0 } }

  /// For a context's `opaque`; whoever keeps the context keeps this object.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func add(_ text: String) {
    found.withLock { found in
      found.count += 1
      if found.first == nil { found.first = text }
    }
  }

  /// The counter of the context that a message is about.
  static func of(_ object: UnsafeMutableRawPointer?) -> ComplaintCounter? {
    guard let object, let kind = object.load(as: UnsafePointer<AVClass>?.self) else { return nil }
    let opaque: UnsafeMutableRawPointer? =
      if kind == avcodec_get_class() {
        object.assumingMemoryBound(to: AVCodecContext.self).pointee.opaque
      } else if kind == avformat_get_class() {
        object.assumingMemoryBound(to: AVFormatContext.self).pointee.opaque
      } else {
        nil
      }
    return opaque.map { Unmanaged<ComplaintCounter>.fromOpaque($0).takeUnretainedValue() }
  }
}
