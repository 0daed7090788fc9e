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
    guard let format, let arguments else { return }
    // FFmpeg complains about damaged media at its error level; for us that is ordinary news.
    let ours: Log.Level = level <= AV_LOG_FATAL ? .error : level <= AV_LOG_WARNING ? .debug : .trace
    let counter = level <= AV_LOG_ERROR ? ComplaintCounter.of(object) : nil
    let isLogged = Log.ffmpeg.isEnabled(ours)
    guard isLogged || counter != nil else { return }
    // A list of arguments can be gone through once only.
    let text = line(object, level, format, arguments, hasPrefix: isLogged)
    counter?.add(text)
    if isLogged { Log.ffmpeg.write(ours) { text } }
  }

  private static func line(
    _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer,
    hasPrefix: Bool
  ) -> String {
    var line = [CChar](repeating: 0, count: 1_024)
    var prefix: Int32 = hasPrefix ? 1 : 0
    _ = ff_format_log_line(object, level, format, arguments, &line, Int32(line.count), &prefix)
    return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
