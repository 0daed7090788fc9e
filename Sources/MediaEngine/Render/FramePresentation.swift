import CoreMedia

/// What is to be done about the picture at an item time, whichever way time goes.
struct FramePresentation {
  /// The frame that has become due.
  var frame: VideoFrame?
  /// The item time at which the next one is due; nil while none is decoded.
  var next: CMTime?
  /// Frames whose time passed unseen.
  var skipped = 0
  /// No frame follows.
  var isDrained = false
}

extension VideoFormat {
  /// Bytes of a decoded picture in 4:2:0, at least 1: what limits of memory reckon with.
  var pictureSize: Int {
    let (pixels, overflow) = max(width, 1).multipliedReportingOverflow(by: max(height, 1))
    guard !overflow else { return Int.max / 8 }
    return max(min(pixels, Int.max / 8) * 3 / 2 * (bitDepth > 8 ? 2 : 1), 1)
  }
}
