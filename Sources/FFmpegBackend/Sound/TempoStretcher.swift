import MediaEngine
import MediaRuntime

/// Another speed at the same pitch: FFmpeg's `atempo` (pieces overlapped where they are alike), or Rubber Band where
/// FFmpeg has it and the spectrum is to be kept.
///
/// `@unchecked Sendable`: the engine calls it on one queue at a time.
final class TempoStretcher: AudioStretcher, @unchecked Sendable {
  let leadIn: Int
  private let filter: SoundFilter
  private let channels: Int
  private let leadOut: Int
  /// Samples of output that belong to the lead-in.
  private var dropped: Int

  init(_ format: AudioDeviceFormat, rate: Double, algorithm: PitchAlgorithm) throws(MediaError) {
    let plan: StretchPlan
    if algorithm == .spectral, StretchPlan.spectral.contains(rate), try SoundFilter.has("rubberband") {
      plan = .bySpectrum(rate, sampleRate: format.sampleRate)
    } else {
      plan = .overlapping(rate, sampleRate: format.sampleRate)
    }
    filter = try SoundFilter(plan.steps, format: format)
    channels = format.channelCount
    leadIn = plan.leadIn
    leadOut = plan.leadOut
    dropped = plan.dropped
  }

  func stretch(_ samples: [Float], into output: inout [Float]) throws(MediaError) {
    try pass(into: &output) { made throws(MediaError) in try self.filter.process(samples, into: &made) }
  }

  func finish(into output: inout [Float]) throws(MediaError) {
    try stretch([Float](repeating: 0, count: leadOut * channels), into: &output)
    try pass(into: &output) { made throws(MediaError) in try self.filter.finish(into: &made) }
  }

  private func pass(into output: inout [Float], _ body: (inout [Float]) throws(MediaError) -> Void)
    throws(MediaError)
  {
    guard dropped > 0 else { return try body(&output) }
    var made: [Float] = []
    try body(&made)
    let count = min(dropped, made.count / channels)
    dropped -= count
    output.append(contentsOf: made.dropFirst(count * channels))
  }
}

/// Filters for a speed, and how their output lies to their input.
struct StretchPlan {
  var steps: [SoundFilter.Step]
  /// Samples that go in before the first that is wanted, and how many come out before it.
  var leadIn: Int
  /// Silence that pushes the last out.
  var leadOut = 0
  var dropped: Int

  /// What one `atempo` does without leaving pieces out, and at the least.
  private static let gentle = 0.5...2.0

  /// `atempo` moves its pieces to where they fit. By how much that makes its sound early depends on the sound: in 64ths
  /// of a piece 4 for a tone that swells, 9 for a voice and for noise on average, 25 for clicks in silence.
  private static let earliness = 9.0 / 64
  /// Above twice the speed, where one moves what another has moved.
  private static let fastEarliness = 0.5

  /// The first two pieces, which lie otherwise, are dropped.
  static func overlapping(_ rate: Double, sampleRate: Int) -> StretchPlan {
    var piece = 1
    while piece < sampleRate / 24 { piece *= 2 }
    var rates: [Double] = []
    var left = rate
    while !gentle.contains(left) {
      rates.append(left < 1 ? gentle.lowerBound : gentle.upperBound)
      left /= rates[rates.count - 1]
    }
    rates.append(left)
    let isFast = gentle.upperBound < rates.reduce(1, *)
    var early = 0.0
    var speed = 1.0
    for rate in rates {
      early += Double(piece) * (isFast ? fastEarliness : earliness) * speed
      speed *= rate
    }
    let dropped = piece
    return StretchPlan(
      steps: rates.map { SoundFilter.Step(name: "atempo", arguments: "tempo=\($0)") },
      leadIn: Int((early + Double(dropped) * rate).rounded()), leadOut: isFast ? 0 : piece, dropped: dropped)
  }

  /// Beyond these, short sounds get lost between the spectra.
  static let spectral = 0.25...3.0

  /// Rubber Band keeps a place in place that lies three eighths of a window from the beginning (measured on voices and
  /// noise), and gives less than there is at the end. Its default for transients takes pure tones for such and changes
  /// their pitch by up to 2 %.
  static func bySpectrum(_ rate: Double, sampleRate: Int) -> StretchPlan {
    var window = 1
    while window < sampleRate * 2_048 / 48_000 { window *= 2 }
    let edge = window * 3 / 8
    return StretchPlan(
      steps: [SoundFilter.Step(name: "rubberband", arguments: "tempo=\(rate):transients=mixed")], leadIn: edge,
      leadOut: 2 * window, dropped: edge)
  }
}
