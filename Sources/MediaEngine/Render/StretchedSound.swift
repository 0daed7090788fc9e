internal import MediaRuntime

/// A stretch's sound at another speed with its pitch kept, by device frame. Used only on the audio renderer's queue.
///
/// What was rendered is held until it was heard, so that a change of gain needs no second rendering.
final class StretchedSound: @unchecked Sendable {
  // Sendable because it is touched on the renderer's queue only.

  private let feeder: AudioFeeder
  private let startFrame: Int64
  private let startSample: Int64
  private let rate: Double
  private let stretcher: any AudioStretcher
  /// Its samples have the numbers of device frames.
  private var line: AudioLine
  /// The feeder's sample that goes in next.
  private var next: Int64
  private var isFinished = false
  /// Silence from where the stretcher gave up; the sound is still decoded, for its end counts.
  private var hasFailed = false

  /// Samples that go in at once.
  private static let piece: Int64 = 1024

  init(feeder: AudioFeeder, startFrame: Int64, startSample: Int64, rate: Double, stretcher: any AudioStretcher) {
    self.feeder = feeder
    self.startFrame = startFrame
    self.startSample = startSample
    self.rate = rate
    self.stretcher = stretcher
    line = AudioLine(channelCount: feeder.line.channelCount)
    line.place(at: startFrame)
    next = startSample - Int64(stretcher.leadIn)
  }

  /// The frame up to which it is rendered.
  var end: Int64 { line.end }

  /// Renders up to a frame, decoding what that needs.
  func render(until frame: Int64, packets: Int) -> AudioFeeder.Progress {
    while line.end < frame {
      if hasFailed { return feeder.decode(until: sample(at: frame), packets: packets) }
      if isFinished { return .ended }
      let progress = feeder.decode(until: next + Self.piece, packets: packets)
      switch progress {
      case .ready: take(Self.piece)
      case .more: return .more
      case .starved:
        take(min(feeder.line.end - next, Self.piece))
        guard line.end < frame else { return .ready }
        return .starved
      case .ended:
        if feeder.line.end > next { take(min(feeder.line.end - next, Self.piece)) } else { finish() }
      }
    }
    return .ready
  }

  func copy(from frame: Int64, count: Int, into output: inout [Float]) {
    line.copy(from: frame, count: count, into: &output)
  }

  func trim(before frame: Int64) { line.trim(before: frame) }

  private func sample(at frame: Int64) -> Int64 {
    startSample + Int64((Double(frame - startFrame) * rate).rounded(.up))
  }

  private func take(_ count: Int64) {
    guard count > 0, feeder.line.isPlaced else { return }
    var samples: [Float] = []
    feeder.line.copy(from: next, count: Int(count), into: &samples)
    next += count
    append { (output) throws(MediaError) in try self.stretcher.stretch(samples, into: &output) }
  }

  private func finish() {
    isFinished = true
    append { (output) throws(MediaError) in try self.stretcher.finish(into: &output) }
    // The last piece may reach beyond the end, or not quite to it.
    let frames = Int64((Double(max(next - startSample, 0)) / rate).rounded(.up))
    line.cut(at: startFrame + frames)
    line.appendSilence(startFrame + frames - line.end)
  }

  /// Sound that can't be stretched is left out, and said once.
  private func append(_ body: (inout [Float]) throws(MediaError) -> Void) {
    var output: [Float] = []
    do throws(MediaError) {
      try body(&output)
    } catch {
      Log.engine.warning("Sound at another speed is left out: \(error)")
      hasFailed = true
    }
    line.append(output)
  }
}
