public import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime

/// How loud one channel is. Sprocket's own.
public struct AudioLevel: Hashable, Sendable {
  /// In decibels of full scale, 0 for a full square wave; −160 for silence.
  public var averagePower: Float
  /// The largest sample's, in decibels of full scale; −160 for silence.
  public var peakPower: Float

  static let silence = AudioLevel(averagePower: -160, peakPower: -160)
}

/// Measures a track's sound as it passes, for meters that show what is being heard. Sprocket's own.
///
/// Sound is tapped before it is heard: ask for the levels of the player's current time.
///
///     let meter = AudioLevelMeter()
///     let parameters = AVMutableAudioMixInputParameters(track: track)
///     parameters.audioTapProcessor = MTAudioProcessingTap(meter)
///     …
///     let levels = meter.levels(at: player.currentTime())
public final class AudioLevelMeter: AudioTapProcessing {
  /// Ten milliseconds of the item's time.
  private struct Window {
    var squares: [Double]
    var peaks: [Float]
    var frames = 0

    init(channels: Int) {
      squares = Array(repeating: 0, count: channels)
      peaks = Array(repeating: 0, count: channels)
    }

    mutating func add(_ samples: Slice<UnsafeMutableBufferPointer<Float>>) {
      let channels = peaks.count
      for (index, sample) in samples.enumerated() {
        squares[index % channels] += Double(sample) * Double(sample)
        peaks[index % channels] = max(peaks[index % channels], abs(sample))
      }
      frames += samples.count / channels
    }
  }

  /// Sound is kept for as long as it may be ahead of what is heard, and then some.
  private static let kept: Int64 = 1_000
  /// By number.
  private let measured = Lock<[Int64: Window]>([:])

  public init() {}

  /// The levels of the 50 milliseconds up to a time of the item, channel by channel; empty where no sound is known.
  public func levels(at time: CMTime) -> [AudioLevel] {
    guard time.isNumeric, abs(time.seconds) < 1e12 else { return [] }
    let last = Int64((time.seconds * 100).rounded(.down))
    let windows = measured.withLock { measured in (last - 4...last).compactMap { measured[$0] } }
    guard let channels = windows.map(\.peaks.count).min() else { return [] }
    let frames = windows.reduce(0) { $0 + $1.frames }
    return (0..<channels).map { channel in
      let squares = windows.reduce(0) { $0 + $1.squares[channel] }
      let peak = windows.reduce(Float(0)) { max($0, $1.peaks[channel]) }
      return AudioLevel(
        averagePower: Self.decibels(Float((squares / Double(max(frames, 1))).squareRoot())),
        peakPower: Self.decibels(peak))
    }
  }

  public func process(_ buffer: inout AudioTapBuffer) {
    let (start, rate, channels) = (buffer.sound.start, buffer.sound.format.sampleRate, buffer.channelCount)
    let (frames, isStart) = (buffer.frameCount, buffer.isStartOfStream)
    guard rate > 0, channels > 0, frames > 0 else { return }
    let first = Self.window(of: start, rate)
    buffer.withUnsafeMutableSamples { samples in
      measured.withLock { measured in
        // What is heard anew after a seek back is measured anew.
        measured = measured.filter {
          isStart ? $0.key < first && $0.key > first - Self.kept : $0.key > first - Self.kept
        }
        var frame = 0
        while frame < frames {
          let number = Self.window(of: start + Int64(frame), rate)
          var end = frame + 1
          while end < frames, Self.window(of: start + Int64(end), rate) == number { end += 1 }
          var window = measured[number].flatMap { $0.peaks.count == channels ? $0 : nil } ?? Window(channels: channels)
          window.add(samples[frame * channels..<end * channels])
          measured[number] = window
          frame = end
        }
      }
    }
  }

  /// Forgets what it has measured.
  public func unprepare() {
    measured.withLock { $0 = [:] }
  }

  private static func window(of sample: Int64, _ rate: Int) -> Int64 {
    Int64((Double(sample) * 100 / Double(rate)).rounded(.down))
  }

  private static func decibels(_ value: Float) -> Float {
    value > 0 ? max(20 * log10(value), AudioLevel.silence.peakPower) : AudioLevel.silence.peakPower
  }
}
