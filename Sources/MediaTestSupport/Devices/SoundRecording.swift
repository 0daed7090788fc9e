import Foundation
package import MediaRuntime
import Synchronization
import Testing

/// What a null sink plays, sample by sample: stereo, 48 kHz, 32-bit floats.
package final class SoundRecording: Sendable {
  private let process: ChildProcess
  private let bytes: Bytes

  private struct Recorded {
    var data: [UInt8] = []
    var arrivals = SoundArrivals()
    /// The first and the last frame whose left sample is not silence, counted as they come: a look at all of it again
    /// and again takes longer than the recording in a build with a sanitizer.
    var sounding: ClosedRange<Int>?

    mutating func add(_ part: [UInt8], at now: HostTime) {
      let before = data.count / 8
      data += part
      let after = data.count / 8
      arrivals.add(frames: after - before, at: now)
      data.withUnsafeBytes { raw in
        let samples = raw.bindMemory(to: Float.self)
        for frame in before..<after where samples[2 * frame] != 0 {
          sounding = (sounding?.lowerBound ?? frame)...frame
        }
      }
    }
  }

  private final class Bytes: Sendable {
    let recorded = Lock(Recorded())
    let finished = DispatchSemaphore(value: 0)

    func add(_ part: [UInt8]) {
      let now = RealScheduler.shared.now
      recorded.withLock { $0.add(part, at: now) }
    }
  }

  /// Returns when the first samples have come.
  init(_ process: ChildProcess) throws {
    self.process = process
    bytes = Bytes()
    let first = try process.read(within: SoundServer.limit)
    guard !first.isEmpty else { throw ChildProcess.Failure(description: "parec records nothing.") }
    bytes.add(first)
    Thread.detachNewThread { [bytes] in
      while true {
        let part = process.read()
        if part.isEmpty { break }
        bytes.add(part)
      }
      bytes.finished.signal()
    }
  }

  deinit { process.signal(SIGKILL) }

  /// Ends the recording and returns the samples of both channels.
  package func stop() -> (left: [Float], right: [Float]) {
    process.signal(SIGKILL)
    if bytes.finished.wait(timeout: .now() + .seconds(SoundServer.limit)) == .timedOut {
      Issue.record("The recorder's output does not end although it was killed.")
    }
    return samples
  }

  /// When it was heard.
  package var arrivals: SoundArrivals { bytes.recorded.withLock { $0.arrivals } }

  /// Waits until this many frames of sound have been recorded, silence at both ends left out, and ends the recording; after
  /// twenty seconds it gives what there is.
  package func sound(of frames: Int = 24_000, on queue: SerialQueue) async -> [Float] {
    for _ in 0..<200 where bytes.recorded.withLock({ $0.sounding?.count ?? 0 }) < frames {
      await queue.sleep(.milliseconds(100))
    }
    return Array(SoundMeasure.sounding(stop().left))
  }

  /// What has been recorded so far.
  package var samples: (left: [Float], right: [Float]) {
    let data = bytes.recorded.withLock { $0.data }
    var left: [Float] = []
    var right: [Float] = []
    left.reserveCapacity(data.count / 8)
    right.reserveCapacity(data.count / 8)
    data.withUnsafeBytes { raw in
      let samples = raw.bindMemory(to: Float.self)
      for index in stride(from: 0, to: samples.count - 1, by: 2) {
        left.append(samples[index])
        right.append(samples[index + 1])
      }
    }
    return (left, right)
  }
}

/// Measures on samples.
package enum SoundMeasure {
  /// Root of the mean square.
  package static func rms(_ samples: some Collection<Float>) -> Double {
    guard !samples.isEmpty else { return 0 }
    return (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
  }

  /// Rising zero crossings per second, interpolated between samples.
  package static func frequency(_ samples: [Float], sampleRate: Double) -> Double {
    var first: Double?
    var last = 0.0
    var count = 0
    for index in 1..<max(samples.count, 1) where samples[index - 1] < 0 && samples[index] >= 0 {
      let before = Double(samples[index - 1])
      last = Double(index - 1) + before / (before - Double(samples[index]))
      if first == nil { first = last } else { count += 1 }
    }
    guard let first, last > first else { return 0 }
    return Double(count) / (last - first) * sampleRate
  }

  /// The largest difference between neighbours.
  package static func largestStep(_ samples: some BidirectionalCollection<Float>) -> Float {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// From the first to the last sample that is not silence.
  package static func sounding(_ samples: [Float]) -> ArraySlice<Float> {
    guard let first = samples.firstIndex(where: { $0 != 0 }), let last = samples.lastIndex(where: { $0 != 0 }) else {
      return []
    }
    return samples[first...last]
  }
}
