/// The frames of a line between what was heard and what was written, in a ring indexed by frame number.
///
/// All memory is taken at creation. Not thread-safe: its owner sees to that.
package final class FrameStore {
  package let channelCount: Int
  /// Frames that fit.
  package let capacity: Int
  /// The first frame kept.
  package private(set) var start: Int64 = 0
  /// The frame after the last one kept.
  package private(set) var end: Int64 = 0
  private let samples: UnsafeMutableBufferPointer<Float>
  private let mask: Int64

  /// - Parameter capacity: at least this many frames; rounded up to a power of two.
  package init(capacity: Int, channelCount: Int) {
    var size = 1
    while size < capacity { size <<= 1 }
    self.capacity = size
    self.channelCount = max(channelCount, 1)
    mask = Int64(size - 1)
    // Not touched before it is used: the pages of a line that never fills cost nothing.
    samples = .allocate(capacity: size * self.channelCount)
  }

  deinit { samples.deallocate() }

  /// Where the frame's samples are, and how many frames lie beside it in memory.
  private func slot(_ frame: Int64) -> (index: Int, run: Int) {
    let position = Int(frame & mask)
    return (position * channelCount, capacity - position)
  }

  /// Stores frames; those before `start` and those that do not fit are left out.
  /// A hole between `end` and the first frame becomes silence.
  /// - Returns: the frames stored.
  @discardableResult
  package func write(_ source: UnsafeBufferPointer<Float>, at frame: Int64) -> Range<Int64> {
    let first = max(frame, start)
    let last = min(frame + Int64(source.count / channelCount), start + Int64(capacity))
    guard first < last else { return first..<first }
    if first > end { silence(end..<first) }
    var next = first
    while next < last {
      let (index, run) = slot(next)
      let count = min(Int(last - next), run)
      let from = Int(next - frame) * channelCount
      _ = UnsafeMutableBufferPointer(rebasing: samples[index..<index + count * channelCount])
        .update(fromContentsOf: UnsafeBufferPointer(rebasing: source[from..<from + count * channelCount]))
      next += Int64(count)
    }
    end = max(end, last)
    return first..<last
  }

  /// Fills frames with silence and extends the line over them.
  private func silence(_ frames: Range<Int64>) {
    var next = max(frames.lowerBound, start)
    let last = min(frames.upperBound, start + Int64(capacity))
    while next < last {
      let (index, run) = slot(next)
      let count = min(Int(last - next), run)
      UnsafeMutableBufferPointer(rebasing: samples[index..<index + count * channelCount]).update(repeating: 0)
      next += Int64(count)
    }
    end = max(end, last)
  }

  package func truncate(at frame: Int64) {
    end = max(start, min(end, frame))
  }

  /// Forgets frames that were heard.
  package func discard(before frame: Int64) {
    start = max(start, frame)
    end = max(end, start)
  }

  /// Hands out stored frames in one or two pieces; frames outside of what is stored are left out.
  package func forEachRun(
    in frames: Range<Int64>, _ body: (_ samples: UnsafeBufferPointer<Float>, _ frame: Int64) -> Void
  ) {
    var next = max(frames.lowerBound, start)
    let last = min(frames.upperBound, end)
    while next < last {
      let (index, run) = slot(next)
      let count = min(Int(last - next), run)
      body(UnsafeBufferPointer(rebasing: samples[index..<index + count * channelCount]), next)
      next += Int64(count)
    }
  }
}
