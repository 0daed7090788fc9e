/// A track's line of sound, and what an app's tap makes of it.
///
/// With a tap the sound is kept as it was decoded too, for as long as it may be heard, so that another tap, or none,
/// acts on what is queued already.
struct TappedLine: Sendable {
  private(set) var line: AudioLine
  private var decoded: AudioLine?
  private var tap: (any SoundTap)?
  private var format: AudioDeviceFormat?
  private var isPrepared = false
  private var isDiscontinuous = true

  init() { line = AudioLine(channelCount: 2) }

  /// Lets go of everything; what follows lies anywhere.
  mutating func restart(_ format: AudioDeviceFormat) {
    if format != self.format { unprepare() }
    self.format = format
    line = AudioLine(channelCount: format.channelCount)
    decoded = tap == nil ? nil : line
    isDiscontinuous = true
  }

  mutating func close() {
    line.removeAll()
    decoded = nil
    unprepare()
    tap = nil
  }

  mutating func place(at sample: Int64) {
    line.place(at: sample)
    decoded?.place(at: sample)
  }

  mutating func append(_ samples: [Float]) {
    guard tap != nil, !samples.isEmpty else { return line.append(samples) }
    decoded?.append(samples)
    let made = tapped(samples, from: line.end)
    line.append(made)
  }

  mutating func appendSilence(_ count: Int64) {
    guard tap != nil, count > 0 else { return line.appendSilence(count) }
    append([Float](repeating: 0, count: Int(count) * line.channelCount))
  }

  mutating func jump(to sample: Int64) {
    line.jump(to: sample)
    decoded?.jump(to: sample)
    isDiscontinuous = true
  }

  mutating func trim(before sample: Int64) {
    line.trim(before: sample)
    decoded?.trim(before: sample)
  }

  /// From a sample on the sound goes through another tap, or through none.
  /// - Returns: whether it does.
  @discardableResult mutating func setTap(_ new: (any SoundTap)?, from sample: Int64) -> Bool {
    guard new !== tap else { return false }
    let source = decoded ?? line
    unprepare()
    tap = new
    decoded = new == nil ? nil : source
    isDiscontinuous = true
    guard let format, source.isPlaced else { return true }
    let from = max(sample, source.start)
    guard from < source.end else { return true }
    let count = Int(source.end - from)
    var (before, after): ([Float], [Float]) = ([], [])
    line.copy(from: from, count: count, into: &before)
    source.copy(from: from, count: count, into: &after)
    after = tapped(after, from: from)
    // Over ten milliseconds, so that the change is no click.
    let faded = min(format.sampleRate / 100, count)
    for index in 0..<faded * format.channelCount {
      let part = Float(index / format.channelCount) / Float(faded)
      after[index] = before[index] + (after[index] - before[index]) * part
    }
    line.replace(from: from, with: after)
    return true
  }

  private mutating func tapped(_ samples: [Float], from start: Int64) -> [Float] {
    guard let tap, let format else { return samples }
    if !isPrepared { tap.prepare(format) }
    isPrepared = true
    var piece = TappedSound(samples: samples, format: format, start: start, isDiscontinuous: isDiscontinuous)
    isDiscontinuous = false
    tap.process(&piece)
    return piece.samples.count == samples.count ? piece.samples : samples
  }

  private mutating func unprepare() {
    if isPrepared { tap?.unprepare() }
    isPrepared = false
  }
}
