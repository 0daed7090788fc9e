/// Gain over device frames: straight lines between points, constant beyond them. Pure.
struct GainEnvelope: Sendable, Hashable {
  private struct Point: Hashable, Sendable {
    var frame: Int64
    var gain: Float
  }

  private var points: [Point]

  init(_ gain: Float) {
    points = [Point(frame: 0, gain: gain)]
  }

  /// The gain that will hold in the end.
  var final: Float { points.last?.gain ?? 0 }

  func gain(at frame: Int64) -> Float {
    guard let first = points.first else { return 0 }
    guard frame > first.frame else { return first.gain }
    guard let next = points.firstIndex(where: { $0.frame > frame }) else { return final }
    let (from, to) = (points[next - 1], points[next])
    let part = Float(frame - from.frame) / Float(max(to.frame - from.frame, 1))
    return from.gain + (to.gain - from.gain) * part
  }

  /// The gain if it is the same over the whole range.
  func constant(over range: Range<Int64>) -> Float? {
    guard let first = points.first, let last = points.last else { return 0 }
    if range.lowerBound >= last.frame { return last.gain }
    if range.upperBound <= first.frame { return first.gain }
    return nil
  }

  /// From `frame` on the gain goes to another in a straight line of `length` frames; later points are void.
  mutating func ramp(from frame: Int64, to gain: Float, length: Int64) {
    let start = self.gain(at: frame)
    points.removeAll { $0.frame >= frame }
    points.append(Point(frame: frame, gain: start))
    points.append(Point(frame: frame + max(length, 1), gain: gain))
  }

  /// Forgets the points that no frame from `frame` on depends on.
  mutating func trim(before frame: Int64) {
    while points.count > 1, points[1].frame <= frame { points.removeFirst() }
  }
}
