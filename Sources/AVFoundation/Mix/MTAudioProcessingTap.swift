public import CoreMedia
internal import MediaEngine

/// Hears, and may change, a track's sound on its way to the device.
///
/// Sprocket's form of Apple's C callbacks. The calls come one after the other from a thread of the player's, ahead of
/// what is heard by up to two seconds: what takes longer than the sound lasts makes it break. Do not wait in them.
public protocol AudioTapProcessing: AnyObject, Sendable {
  /// Sound of this kind follows. Comes before the first piece, and again after `unprepare`.
  func prepare(sampleRate: Double, channelCount: Int)
  /// Samples may be changed; they are heard as they are when this returns, but for the volume.
  func process(_ buffer: inout AudioTapBuffer)
  /// Nothing follows: the tap was taken away, or its item has left the player.
  func unprepare()
}

extension AudioTapProcessing {
  public func prepare(sampleRate: Double, channelCount: Int) {}
  public func unprepare() {}
}

/// A piece of a track's sound: 32-bit floats at the device's rate and in its channels.
public struct AudioTapBuffer {
  var sound: TappedSound

  public var sampleRate: Double { Double(sound.format.sampleRate) }
  public var channelCount: Int { sound.format.channelCount }
  public var frameCount: Int { sound.samples.count / max(sound.format.channelCount, 1) }

  /// In the item's time.
  public var timeRange: CMTimeRange {
    let timescale = CMTimeScale(clamping: sound.format.sampleRate)
    return CMTimeRange(
      start: CMTime(value: sound.start, timescale: timescale),
      duration: CMTime(value: Int64(frameCount), timescale: timescale))
  }

  /// The sound does not go on where the piece before ended: after a seek, and at the start.
  public var isStartOfStream: Bool { sound.isDiscontinuous }

  /// - Precondition: `frame` is below `frameCount`, `channel` below `channelCount`.
  public subscript(frame: Int, channel: Int) -> Float {
    get { sound.samples[index(frame, channel)] }
    set { sound.samples[index(frame, channel)] = newValue }
  }

  /// All samples, frame by frame, in each frame channel by channel.
  public mutating func withUnsafeMutableSamples<Result>(_ body: (UnsafeMutableBufferPointer<Float>) throws -> Result)
    rethrows -> Result
  {
    try sound.samples.withUnsafeMutableBufferPointer { try body($0) }
  }

  private func index(_ frame: Int, _ channel: Int) -> Int {
    precondition(frame >= 0 && frame < frameCount, "The buffer has \(frameCount) frames; \(frame) is not one of them.")
    precondition(
      channel >= 0 && channel < channelCount, "The buffer has \(channelCount) channels; \(channel) is not one of them.")
    return frame * channelCount + channel
  }
}

/// A tap to give to `AVMutableAudioMixInputParameters.audioTapProcessor`: for one item, and the copies that a looper
/// makes of it.
public final class MTAudioProcessingTap: Sendable {
  let adapter: any SoundTap

  /// - Parameter processors: take part one after the other; each gets what the one before has made.
  public init(_ processors: any AudioTapProcessing...) {
    adapter = TapAdapter(processors)
  }
}

/// Between the engine's tap and the app's.
private final class TapAdapter: SoundTap {
  private let processors: [any AudioTapProcessing]

  init(_ processors: [any AudioTapProcessing]) {
    self.processors = processors
  }

  func prepare(_ format: AudioDeviceFormat) {
    for processor in processors {
      processor.prepare(sampleRate: Double(format.sampleRate), channelCount: format.channelCount)
    }
  }

  func process(_ piece: inout TappedSound) {
    var buffer = AudioTapBuffer(sound: piece)
    piece.samples = []
    for processor in processors { processor.process(&buffer) }
    piece = buffer.sound
  }

  func unprepare() {
    for processor in processors { processor.unprepare() }
  }
}
