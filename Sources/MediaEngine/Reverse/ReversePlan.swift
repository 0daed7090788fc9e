/// Which frames of a group of pictures are shown backward next, and what that costs. Pure.
///
/// A codec decodes forward only: the frames of a group are had backward in pieces, from its end, each decoded from the
/// group's key frame on and as long as may be held. The longer the group, the more of it is decoded again and again;
/// where that takes longer than the group is shown, only every n-th frame is kept, so that there are fewer pieces, and
/// in the end the key frame alone.
struct ReversePlan: Equatable {
  /// Times of the frames to keep, descending.
  var kept: [Int64]
  /// Only frames of earlier times come after them.
  var bound: Int64
  /// Every so many frames one is kept.
  var stride: Int

  /// Of the time that the group is shown, the part that decoding may take.
  private static let share = 0.8

  /// - Parameters:
  ///   - times: of the frames that are still to be shown, ascending, not empty; in ticks.
  ///   - key: the time of the group's key frame.
  ///   - capacity: frames that may be held, at least one.
  ///   - available: seconds for which these frames are shown.
  ///   - speed: frames decoded in a second; nil while unknown.
  init(times: [Int64], key: Int64, capacity: Int, available: Double, speed: Double?) {
    let stride = Self.stride(count: times.count, capacity: capacity, available: available, speed: speed)
    self.stride = stride
    guard stride < times.count || times.count == 1 else {
      kept = [key]
      bound = key
      return
    }
    var index = times.count - 1
    kept = []
    while index >= 0, kept.count < capacity {
      kept.append(times[index])
      index -= stride
    }
    bound = index >= 0 ? times[index] + 1 : times[0]
  }

  /// The first stride of 1, 2, 3, 4, 6, 9, … with which decoding keeps up; `count`, the key frame alone, when none does.
  static func stride(count: Int, capacity: Int, available: Double, speed: Double?) -> Int {
    guard let speed, speed > 0, available.isFinite, count > 1 else { return 1 }
    var stride = 1
    while stride < count, Double(decodes(count: count, held: stride * capacity)) / speed > available * share {
      stride += max(1, stride / 2)
    }
    return min(stride, count)
  }

  /// Frames to decode until all of a group were held once, `held` at a time.
  private static func decodes(count: Int, held: Int) -> Int {
    var (sum, rest) = (0, count)
    while rest > 0 {
      sum += rest
      rest -= held
    }
    return sum
  }
}
