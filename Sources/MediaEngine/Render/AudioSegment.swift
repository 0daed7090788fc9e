/// A stretch of the device's frames and the item's samples that sound there; without a feeder it is silent.
struct AudioSegment: Sendable {
  var startFrame: Int64
  var feeder: AudioFeeder?
  /// Sample number of the item's line at the start.
  var startSample: Int64
  var rate: Double

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
}
