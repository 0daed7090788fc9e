import CoreMedia
import MediaIO
import MediaRuntime

extension FrameExtractor {
  private var demuxer: any Demuxer { media.demuxer }

  /// Time that may be read through where there is no index.
  private static let readThrough = CMTime(value: 3, timescale: 1)

  func target(_ index: Int, _ request: ImageRequest) -> Target {
    let time = request.time
    let ticks =
      time.isNumeric
      ? floorTicks(time) : time.isPositiveInfinity ? MediaPacket.ticks.upperBound : MediaPacket.ticks.lowerBound
    func limit(_ tolerance: CMTime, _ sign: Int64) -> Int64? {
      guard tolerance.isNumeric else { return tolerance.isPositiveInfinity ? nil : ticks }
      guard tolerance > .zero, time.isNumeric else { return ticks }
      return floorTicks(sign < 0 ? time - tolerance : time + tolerance)
    }
    return Target(
      index: index, time: time, ticks: ticks, earliest: limit(request.toleranceBefore, -1),
      latest: limit(request.toleranceAfter, 1))
  }

  /// The last tick that is not behind a time.
  private func floorTicks(_ time: CMTime) -> Int64 {
    let range = MediaPacket.ticks
    guard let nearest = track.timeBase.ticks(time) else { return time < .zero ? range.lowerBound : range.upperBound }
    let clamped = min(max(nearest, range.lowerBound), range.upperBound)
    return clamped > range.lowerBound && track.timeBase.time(clamped) > time ? clamped - 1 : clamped
  }

  /// A step on the way to the packet of the first target's picture.
  func plan(_ target: Target) throws(MediaError) -> Progress {
    let ticks = detour ?? target.ticks
    // A drained decoder takes only a key frame.
    if isDraining, outstanding.isEmpty, held == nil, window.fed > 0 {
      hasPosition = false
      stage = .position
    }
    switch stage {
    case .position:
      if needsSeek(ticks) {
        guard outstanding.isEmpty else {
          drain()
          return .working
        }
        try seek(to: ticks)
      }
      stage = .reading
      return .working
    case .reading:
      if let packet = held {
        guard outstanding.isEmpty else {
          drain()
          return .working
        }
        held = nil
        restart(at: packet)
        return .working
      }
      if let answer = choose(target) { return answer }
      try readOn(ticks)
      return .working
    }
  }

  // MARK: Position

  private func needsSeek(_ ticks: Int64) -> Bool {
    guard hasPosition else { return !isUntouched || ticks > 0 }
    if let start = window.startTime, ticks < start { return true }
    guard let read = window.lastRead, ticks > read, !hasMetEnd, media.description.isSeekable else { return false }
    let time = track.timeBase.time(min(ticks, MediaPacket.ticks.upperBound))
    guard let neighbours = demuxer.keyframes(around: time, of: track.index) else {
      return time - track.timeBase.time(read) > Self.readThrough
    }
    return neighbours.before.map { $0 > track.timeBase.time(read) } ?? false
  }

  func seek(to ticks: Int64) throws(MediaError) {
    window.removeAll()
    held = nil
    flush()
    hasMetEnd = false
    hasPosition = false
    let isOnward = !media.description.isSeekable && isUntouched
    isUntouched = false
    if !isOnward {
      let end = media.description.duration
      var time = track.timeBase.time(min(max(ticks, 0), MediaPacket.ticks.upperBound))
      if end.isNumeric, !time.isNumeric || time > end { time = end }
      try demuxer.seek(to: time, generation)
    }
    hasPosition = true
  }

  // MARK: Reading

  /// Takes one packet; a later key frame that serves the target as well begins the window anew.
  private func readOn(_ ticks: Int64) throws(MediaError) {
    guard let packet = try read() else { return }
    if packet.isKeyframe, !window.isEmpty, let time = packet.presentationTime, time <= ticks {
      if outstanding.isEmpty { restart(at: packet) } else { held = packet }
      return
    }
    window.append(packet)
    if window.size > Self.heldLimit, let slot = window.slot(shownAt: ticks) { window.feed(upTo: slot) }
  }

  /// The next packet of the track; nil at the end, or when something else came.
  private func read() throws(MediaError) -> MediaPacket? {
    hasPosition = true
    isUntouched = false
    let sample: DemuxedSample
    do throws(MediaError) {
      sample = try demuxer.read(generation)
    } catch {
      guard error.code != .interrupted else { throw error }
      failure = error
      hasMetEnd = true
      return nil
    }
    switch sample {
    case .packet(let packet): return packet.track == track.index ? packet : nil
    case .description: return nil
    case .end:
      hasMetEnd = true
      return nil
    }
  }

  private func restart(at packet: MediaPacket) {
    flush()
    window.removeAll()
    window.append(packet)
  }

  // MARK: Choosing

  /// Nil: more must be read to know.
  private func choose(_ target: Target) -> Progress? {
    if window.isEmpty {
      if hasMetEnd, target.mayRewind, media.description.isSeekable {
        targets[targets.startIndex].mayRewind = false
        hasPosition = false
        stage = .position
        detour = 0
        return .working
      }
      return hasMetEnd ? fail(target, failure ?? .noImage(at: target.time, media.source.address)) : nil
    }
    let isBeforeEnd = track.timeBase.ticks(media.description.duration).map { target.ticks < $0 } ?? true
    if target.isTolerant, isBeforeEnd, let answer = chooseKeyframe(target) { return answer }
    guard hasMetEnd || window.isSure(of: target.ticks) || window.startTime == nil else { return nil }
    detour = nil
    guard let slot = window.slot(shownAt: target.ticks), let time = window.slots[slot].time else {
      return beginBlindly(target)
    }
    guard isWithin(target, time, duration: window.slots[slot].packet.duration) else {
      return fail(target, .noImage(at: target.time, media.source.address))
    }
    return expect(target, slot, time)
  }

  /// The nearest key frame, if the target allows it; only its own packet is decoded.
  private func chooseKeyframe(_ target: Target) -> Progress? {
    guard let start = window.startTime, let decode = window.startDecode else { return nil }
    let time = track.timeBase.time(min(max(target.ticks, 0), MediaPacket.ticks.upperBound))
    let neighbours = demuxer.keyframes(around: time, of: track.index)
    let next = neighbours?.after.flatMap { track.timeBase.ticks($0) }.map { $0 &+ (start &- decode) }
    func isAllowed(_ ticks: Int64) -> Bool {
      target.earliest.map { $0 <= ticks } ?? true && target.latest.map { $0 >= ticks } ?? true
    }
    if detour == nil, target.mayDetour, let next, next > start, isAllowed(next),
      !isAllowed(start) || next &- target.ticks < target.ticks &- start
    {
      detour = next
      targets[targets.startIndex].mayDetour = false
      stage = .position
      return .working
    }
    // Reading on tells whether another key frame lies before the target, where an index does not.
    let before = neighbours?.before.flatMap { track.timeBase.ticks($0) }
    let isNearest = before.map { $0 <= decode } ?? (hasMetEnd || window.isSure(of: target.ticks))
    guard isNearest || detour != nil else { return nil }
    guard isAllowed(start) else {
      if detour != nil {
        detour = nil
        stage = .position
        return .working
      }
      return nil
    }
    if let last, last.presentationTime == start { return answer(target, last) }
    // The decoder is beyond it: it comes again from a seek.
    guard window.fed == 0 else {
      hasPosition = false
      stage = .position
      return .working
    }
    return expect(target, 0, start)
  }

  /// Whether a frame's span meets what the target allows. Before the first picture that one is shown, as players do;
  /// the last one is shown to the end of the media.
  private func isWithin(_ target: Target, _ time: Int64, duration: Int64) -> Bool {
    if time > target.ticks {
      return target.ticks >= 0 || target.latest.map { $0 >= time } ?? true
    }
    guard hasMetEnd, !window.slots.contains(where: { ($0.time ?? .min) > target.ticks }) else { return true }
    let end = end(after: time, duration: duration)
    return target.ticks < end || target.earliest.map { $0 < end } ?? true
  }

  /// The last picture stays to the end of the media, unless that is missing.
  func end(after time: Int64, duration: Int64) -> Int64 {
    let own = time &+ max(duration, 1)
    guard !media.description.isCutShort, failure == nil else { return own }
    return max(own, track.timeBase.ticks(media.description.duration) ?? own)
  }

  private func expect(_ target: Target, _ slot: Int, _ time: Int64) -> Progress {
    if slot < window.fed, let last, last.presentationTime == time { return answer(target, last) }
    targets.removeFirst()
    stage = .position
    detour = nil
    window.want(slot)
    outstanding.append(Outstanding(target: target, packetTime: time))
    return .working
  }

  private func answer(_ target: Target, _ frame: VideoFrame) -> Progress {
    targets.removeFirst()
    stage = .position
    detour = nil
    return .found(target.index, frame)
  }

  // MARK: Without the container's times

  private func beginBlindly(_ target: Target) -> Progress {
    isTimeless = isTimeless || window.startTime == nil
    targets[targets.startIndex].isBlind = true
    // What was fed and skipped can't be had any more.
    if window.fed > 0 { hasPosition = false }
    stage = .reading
    return .working
  }

  /// Decodes everything on the way and goes by the frames that come out.
  func advanceBlindly(_ target: Target) throws(MediaError) -> Progress {
    let isSameRun = outstanding.contains { $0.packetTime == nil }
    let isFar = window.lastRead.map { target.ticks > $0 } ?? true && needsSeek(target.ticks)
    if isSameRun, !hasMetEnd { return try readBlindly() }
    if !outstanding.isEmpty {
      drain()
      return .working
    }
    let isBehind = last.map { $0.presentationTime > target.ticks } ?? false
    do throws(MediaError) {
      if !hasPosition && (!isUntouched || target.ticks > 0) || isFar || isBehind || isDraining || hasMetEnd {
        try seek(to: target.ticks)
        last = nil
      }
    } catch {
      guard error.code != .interrupted else { throw error }
      return fail(target, error)
    }
    targets.removeFirst()
    stage = .position
    outstanding.append(Outstanding(target: target, packetTime: nil, candidate: last))
    window.feed(upTo: window.slots.count)
    return .working
  }

  func readBlindly() throws(MediaError) -> Progress {
    if let packet = try read() {
      window.append(packet)
      window.feed(upTo: window.slots.count)
    }
    if hasMetEnd { drain() }
    return .working
  }
}
