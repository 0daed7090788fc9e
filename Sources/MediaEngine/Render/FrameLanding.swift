internal import CoreMedia

/// Finds the frame of a seek's target among frames that come in presentation order. Pure.
///
/// The frame of a time is the one whose [own time, next frame's time) holds it; before the first frame it is the first,
/// after the last one the last.
struct FrameLanding: Sendable {
  enum Goal: Hashable, Sendable {
    case time(CMTime)
    /// So many frames after the one shown.
    case steps(Int)
  }

  enum Outcome: Sendable {
    case goOn
    /// The frame of the target, and the one after it if it was decoded already.
    case landed(VideoFrame, following: VideoFrame?)
  }

  private(set) var goal: Goal
  private(set) var candidate: VideoFrame?
  /// The first frame lands if its time lies within; used up by it.
  private var tolerance: ClosedRange<CMTime>?

  /// - Parameter candidate: the last frame before, when decoding just goes on.
  init(_ goal: Goal, tolerance: ClosedRange<CMTime>? = nil, candidate: VideoFrame? = nil) {
    self.goal = goal
    self.tolerance = tolerance
    self.candidate = candidate
  }

  var isTolerant: Bool { tolerance != nil }

  /// Whether a first frame of this time would land.
  func takesFirst(at time: CMTime) -> Bool { tolerance?.contains(time) ?? false }

  /// - Parameter next: the presentation time that follows the frame's, as far as known; `isCertain` when none is earlier.
  mutating func accept(_ frame: VideoFrame, next: (time: CMTime?, isCertain: Bool)) -> Outcome {
    if let range = tolerance {
      tolerance = nil
      if range.contains(frame.time) { return .landed(frame, following: nil) }
    }
    switch goal {
    case .steps(let count):
      if count <= 1 { return .landed(frame, following: nil) }
      goal = .steps(count - 1)
      candidate = frame
      return .goOn
    case .time(let target):
      guard frame.time <= target else {
        if let candidate { return .landed(candidate, following: frame) }
        return .landed(frame, following: nil)
      }
      candidate = frame
      if next.isCertain, let time = next.time, time > target { return .landed(frame, following: nil) }
      return .goOn
    }
  }

  /// No frame follows: the last one it is.
  func end() -> VideoFrame? { candidate }
}
