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
        feeder.trim(before: preparation.sample)
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

  /// Has the sound of a range decoded.
  private func supply(_ range: Range<Int64>) -> Supply {
    guard let index = segments.lastIndex(where: { $0.startFrame < range.upperBound }),
      let feeder = segments[index].feeder
    else { return .ready }
    let segment = segments[index]
    let needed = Int64(segment.sample(at: range.upperBound).rounded(.up)) + (segment.rate == 1 ? 0 : 3)
    switch feeder.decode(until: needed, packets: Self.packetsPerStep) {
    case .ready:
      clearStarving(feeder)
      return .ready
    case .ended:
      clearStarving(feeder)
      reportEnd(feeder)
      return .ready
    case .more:
      if feeder.line.end > needed - Self.chunk {
        let frame = segment.frame(of: feeder.line.end)
        if frame > range.lowerBound, frame < range.upperBound {
          postFill()
          return .until(frame)
        }
      }
      postFill()
      return .postponed
    case .starved:
      let frame = feeder.line.isPlaced ? min(segment.frame(of: feeder.line.end), range.upperBound) : range.lowerBound
      starve(feeder, segment, at: max(frame, range.lowerBound))
      return frame > range.lowerBound ? .until(frame) : .postponed
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
      let index = segments.lastIndex { $0.startFrame <= frame }
      let next = segments.first { $0.startFrame > frame }?.startFrame ?? .max
      let count = Int(min(next, range.upperBound) - frame)
      if let index, let feeder = segments[index].feeder {
        render(segments[index], feeder, frame, count)
      } else {
        scratch.appendSilence(count * sink.format.channelCount)
      }
      frame += Int64(count)
    }
    applyGain(range, sink.format.channelCount)
  }

  private func render(_ segment: AudioSegment, _ feeder: AudioFeeder, _ frame: Int64, _ count: Int) {
    let position = segment.sample(at: frame)
    if segment.rate == 1 {
      feeder.line.copy(from: Int64(position), count: count, into: &scratch)
    } else {
      feeder.line.resample(from: position, step: segment.rate, count: count, into: &scratch)
    }
    guard active?.item == feeder.item, let end = active?.endSample else { return }
    let audible = segment.rate > 0 ? segment.frame(of: end) - frame : Int64(count)
    guard audible < count else { return }
    let channels = sink?.format.channelCount ?? 1
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
      }
    }
    volume.trim(before: position)
    transport.trim(before: position)
  }
}
