import AVFoundation
import Foundation

/// Exact pictures of 320 pixels' width of many times through `AVAssetImageGenerator`.
///
/// Prints `count off`: how many came, and how many were not the time's by the number burnt into them.
@MainActor
enum StillBench {
  private static var generator: AVAssetImageGenerator?
  private static var made = 0
  private static var off = 0
  private static var left = 0

  static func begin(_ path: String, _ seconds: [Double]) {
    let times = seconds.map { CMTime(seconds: $0, preferredTimescale: 90_000) }
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: URL(fileURLWithPath: path)))
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    generator.maximumSize = CGSize(width: 320, height: 0)
    self.generator = generator
    left = times.count
    generator.generateCGImagesAsynchronously(forTimes: times.map { NSValue(time: $0) }) { time, image, _, _, error in
      let number = image.flatMap(FrameNumber.read)
      let complaint = error.map { "\($0)" }
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          took(number, expected: Int(time.value * 30 / 90_000) % 3_600, complaint)
          left -= 1
          if left == 0 { end() }
        }
      }
    }
  }

  private static func took(_ number: Int?, expected: Int, _ complaint: String?) {
    made += number == nil ? 0 : 1
    guard number != expected else { return }
    off += 1
    BenchProgram.complain("frame \(expected): \(complaint ?? number.map(String.init) ?? "no number")")
  }

  private static func end() -> Never {
    print(made, off)
    exit(0)
  }
}

extension FrameNumber {
  /// Of an image of 32-bit BGRA.
  static func read(_ image: CGImage) -> Int? {
    guard let data = image.dataProvider?.data, image.bitsPerPixel == 32 else { return nil }
    var number = 0
    for bit in 0..<16 {
      let x = (2 * bit + 1) * image.width / 32
      func green(_ y: Int) -> Int { Int(data[data.startIndex + y * image.bytesPerRow + x * 4 + 1]) }
      let (upper, lower) = (green(image.height / 20), green(3 * image.height / 20))
      guard abs(upper - lower) >= 60 else { return nil }
      number = number << 1 | (upper > lower ? 1 : 0)
    }
    return number
  }
}
