/// How often something was met in a track, where first, and how large it was at most.
struct Occurrences: Sendable {
  private(set) var count = 0
  /// Seconds of item time.
  private(set) var first: Double?
  /// Seconds.
  private(set) var largest = 0.0

  mutating func add(at time: Double?, size: Double = 0) {
    count += 1
    if first == nil { first = time }
    largest = max(largest, size)
  }

  /// `count`, `first` and, where it has a size, `largest`.
  var evidence: [String: Evidence] {
    var evidence: [String: Evidence] = ["count": Evidence(count)]
    if let first { evidence["first"] = Evidence(seconds: first) }
    if largest > 0 { evidence["largest"] = Evidence(seconds: largest) }
    return evidence
  }
}
