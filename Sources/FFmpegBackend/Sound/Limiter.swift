/// Keeps samples within full scale by turning the level down before a peak arrives, five milliseconds ahead.
///
/// Takes finite samples (`FrameSamples` gives no others). Below full scale every sample passes bit by bit. As many frames come out as go in, `delay` frames later.
struct Limiter {
  private let channels: Int
  /// Frames of look-ahead.
  private let window: Int
  private let release: Float
  private var delayed: [Float]
  /// Gains that each of the last `window` frames needs, smoothed for release.
  private var gains: [Float]
  private var gainSum: Double
  /// How many of `gains` are below one.
  private var reduced = 0
  /// The least gain needed within the window: (frame, gain), gains ascending.
  private var minima: [(frame: Int, gain: Float)] = []
  private var firstMinimum = 0
  private var released: Float = 1
  private var frame = 0
  /// The last frame that needs turning down; far away at first.
  private var lastLoud = Int.min / 2
  private var slot = 0

  init(channels: Int, sampleRate: Int) {
    self.channels = max(channels, 1)
    window = max(sampleRate * 5 / 1_000, 1)
    // Back to full level with a time constant of 60 ms.
    release = 1 / max(Float(sampleRate) * 0.06, 1)
    delayed = [Float](repeating: 0, count: window * self.channels)
    gains = [Float](repeating: 1, count: window)
    gainSum = Double(window)
  }

  /// Frames inside that have not come out.
  var pending: Int { min(frame, window) }
  var delay: Int { window }

  /// Takes interleaved frames and appends as many as are due.
  mutating func process(_ input: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    let count = input.count / channels
    output.reserveCapacity(output.count + input.count)
    if isCalm, input.allSatisfy({ abs($0) <= 1 }) { return pass(input, into: &output) }
    for index in 0..<count {
      var peak: Float = 0
      for channel in 0..<channels { peak = max(peak, abs(input[index * channels + channel])) }
      step(needing: peak > 1 ? 1 / peak : 1)
      let gain = reduced == 0 ? 1 : Float(gainSum / Double(window))
      let isDue = frame > window
      for channel in 0..<channels {
        let place = slot * channels + channel
        if isDue { output.append(limit(delayed[place], gain)) }
        delayed[place] = input[index * channels + channel]
      }
      slot = slot + 1 == window ? 0 : slot + 1
    }
  }

  /// Nothing inside is loud or turned down.
  private var isCalm: Bool { reduced == 0 && released == 1 && frame - lastLoud > window }

  /// Delays frames none of which is loud while nothing is turned down, whole stretches at once.
  private mutating func pass(_ input: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    minima.removeAll(keepingCapacity: true)
    firstMinimum = 0
    var left = input.prefix(input.count / channels * channels)
    while !left.isEmpty {
      let isDue = frame >= window
      let frames = min(left.count / channels, window - slot, isDue ? .max : window - frame)
      let place = slot * channels..<(slot + frames) * channels
      if isDue { output.append(contentsOf: delayed[place]) }
      delayed.replaceSubrange(place, with: left.prefix(frames * channels))
      left = left.dropFirst(frames * channels)
      slot = slot + frames == window ? 0 : slot + frames
      frame += frames
    }
  }

  /// What is still inside, at the end.
  mutating func drain(into output: inout [Float]) {
    let left = pending
    guard left > 0 else { return }
    // Frames that filled an incomplete window lie from the start on.
    var place = frame >= window ? slot : 0
    for _ in 0..<left {
      step(needing: 1)
      let gain = reduced == 0 ? 1 : Float(gainSum / Double(window))
      for channel in 0..<channels { output.append(limit(delayed[place * channels + channel], gain)) }
      place = place + 1 == window ? 0 : place + 1
    }
    self = Limiter(channels: channels, window: window, release: release)
  }

  private init(channels: Int, window: Int, release: Float) {
    self.channels = channels
    self.window = window
    self.release = release
    delayed = [Float](repeating: 0, count: window * channels)
    gains = [Float](repeating: 1, count: window)
    gainSum = Double(window)
  }

  /// The mean of what the window needs is below one only by rounding where it matters.
  private func limit(_ sample: Float, _ gain: Float) -> Float {
    gain == 1 ? (abs(sample) <= 1 ? sample : min(max(sample, -1), 1)) : min(max(sample * gain, -1), 1)
  }

  private mutating func step(needing gain: Float) {
    if gain < 1 { lastLoud = frame }
    while minima.count > firstMinimum, let last = minima.last, last.gain >= gain { minima.removeLast() }
    minima.append((frame, gain))
    if minima.count > firstMinimum, minima[firstMinimum].frame <= frame - window - 1 { firstMinimum += 1 }
    if firstMinimum > 1_024 {
      minima.removeFirst(firstMinimum)
      firstMinimum = 0
    }
    let least = firstMinimum < minima.count ? minima[firstMinimum].gain : 1
    released = min(least, released + (1 - released) * release)
    if released > 0.999_99, least == 1 { released = 1 }
    let place = frame % window
    let old = gains[place]
    reduced += (released < 1 ? 1 : 0) - (old < 1 ? 1 : 0)
    gainSum += Double(released) - Double(old)
    if reduced == 0 { gainSum = Double(window) }
    gains[place] = released
    frame += 1
  }
}
