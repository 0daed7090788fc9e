import Foundation
import MediaTestSupport

/// FFmpeg's own single-threaded decode, as the truth.
enum FFmpegOracle {
  struct ToolFailed: Error { let arguments: [String] }

  private static func output(_ arguments: [String], errors: Bool = false) throws -> String {
    let tool = ProcessRunner(executable: URL(fileURLWithPath: "/usr/bin/env"))
    let result = try tool.run(1, arguments: ["ffmpeg", "-nostdin", "-threads", "1"] + arguments).first
    guard let result, result.exitCode == 0 else { throw ToolFailed(arguments: arguments) }
    return errors ? result.errors : result.output
  }

  /// The checksums of the first video stream's frames.
  static func videoChecksums(_ url: URL) throws -> [UInt64] {
    let text = try output([
      "-noautorotate", "-i", url.path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-",
    ])
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.split(separator: ",").last.flatMap { UInt64($0.trimmingCharacters(in: .whitespaces).prefix(16), radix: 16) }
    }
  }

  /// How many samples the first sound stream decodes to.
  static func sampleCount(_ url: URL) throws -> Int64 {
    let text = try output(["-i", url.path, "-map", "0:a:0", "-af", "ashowinfo", "-f", "null", "-"], errors: true)
    return text.components(separatedBy: " nb_samples:").dropFirst().reduce(0) { sum, part in
      sum + (Int64(part.prefix { $0.isNumber }) ?? 0)
    }
  }
}
