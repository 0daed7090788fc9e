/// A run of an item's sound at the device's rate and layout, ungained, by sample number of item time. Pure.
///
/// It reaches from what is being heard to what was decoded last, so that any of it can be rendered again.
struct AudioLine: Sendable {
  let channelCount: Int
  /// Number of the first sample held; meaningless while empty and unplaced.
  private(set) var start: Int64 = 0
  private var samples: [Float] = []
  private var head = 0
  private(set) var isPlaced = false
  /// Number of the first sample ever held.
  private(set) var first: Int64 = 0

  init(channelCount: Int) {
    self.channelCount = max(channelCount, 1)
  }

  var count: Int64 { Int64((samples.count - head) / channelCount) }
  var end: Int64 { start + count }

  /// Says where the first sample belongs.
  mutating func place(at sample: Int64) {
    guard !isPlaced else { return }
    start = sample
    first = sample
    isPlaced = true
  }

  mutating func append(_ new: [Float]) {
    samples.append(contentsOf: new)
  }

  mutating func appendSilence(_ count: Int64) {
    guard count > 0 else { return }
    samples.appendSilence(Int(count) * channelCount)
  }

  /// What is held is wanted no more: the next sample has this number.
  mutating func jump(to sample: Int64) {
    samples.removeAll(keepingCapacity: true)
    head = 0
    start = sample
  }

  mutating func trim(before sample: Int64) {
    let drop = min(max(sample - start, 0), count)
    guard drop > 0 else { return }
    head += Int(drop) * channelCount
    start += drop
    guard head > 1 << 16, head > samples.count / 2 else { return }
    samples.removeFirst(head)
    head = 0
  }

  /// Other samples take the place of those that are held from a sample on, as many.
  mutating func replace(from sample: Int64, with new: [Float]) {
    guard sample >= start else { return }
    let from = head + Int(min(sample, end) - start) * channelCount
    let count = min(new.count, samples.count - from)
    samples.replaceSubrange(from..<from + count, with: new.prefix(count))
  }

  /// Lets go of everything from a sample on.
  mutating func cut(at sample: Int64) {
    guard sample < end else { return }
    samples.removeLast(Int(end - max(sample, start)) * channelCount)
  }

  mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    head = 0
    start = 0
    isPlaced = false
  }

  /// Adds samples from a whole number on, one to one; silence where none is held.
  func copy(from sample: Int64, count: Int, into output: inout [Float]) {
    var next = sample
    var left = Int64(count)
    let before = min(max(start - next, 0), left)
    if before > 0 {
      output.appendSilence(Int(before) * channelCount)
      next += before
      left -= before
    }
    let held = min(max(end - next, 0), left)
    if held > 0 {
      let from = head + Int(next - start) * channelCount
      output.append(contentsOf: samples[from..<from + Int(held) * channelCount])
      left -= held
    }
    output.appendSilence(Int(left) * channelCount)
  }

  /// Adds samples read at another speed (pitch changes with it), by a cubic through four neighbours.
  func resample(from position: Double, step: Double, count: Int, into output: inout [Float]) {
    for index in 0..<count {
      let place = position + Double(index) * step
      let whole = place.rounded(.down)
      let part = Float(place - whole)
      let first = Int64(whole)
      for channel in 0..<channelCount {
        let (a, b) = (sample(first - 1, channel), sample(first, channel))
        let (c, d) = (sample(first + 1, channel), sample(first + 2, channel))
        let slope = 0.5 * (c - a)
        let bend = a - 2.5 * b + 2 * c - 0.5 * d
        let twist = 0.5 * (d - a) + 1.5 * (b - c)
        output.append(b + part * (slope + part * (bend + part * twist)))
      }
    }
  }

  private func sample(_ number: Int64, _ channel: Int) -> Float {
    guard number >= start, number < end else { return 0 }
    return samples[head + Int(number - start) * channelCount + channel]
  }
}
