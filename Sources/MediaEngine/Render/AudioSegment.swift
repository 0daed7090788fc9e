/// A stretch of the device's frames and the item's samples that sound there; without a feeder it is silent.
struct AudioSegment: Sendable {
  private(set) var startFrame: Int64
  private(set) var feeder: AudioFeeder?
  /// Sample number of the item's line at the start.
  private(set) var startSample: Int64
  private(set) var rate: Double
  /// Its sound where the pitch is kept at another speed.
  private(set) var stretched: StretchedSound?
  /// How loud it is over the item's time.
  private let volume: VolumeCurve
  /// What sounded before and goes on below this one's first frames, so that the change is no click; one at most.
  private(set) var fading: [AudioSegment] = []

  init(startFrame: Int64, feeder: AudioFeeder, startSample: Int64, rate: Double) {
    self.startFrame = startFrame
    self.feeder = feeder
    self.startSample = startSample
    self.rate = rate
    volume = feeder.volume
    stretched = feeder.stretcher(rate: rate).map {
      StretchedSound(feeder: feeder, startFrame: startFrame, startSample: startSample, rate: rate, stretcher: $0)
    }
  }

  private init(silenceFrom startFrame: Int64) {
    self.startFrame = startFrame
    startSample = 0
    rate = 1
    volume = VolumeCurve()
  }

  static func silence(from frame: Int64) -> AudioSegment { AudioSegment(silenceFrom: frame) }

  mutating func silence() {
    feeder = nil
    stretched = nil
    fading = []
  }

  /// Lets another stretch of the same sound end below this one's beginning.
  mutating func fade(from old: AudioSegment) {
    fading = [old]
    fading[0].fading = []
  }

  /// Whether the sound is read sample by sample.
  var isPlain: Bool { rate == 1 }

  /// The (fractional) sample that sounds at a device frame.
  func sample(at frame: Int64) -> Double {
    Double(startSample) + Double(frame - startFrame) * rate
  }

  /// The device frame at which a sample sounds, rounded up.
  func frame(of sample: Int64) -> Int64 {
    guard rate != 0 else { return .max }
    let offset = Double(sample - startSample) / rate
    return startFrame + Int64(offset.rounded(.up))
  }

  /// Adds the sound of some frames; silence where there is none.
  func render(from frame: Int64, count: Int, channels: Int, into output: inout [Float]) {
    guard let feeder else { return output.appendSilence(count * channels) }
    let start = output.count
    if let stretched {
      stretched.copy(from: frame, count: count, into: &output)
    } else if isPlain {
      feeder.line.copy(from: Int64(sample(at: frame)), count: count, into: &output)
    } else {
      feeder.line.resample(from: sample(at: frame), step: rate, count: count, into: &output)
    }
    let seconds = 1 / Double(max(feeder.sampleRate, 1))
    volume.apply(
      to: &output, from: start, channels: channels, at: sample(at: frame) * seconds, step: rate * seconds)
  }
}
