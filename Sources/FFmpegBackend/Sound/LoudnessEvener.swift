import MediaEngine
import MediaRuntime

/// Brings loud and quiet passages near each other by FFmpeg's `dynaudnorm`, which looks a second ahead. As many frames
/// come out as go in. Owned by one converter.
final class LoudnessEvener {
  private var filter: SoundFilter
  private let format: AudioDeviceFormat
  /// Frames that went in but have not come out.
  private(set) var pending = 0

  /// A gain for each 150 ms, smoothed over 15 of them; at most 24 dB more, peaks up to −0.5 dB, channels alike.
  private static let step = SoundFilter.Step(
    name: "dynaudnorm", arguments: "framelen=150:gausssize=15:maxgain=15:peak=0.94")

  init(_ format: AudioDeviceFormat) throws(MediaError) {
    self.format = format
    filter = try SoundFilter([Self.step], format: format)
  }

  func process(_ samples: [Float]) throws(MediaError) -> [Float] {
    var output: [Float] = []
    try filter.process(samples, into: &output)
    pending += (samples.count - output.count) / format.channelCount
    return output
  }

  /// What is still inside; then it can be used anew.
  func finish() throws(MediaError) -> [Float] {
    var output: [Float] = []
    try filter.finish(into: &output)
    // The filter fills its last frame up.
    output.removeLast(max(output.count - pending * format.channelCount, 0))
    pending = 0
    filter = try SoundFilter([Self.step], format: format)
    return output
  }
}
