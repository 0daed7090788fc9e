import AudioOutput
import MediaEngine
import MediaRuntime

/// What a virtual device let hear, gain and all: every frame, or one number per period.
package final class HeardSound: FrameTaker {
  package enum Keeping: Hashable, Sendable {
    /// All samples: for tests that look at them.
    case samples
    /// FNV-1a/64 over each period of this many frames: for long playbacks.
    case hashes(period: Int)
  }

  private struct State {
    var samples: [Float] = []
    var hashes: [UInt64] = []
    var hash = HeardSound.seed
    var inPeriod = 0
    var frames: Int64 = 0
    var silences: [Range<Int64>] = []
  }

  package let channelCount: Int
  package let keeping: Keeping
  private let state = Lock(State())

  package init(channelCount: Int, keeping: Keeping) {
    self.channelCount = max(channelCount, 1)
    self.keeping = keeping
  }

  package func take(_ samples: UnsafeBufferPointer<Float>?, frames: Range<Int64>) {
    state.withLock { state in
      switch keeping {
      case .samples:
        if let samples {
          state.samples.append(contentsOf: samples)
        } else {
          state.samples.appendSilence(frames.count * channelCount)
        }
      case .hashes(let period):
        if let samples {
          add(samples, to: &state, period: period)
        } else {
          [Float](repeating: 0, count: frames.count * channelCount)
            .withUnsafeBufferPointer { add($0, to: &state, period: period) }
        }
      }
      if samples == nil {
        if let last = state.silences.last, last.upperBound == frames.lowerBound {
          state.silences[state.silences.count - 1] = last.lowerBound..<frames.upperBound
        } else {
          state.silences.append(frames)
        }
      }
      state.frames = frames.upperBound
    }
  }

  package func finish() {}

  private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  private func add(_ samples: UnsafeBufferPointer<Float>, to state: inout State, period: Int) {
    var hash = state.hash
    var inPeriod = state.inPeriod
    for sample in samples {
      var bits = sample.bitPattern
      for _ in 0..<4 {
        hash = (hash ^ UInt64(bits & 0xff)) &* 0x100_0000_01b3
        bits >>= 8
      }
      inPeriod += 1
      if inPeriod >= period * channelCount {
        state.hashes.append(hash)
        hash = Self.seed
        inPeriod = 0
      }
    }
    state.hash = hash
    state.inPeriod = inPeriod
  }

  /// The frame after the last one heard.
  package var frames: Int64 { state.withLock { $0.frames } }
  /// Interleaved, from frame 0 on; empty unless samples are kept.
  package var samples: [Float] { state.withLock { $0.samples } }
  package var hashes: [UInt64] { state.withLock { $0.hashes } }
  /// Stretches for which nothing had been written.
  package var silences: [Range<Int64>] { state.withLock { $0.silences } }
  /// The largest step from one frame to the next in any channel: a click shows here. Needs the samples kept.
  package var largestStep: Float {
    let samples = samples
    return zip(samples, samples.dropFirst(channelCount)).reduce(0) { max($0, abs($1.1 - $1.0)) }
  }

  /// One channel's samples from a frame on.
  package func channel(_ channel: Int, from frame: Int = 0) -> [Float] {
    let samples = samples
    return stride(from: frame * channelCount + channel, to: samples.count, by: channelCount).map { samples[$0] }
  }
}
