import MediaEngine

/// Where the key frames of a video track stand.
struct KeyframeWatch: Sendable {
  /// Seconds between key frames from which a jump is felt; encoders' defaults reach 10.
  private static let rare = 12.0

  private let track: MediaTrack
  private(set) var keyframes = 0
  private var before = 0
  private var firstAt: Double?
  private var lastAt: Double?
  private var lastTime: Double?
  private var longest = 0.0
  private var longestAt: Double?

  init(_ track: MediaTrack) { self.track = track }

  mutating func note(_ packet: MediaPacket, at time: Double?) {
    if let time { lastTime = max(lastTime ?? time, time) }
    guard packet.isKeyframe else {
      if keyframes == 0 { before += 1 }
      return
    }
    keyframes += 1
    closeInterval(at: time)
    if firstAt == nil { firstAt = time }
    lastAt = time ?? lastAt
  }

  private mutating func closeInterval(at time: Double?) {
    guard let time, let lastAt, time - lastAt > longest else { return }
    longest = time - lastAt
    longestAt = lastAt
  }

  mutating func finish() { closeInterval(at: lastTime) }

  var findings: [Finding] {
    let name = Wording.name(of: track)
    guard keyframes > 0 else {
      guard before > 0 else { return [] }
      return [
        Finding(
          .noKeyframes, track: track.id,
          "None of the \(before) pictures of \(name) is a key frame, so nothing can be jumped to.",
          ["pictures": Evidence(before)])
      ]
    }
    var found: [Finding] = []
    if before > 0 {
      found.append(
        Finding(
          .lateKeyframe, track: track.id,
          "\(before) pictures of \(name) come before its first key frame at \(Wording.time(firstAt)), and may not be shown.",
          ["pictures": Evidence(before), "first": Evidence(seconds: firstAt ?? .nan)]))
    }
    if longest > Self.rare {
      found.append(
        Finding(
          .rareKeyframes, track: track.id,
          "\(name.capitalizedFirst) has \(keyframes) key frames, up to \(Wording.length(longest)) apart (from \(Wording.time(longestAt)) on).",
          ["keyframes": Evidence(keyframes), "longest": Evidence(seconds: longest)]))
    }
    return found
  }
}
