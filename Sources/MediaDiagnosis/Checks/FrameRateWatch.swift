import MediaEngine

/// Whether the pictures of a track come at a steady rate, by the times of the decoded ones in the order shown.
struct FrameRateWatch: Sendable {
  /// Fewer pictures tell of no rate.
  private static let leastPictures = 12
  /// Different durations that are counted; more are variable in any case.
  private static let limit = 256
  /// The share of pictures that are as long as most, from which the rate is steady.
  private static let steadyShare = 0.95
  /// Seconds without a picture at a steady rate, not counting the first one.
  private static let gap = 1.0

  private let track: MediaTrack
  private var counts: [Int64: Int] = [:]
  private var pictures = 0
  private var last: Int64?
  private var longest: Int64 = 0
  private var longestAt: Int64 = 0

  init(_ track: MediaTrack) { self.track = track }

  mutating func note(_ frame: VideoFrame) {
    let time = frame.presentationTime
    defer { last = max(last ?? time, time) }
    guard let last, time > last else { return }
    pictures += 1
    let duration = time &- last
    if counts[duration] != nil || counts.count < Self.limit { counts[duration, default: 0] += 1 }
    // A first picture that stands for a while is a title.
    if duration > longest, pictures > 1 {
      longest = duration
      longestAt = last
    }
  }

  var findings: [Finding] {
    guard pictures >= Self.leastPictures, let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
    else { return [] }
    // Coarse ticks make 33 and 34 ms of one thirtieth of a second.
    let tolerance = max(1, Int64(Double(usual) * 0.02))
    let alike = counts.reduce(0) { abs($1.key &- usual) <= tolerance ? $0 + $1.value : $0 }
    let name = Wording.name(of: track)
    let share = Double(alike) / Double(pictures)
    let longestSeconds = seconds(longest)
    if share < Self.steadyShare {
      let shortest = counts.keys.min() ?? usual
      return [
        Finding(
          .variableFrameRate, track: track.id,
          "The pictures of \(name) last from \(Wording.length(seconds(shortest))) to \(Wording.length(longestSeconds)); \(Int((share * 100).rounded())) % of them \(Wording.length(seconds(usual))).",
          [
            "shortest": Evidence(seconds: seconds(shortest)), "usual": Evidence(seconds: seconds(usual)),
            "longest": Evidence(seconds: longestSeconds), "pictures": Evidence(pictures + 1),
          ])
      ]
    }
    guard longestSeconds > Self.gap, longest / 10 > usual else { return [] }
    return [
      Finding(
        .timesGap, track: track.id,
        "\(name.capitalizedFirst) has no picture for \(Wording.length(longestSeconds)) from \(Wording.time(seconds(longestAt))) on.",
        ["count": 1, "first": Evidence(seconds: seconds(longestAt)), "largest": Evidence(seconds: longestSeconds)])
    ]
  }

  private func seconds(_ ticks: Int64) -> Double {
    Double(ticks) * Double(track.timeBase.numerator) / Double(track.timeBase.denominator)
  }
}
