import AVFoundation
import Foundation
import Glibc

/// Seeks while paused, one after the other, until the picture of the target can be had from a video output.
///
/// Prints `p50 p95 CPU off count`: milliseconds of a seek, processor milliseconds of a seek, how many pictures were not
/// the target's by the number burnt into them. `forward` prints `p50 p95` of going FRAMES on within a decoded group,
/// then `p50 p95` of one step.
@MainActor
final class SeekBench {
  enum Kind {
    case exact
    case keyframe
    case forward(Int)
  }

  private static var current: SeekBench?

  private let kind: Kind
  private let targets: [Double]
  private let item: AVPlayerItem
  private let player: AVPlayer
  private let output = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
  private var observation: NSKeyValueObservation?
  private var next = 0
  private var durations: [Double] = []
  private var steps: [Double] = []
  private var off = 0
  private var processorStart = 0.0
  private var hasBegun = false

  static func begin(_ path: String, _ kind: Kind, _ targets: [Double]) {
    current = SeekBench(path, kind, targets)
  }

  private init(_ path: String, _ kind: Kind, _ targets: [Double]) {
    self.kind = kind
    self.targets = targets
    item = AVPlayerItem(asset: AVURLAsset(url: URL(fileURLWithPath: path)))
    item.add(output)
    player = AVPlayer(playerItem: item)
    observation = item.observe(\.status, options: [.initial, .new]) { [weak self] item, _ in
      MainActor.assumeIsolated { self?.statusChanged(item) }
    }
  }

  private func statusChanged(_ item: AVPlayerItem) {
    switch item.status {
    case .readyToPlay where !hasBegun:
      hasBegun = true
      processorStart = processorMilliseconds()
      seekNext()
    case .failed: BenchProgram.fail("\(item.error.map { "\($0)" } ?? "failed")")
    default: break
    }
  }

  private func seekNext() {
    guard next < targets.count else { return finish() }
    let seconds = targets[next]
    next += 1
    let target = CMTime(seconds: seconds, preferredTimescale: 90_000)
    switch kind {
    case .exact:
      seek(to: target, .zero) { duration, number in
        self.durations.append(duration)
        // Whole ticks: seconds of a decimal fraction may lie just before a frame.
        if number != Int(target.value * 30 / 90_000) % 3_600 {
          self.miss("\(seconds): frame \(self.number(number))")
        }
        self.seekNext()
      }
    case .keyframe:
      seek(to: target, .positiveInfinity) { duration, number in
        self.durations.append(duration)
        if number == nil { self.off += 1 }
        self.seekNext()
      }
    case .forward(let count):
      goForward(from: target, count)
    }
  }

  private func seek(
    to target: CMTime, _ tolerance: CMTime, _ completion: @escaping @MainActor (Double, Int?) -> Void
  ) {
    let start = milliseconds()
    player.seek(to: target, toleranceBefore: tolerance, toleranceAfter: tolerance) { [self] _ in
      MainActor.assumeIsolated {
        let buffer = output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: nil)
        let duration = milliseconds() - start
        completion(duration, buffer.flatMap(FrameNumber.read))
      }
    }
  }

  /// To a place, then so many frames on, then one step.
  private func goForward(from target: CMTime, _ count: Int) {
    seek(to: target, .zero) { [self] _, first in
      let further = target + CMTime(value: CMTimeValue(count), timescale: 30)
      seek(to: further, .zero) { [self] duration, second in
        durations.append(duration)
        if first.map({ $0 + count }) != second { miss("onward from \(number(first)): frame \(number(second))") }
        step(from: further, second)
      }
    }
  }

  private func step(from time: CMTime, _ shown: Int?) {
    let start = milliseconds()
    item.step(byCount: 1)
    // There is no completion of a step: the item's time tells.
    while item.currentTime() <= time, milliseconds() - start < 5_000 { usleep(20) }
    let buffer = output.copyPixelBuffer(forItemTime: item.currentTime(), itemTimeForDisplay: nil)
    steps.append(milliseconds() - start)
    let stepped = buffer.flatMap(FrameNumber.read)
    if shown.map({ $0 + 1 }) != stepped { miss("step from \(number(shown)): frame \(number(stepped))") }
    seekNext()
  }

  private func miss(_ text: String) {
    off += 1
    BenchProgram.complain(text)
  }

  private func number(_ frame: Int?) -> String { frame.map(String.init) ?? "none" }

  private func finish() {
    let processor = (processorMilliseconds() - processorStart) / Double(max(targets.count, 1))
    switch kind {
    case .forward: print(percentiles(durations), percentiles(steps), off, targets.count)
    default: print(percentiles(durations), String(format: "%.2f", processor), off, targets.count)
    }
    exit(0)
  }

  private func percentiles(_ values: [Double]) -> String {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return "- -" }
    let at = { (share: Double) in sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)] }
    return String(format: "%.2f %.2f", at(0.5), at(0.95))
  }
}
