internal import MediaRuntime

/// How many threads a picture's decoder is opened with. Pure.
enum DecoderThreads {
  /// In real time from the beginning on.
  case playing
  /// As fast as can be: after a seek, or when one thread was too slow.
  case seeking

  /// Pixels a second of H.264 that one thread decodes easily on any computer: 1080p at 30 frames.
  private static let easyLoad = 65_000_000.0

  func wanted(for track: MediaTrack) -> Int {
    // Smaller pictures decode faster than threads can be handed frames.
    guard let format = track.video, format.height > 240 else { return 1 }
    switch self {
    case .seeking: return 2
    case .playing:
      // A second thread costs a twentieth more processor time, and ten megabytes at 1080p.
      guard track.codec.name == "h264", format.bitDepth <= 8 else { return 2 }
      let load = Double(format.width) * Double(format.height) * max(format.nominalFrameRate, 30)
      return load <= Self.easyLoad ? 1 : 2
    }
  }
}
