import CoreMedia
import Foundation
import MediaTestSupport

/// Which frame number a clip shows at which time, by FFmpeg's own decode from the beginning.
struct FrameTruth: Sendable {
  /// Ascending, in item time.
  let times: [CMTime]
  /// `FrameCode` of the frame at the same place.
  let numbers: [Int]

  struct Unreadable: Error { let clip: URL, why: String }

  init(_ clip: URL) throws {
    // Movies and Matroska count from their presentation's start, others from their first timestamp.
    let keepsTimes = ["mp4", "mkv", "webm"].contains(clip.pathExtension)
    let pixels = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString).gray")
    defer { try? FileManager.default.removeItem(at: pixels) }
    let side = "crop=iw:ih/5:0:0,scale=\(FrameCode.bitCount):2:flags=neighbor,format=gray"
    let result = try Self.ffmpeg(
      ["-hide_banner", "-nostdin", "-threads", "1", "-copyts"]
        + ["-i", clip.path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf", "\(side),showinfo"]
        + ["-f", "rawvideo", pixels.path])
    let output = try Data(contentsOf: pixels)
    var timescale: Int32?
    var start = 0.0
    var times: [CMTime] = []
    for line in result.errors.split(separator: "\n") {
      if !keepsTimes, let text = line.components(separatedBy: "start: ").dropFirst().first,
        line.contains("Duration: ")
      {
        start = Double(text.prefix { $0 != "," }) ?? 0
      }
      if let base = Self.value("config in time_base: 1/", in: line) { timescale = Int32(base) }
      guard let timescale, let ticks = Self.value(" pts:", in: line) else { continue }
      let first = Int64((start * Double(timescale)).rounded())
      times.append(CMTime(value: ticks - first, timescale: timescale))
    }
    self.times = times
    let size = 2 * FrameCode.bitCount
    guard !times.isEmpty, output.count == times.count * size else {
      throw Unreadable(clip: clip, why: "\(times.count) times, \(output.count) bytes")
    }
    numbers = try stride(from: 0, to: output.count, by: size).map { start in
      let rows = [UInt8](output[start..<start + size])
      return try (0..<FrameCode.bitCount).reduce(0) { number, bit in
        let (upper, lower) = (Int(rows[bit]), Int(rows[bit + FrameCode.bitCount]))
        guard abs(upper - lower) > 60 else { throw Unreadable(clip: clip, why: "no code at byte \(start)") }
        return number << 1 | (upper > lower ? 1 : 0)
      }
    }
  }

  /// The number shown at an item time: the last frame that has begun, before the first one the first.
  func number(at time: CMTime) -> Int {
    let next = times.firstIndex { $0 > time } ?? times.count
    return numbers[max(next - 1, 0)]
  }

  private static func value(_ name: String, in line: Substring) -> Int64? {
    guard let range = line.range(of: name) else { return nil }
    let text = line[range.upperBound...].drop { $0 == " " }
    return Int64(text.prefix { $0.isNumber || $0 == "-" })
  }

  private static func ffmpeg(_ arguments: [String]) throws -> ProcessRunner.Result {
    guard
      let result = try ProcessRunner(executable: URL(fileURLWithPath: "/usr/bin/ffmpeg"))
        .run(1, arguments: arguments).first, result.exitCode == 0
    else { throw CocoaError(.executableLoad) }
    return result
  }
}
