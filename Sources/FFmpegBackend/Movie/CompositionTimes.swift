/// When samples are shown, by the tables of their durations and composition offsets (ISO 14496-12, 8.6.1).
enum CompositionTimes {
  /// Where the last of them ends, in the track's ticks; nil where that does not fit.
  /// - Parameters:
  ///   - times: the content of `stts`.
  ///   - offsets: the content of `ctts`, if there is one.
  static func end(times: ByteCursor, offsets: ByteCursor?) -> Int64? {
    var (times, offsets) = (times, offsets)
    times.skip(4)
    offsets?.skip(8)
    var (offset, sharing) = (Int64(0), Int64(0))
    var (decoded, end) = (Int64(0), Int64(0))
    var runs = times.u32() ?? 0
    while runs > 0, let count = times.u32(), let stated = times.u32() {
      runs -= 1
      // A delta beyond 31 bits is a negative one of a broken writer.
      let delta = stated > UInt32(Int32.max) ? 1 : Int64(stated)
      var left = Int64(count)
      while left > 0 {
        if sharing == 0 {
          if let count = offsets?.u32(), let next = offsets?.i32() {
            (offset, sharing) = (Int64(next), Int64(count))
          } else {
            (offset, sharing) = (0, .max)
          }
          continue
        }
        let step = min(left, sharing)
        let (sum, overflow) = decoded.addingReportingOverflow(step &* delta)
        guard !overflow, sum < 1 << 62 else { return nil }
        // Of samples alike the last one ends last.
        decoded = sum
        end = max(end, decoded + offset)
        left -= step
        sharing -= step
      }
    }
    return end
  }
}
