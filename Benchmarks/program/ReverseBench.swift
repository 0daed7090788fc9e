import AVFoundation
import Foundation

/// Plays backward in real time from a time down to the start, looking for a new picture every four milliseconds.
///
/// Prints `seconds shown disorder gap memory`: how long it took; how many pictures were shown; how many of them did not
/// come before the one shown last; by how many frames the widest gap between two of them exceeds the narrowest, pictures
/// that this program looked too late for left out; mebibytes of memory that it took at most beyond the paused item's.
@MainActor
enum ReverseBench {
  private static let player = AVPlayer()
  private static let output = AVPlayerItemVideoOutput()
  private static var watch: NSKeyValueObservation?
  private static var looking: Timer?
  private static var ending: (any NSObjectProtocol)?
  private static var numbers: [Int] = []
  private static var lateLooks: Set<Int> = []
  private static var begun = 0.0
  private static var lastLook = 0.0
  private static var idle = 0.0
  private static var peak = 0.0

  /// A look that comes later than this may have missed a picture.
  private static let frameMilliseconds = 25.0

  static func begin(_ path: String, from seconds: Double, rate: Float) {
    let item = AVPlayerItem(url: URL(fileURLWithPath: path))
    item.add(output)
    player.replaceCurrentItem(with: item)
    watch = item.observe(\.status, options: [.initial, .new]) { item, _ in
      MainActor.assumeIsolated {
        if item.status == .failed { BenchProgram.fail("\(item.error.map { "\($0)" } ?? "failed")") }
        guard item.status == .readyToPlay, ending == nil else { return }
        ending = NotificationCenter.default.addObserver(
          forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: .main
        ) { _ in MainActor.assumeIsolated { finish() } }
        let target = CMTime(seconds: seconds, preferredTimescale: 600)
        player.seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero) { _ in
          MainActor.assumeIsolated { play(rate) }
        }
      }
    }
  }

  private static func play(_ rate: Float) {
    idle = privateMebibytes()
    begun = milliseconds()
    lastLook = begun
    player.rate = -abs(rate)
    let timer = Timer(timeInterval: 0.004, repeats: true) { _ in MainActor.assumeIsolated { look() } }
    looking = timer
    RunLoop.main.add(timer, forMode: .default)
  }

  private static func look() {
    let now = milliseconds()
    defer { lastLook = now }
    let time = player.currentTime()
    guard output.hasNewPixelBuffer(forItemTime: time),
      let buffer = output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil),
      let number = FrameNumber.read(buffer)
    else { return }
    if now - lastLook > frameMilliseconds { lateLooks.insert(numbers.count) }
    numbers.append(number)
    if numbers.count % 30 == 0 { peak = max(peak, privateMebibytes()) }
  }

  private static func finish() {
    looking?.invalidate()
    let seconds = (milliseconds() - begun) / 1_000
    let pairs = zip(numbers, numbers.dropFirst())
    let disorder = pairs.count { $0.1 >= $0.0 }
    let gaps = pairs.enumerated().filter { !lateLooks.contains($0.offset + 1) }.map { $0.element.0 - $0.element.1 }
    let gap = (gaps.max() ?? 0) - (gaps.min() ?? 0)
    print(String(format: "%.2f %d %d %d %.1f", seconds, numbers.count, disorder, gap, peak - idle))
    exit(0)
  }

  /// What the process alone holds, as the kernel counts it.
  private static func privateMebibytes() -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty:") || $0.hasPrefix("Private_Clean:") }
    let kibibytes = lines.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Double($0) } }.reduce(0, +)
    return kibibytes / 1_024
  }
}
