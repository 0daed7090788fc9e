import AudioOutput
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
    var largestStep: Float = 0
    var last: [Float]
  }

  package let channelCount: Int
  package let keeping: Keeping
  private let state: Lock<State>

  package init(channelCount: Int, keeping: Keeping) {
    self.channelCount = max(channelCount, 1)
    self.keeping = keeping
    state = Lock(State(last: [Float](repeating: 0, count: self.channelCount)))
  }

  package func take(_ samples: UnsafeBufferPointer<Float>?, frames: Range<Int64>) {
    state.withLock { state in
      if let samples {
        for index in 0..<min(samples.count, frames.count * channelCount) {
          add(samples[index], channel: index % channelCount, to: &state)
        }
      } else {
        for _ in 0..<frames.count {
          for channel in 0..<channelCount { add(0, channel: channel, to: &state) }
        }
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

  private func add(_ sample: Float, channel: Int, to state: inout State) {
    state.largestStep = max(state.largestStep, abs(sample - state.last[channel]))
    state.last[channel] = sample
    switch keeping {
    case .samples: state.samples.append(sample)
    case .hashes(let period):
      var bits = sample.bitPattern
      for _ in 0..<4 {
        state.hash = (state.hash ^ UInt64(bits & 0xff)) &* 0x100_0000_01b3
        bits >>= 8
      }
      guard channel == channelCount - 1 else { return }
      state.inPeriod += 1
      guard state.inPeriod >= period else { return }
      state.hashes.append(state.hash)
      state.hash = Self.seed
      state.inPeriod = 0
    }
  }

  /// The frame after the last one heard.
  package var frames: Int64 { state.withLock { $0.frames } }
  /// Interleaved, from frame 0 on; empty unless samples are kept.
  package var samples: [Float] { state.withLock { $0.samples } }
  package var hashes: [UInt64] { state.withLock { $0.hashes } }
  /// Stretches for which nothing had been written.
  package var silences: [Range<Int64>] { state.withLock { $0.silences } }
  /// The largest step from one frame to the next in any channel: a click shows here.
  package var largestStep: Float { state.withLock { $0.largestStep } }

  /// One channel's samples from a frame on.
  package func channel(_ channel: Int, from frame: Int = 0) -> [Float] {
    let samples = samples
    return stride(from: frame * channelCount + channel, to: samples.count, by: channelCount).map { samples[$0] }
  }
}
