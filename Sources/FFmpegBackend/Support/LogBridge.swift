import CFFmpeg
import MediaRuntime

extension Log {
  /// What FFmpeg's libraries say; off unless `SPROCKET_LOG` names `ffmpeg`.
  static let ffmpeg = Log("ffmpeg")
}

/// Routes FFmpeg's log into ours, once per process.
enum LogBridge {
  static func install() { _ = installed }

  private static let installed: Void = {
    av_log_set_level(Log.ffmpeg.isEnabled(.trace) ? AV_LOG_TRACE : AV_LOG_VERBOSE)
    av_log_set_callback { @Sendable object, level, format, arguments in
      LogBridge.write(object, level, format, arguments)
    }
  }()

  private static func write(
    _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?
  ) {
    // FFmpeg complains about damaged media at its error level; for us that is ordinary news.
    let ours: Log.Level = level <= AV_LOG_FATAL ? .error : level <= AV_LOG_WARNING ? .debug : .trace
    guard Log.ffmpeg.isEnabled(ours), let format, let arguments else { return }
    var line = [CChar](repeating: 0, count: 1_024)
    var prefix: Int32 = 1
    _ = ff_format_log_line(object, level, format, arguments, &line, Int32(line.count), &prefix)
    let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    Log.ffmpeg.write(ours) { text }
  }
}
