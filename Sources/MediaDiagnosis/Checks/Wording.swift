import MediaEngine

/// How findings speak of times, sizes and tracks.
enum Wording {
  static func name(of track: MediaTrack) -> String { "\(name(of: track.kind)) track \(track.id)" }

  static func name(of kind: TrackKind) -> String {
    switch kind {
    case .video: "the video"
    case .audio: "the audio"
    case .subtitle, .closedCaption: "the subtitle"
    case .text: "the text"
    case .timecode: "the time code"
    case .metadata: "the data"
    }
  }

  /// Such as `4.2 s`, `1:02:03.4`.
  static func time(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite, abs(seconds) < 1e9 else { return "an unknown time" }
    let tenths = Int((abs(seconds) * 10).rounded())
    let sign = seconds < 0 && tenths > 0 ? "-" : ""
    guard tenths >= 600 else { return "\(sign)\(tenths / 10).\(tenths % 10) s" }
    let whole = tenths / 10
    let rest = "\(twoDigits(whole % 60)).\(tenths % 10)"
    guard whole >= 3_600 else { return "\(sign)\(whole / 60):\(rest)" }
    return "\(sign)\(whole / 3_600):\(twoDigits(whole / 60 % 60)):\(rest)"
  }

  /// Such as `0.033 s`, `12.4 s`.
  static func length(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e9 else { return "an unknown length" }
    let thousandths = Int((seconds * 1_000).rounded())
    guard abs(thousandths) < 10_000 else { return time(seconds) }
    return "\(Double(thousandths) / 1_000) s"
  }

  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
