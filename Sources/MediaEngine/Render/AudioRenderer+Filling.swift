internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// From the items' lines to the sink: supply, gain, writing, and writing again.
extension AudioRenderer {
  /// Decodes for those who prepare, then fills the sink.
  func work() {
    for (item, preparation) in preparing.sorted(by: { $0.key.number < $1.key.number }) {
      guard let feeder = feeders[item] else { continue }
      let wanted = preparation.sample + Int64((sink?.format.sampleRate ?? 48_000) / 10)
      switch feeder.decode(until: wanted, packets: Self.packetsPerStep) {
      case .ready, .ended:
        // A stretcher wants what lies before its first sample.
        feeder.trim(before: preparation.sample - Int64((sink?.format.sampleRate ?? 48_000) / 4))
        preparing[item] = nil
        // The end first: who hears that all is prepared must know whether there is anything.
        reportEnd(feeder)
        reports.prepared(item, preparation.epoch)
      case .more: kick()
      case .starved: break
      }
    }
    fill()
  }

  func fill() {
    guard let sink, isRunning else { return }
    let position = sink.position().frame
    let goal =
      max(position, nextFrame > sink.writtenEnd ? position : min(nextFrame, position)) + sink.targetFrames + extraFrames
    write(to: max(goal, sink.writtenEnd))
    markEnd(sink)
    tidy(position)
    // All of it came too late: a sink that has got nothing new does not ask again.
    if nextFrame >= goal, nextFrame <= sink.rewriteFloor { postFill() }
  }

  func rewrite(from frame: Int64) {
    guard let sink else { return }
    let end = sink.writtenEnd
    nextFrame = min(frame, end)
    if isRunning { fill() } else { write(to: end) }
  }

  /// Renders and writes up to a frame, as far as there is sound and the sink takes it.
  func write(to goal: Int64) {
    guard let sink else { return }
    while nextFrame < goal {
      var end = min(nextFrame + Self.chunk, goal)
      if isRunning {
        switch supply(nextFrame..<end) {
        case .ready: break
        case .until(let frame): end = frame
        case .postponed: return
        }
      }
      guard end > nextFrame else { return }
      scratch.removeAll(keepingCapacity: true)
      render(nextFrame..<end)
      let count = Int(end - nextFrame)
      let taken = scratch.withUnsafeBufferPointer { sink.write($0, at: nextFrame) }
      nextFrame += Int64(taken)
      if taken < count { return }
    }
  }

  private enum Supply {
    case ready
    /// Only up to a frame for now.
    case until(Int64)
    case postponed
  }

  /// Has the sound of a range decoded, stretch by stretch.
  private func supply(_ range: Range<Int64>) -> Supply {
    guard let last = segments.lastIndex(where: { $0.startFrame < range.upperBound }) else { return .ready }
    let first = segments.lastIndex { $0.startFrame <= range.lowerBound } ?? 0
    for index in first...last {
      let end = index < last ? segments[index + 1].startFrame : range.upperBound
      let part = max(segments[index].startFrame, range.lowerBound)..<end
      let supplied = supply(part, of: segments[index])
      if case .ready = supplied { continue }
      // What lies before this stretch is there.
      if case .postponed = supplied, part.lowerBound > range.lowerBound { return .until(part.lowerBound) }
      return supplied
    }
    return .ready
  }

  private func supply(_ range: Range<Int64>, of segment: AudioSegment) -> Supply {
    guard let feeder = segment.feeder else { return .ready }
    let needed = Int64(segment.sample(at: range.upperBound).rounded(.up)) + (segment.isPlain ? 0 : 3)
    let progress =
      segment.stretched?.render(until: range.upperBound, packets: Self.packetsPerStep)
      ?? feeder.decode(until: needed, packets: Self.packetsPerStep)
    /// How far the sound reaches that is there.
    let frame = segment.stretched?.end ?? (feeder.line.isPlaced ? segment.frame(of: feeder.line.end) : range.lowerBound)
    switch progress {
    case .ready:
      clearStarving(feeder)
      return .ready
    case .ended:
      clearStarving(feeder)
      reportEnd(feeder)
      return .ready
    case .more:
      postFill()
      return frame > range.lowerBound && frame < range.upperBound ? .until(frame) : .postponed
    case .starved:
      let reached = min(frame, range.upperBound)
      starve(feeder, segment, at: max(reached, range.lowerBound))
      return reached > range.lowerBound ? .until(reached) : .postponed
    }
  }

  private func postFill() {
    guard !isFillPosted else { return }
    isFillPosted = true
    queue.post("decode sound") { [weak self] in
      self?.isFillPosted = false
      self?.fill()
    }
  }

  private func render(_ range: Range<Int64>) {
    guard let sink else { return }
    scratch.reserveCapacity(range.count * sink.format.channelCount)
    var frame = range.lowerBound
    while frame < range.upperBound {
      let next = segments.first { $0.startFrame > frame }?.startFrame ?? .max
      let count = Int(min(next, range.upperBound) - frame)
      if let segment = segments.last(where: { $0.startFrame <= frame }) {
        render(segment, frame, count, sink.format)
      } else {
        scratch.appendSilence(count * sink.format.channelCount)
      }
      frame += Int64(count)
    }
    applyGain(range, sink.format.channelCount)
  }

  private func render(_ segment: AudioSegment, _ frame: Int64, _ count: Int, _ format: AudioDeviceFormat) {
    let channels = format.channelCount
    let start = scratch.count
    segment.render(from: frame, count: count, channels: channels, into: &scratch)
    if let old = segment.fading.first {
      let length = Int64(format.sampleRate / 100)
      let shared = Int(min(max(segment.startFrame + length - frame, 0), Int64(count)))
      fading.removeAll(keepingCapacity: true)
      old.render(from: frame, count: shared, channels: channels, into: &fading)
      for index in fading.indices {
        let part = Float(frame - segment.startFrame + Int64(index / channels)) / Float(length)
        scratch[start + index] = fading[index] + (scratch[start + index] - fading[index]) * part
      }
    }
    guard let feeder = segment.feeder, active?.item == feeder.item, let end = active?.endSample else { return }
    let audible = segment.rate > 0 ? segment.frame(of: end) - frame : Int64(count)
    guard audible < count else { return }
    let from = scratch.count - (count - Int(max(audible, 0))) * channels
    for index in max(from, 0)..<scratch.count { scratch[index] = 0 }
  }

  private func applyGain(_ range: Range<Int64>, _ channels: Int) {
    if let volume = volume.constant(over: range), let transport = transport.constant(over: range) {
      let gain = volume * transport
      guard gain != 1 else { return }
      for index in scratch.indices { scratch[index] *= gain }
      return
    }
    var index = 0
    for frame in range {
      let gain = volume.gain(at: frame) * transport.gain(at: frame)
      for _ in 0..<channels {
        scratch[index] *= gain
        index += 1
      }
    }
  }

  /// Lets go of what can't be heard any more.
  private func tidy(_ position: Int64) {
    if let current = segments.lastIndex(where: { $0.startFrame <= position }) {
      segments.removeFirst(current)
      if let segment = segments.first, let feeder = segment.feeder {
        let margin = Int64((sink?.format.sampleRate ?? 48_000) / 4)
        feeder.trim(before: Int64(segment.sample(at: position)) - margin)
        segment.stretched?.trim(before: position - margin)
      }
    }
    volume.trim(before: position)
    transport.trim(before: position)
  }
}
