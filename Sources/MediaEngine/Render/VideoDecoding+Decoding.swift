internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// What happens on the decoding queue: one packet per step.
extension VideoDecoding {
  struct Step {
    var epoch: UInt64
    var run: UInt64
    var generation: Generation
    var flush: Begin?
    var decoder: (any VideoDecoder)?
  }

  func step() {
    let step = state.withLock { state -> Step? in
      state.isPosted = false
      guard !state.isClosed else { return nil }
      let step = Step(
        epoch: state.epoch, run: state.run, generation: state.generation, flush: state.flush, decoder: state.decoder)
      state.flush = nil
      return step
    }
    guard let step else { return }
    do throws(MediaError) {
      var decoder: any VideoDecoder
      if let open = step.decoder {
        decoder = open
      } else {
        decoder = try open(step.generation, threads: step.flush == nil ? .playing : .seeking)
      }
      if let flush = step.flush {
        guard moves(to: flush, step) else { return }
        decoder = try flushed(decoder, step)
      } else {
        try goOnAfterPeek(decoder, step)
        leapIfHopeless(decoder, step.generation)
        skipWhatIsOver()
      }
      if try decodeOne(decoder, step) { kick() }
    } catch {
      reports.failed(step.epoch, error)
    }
  }

  private func open(_ generation: Generation, threads use: DecoderThreads) throws(MediaError) -> any VideoDecoder {
    let lease = DecoderThreadBudget.shared.lease(use.wanted(for: track), for: environment.scheduler)
    return try open(generation, lease)
  }

  private func open(_ generation: Generation, _ lease: DecoderThreadBudget.Lease) throws(MediaError)
    -> any VideoDecoder
  {
    let decoder = try environment.backend.videoDecoder(for: track, threads: lease.threads, generation)
    state.withLock { state in
      state.decoder = decoder
      state.lease = lease
      state.needsThreads = false
    }
    return decoder
  }

  /// False when the place is held no more.
  private func moves(to begin: Begin, _ step: Step) -> Bool {
    guard case .place(let place) = begin, !buffer.move(to: place) else { return true }
    state.withLock { $0.flush = .anew }
    reports.placeLost(step.epoch)
    return false
  }

  /// A decoder that knows of no packet: the same one, or one with the threads that a seek deserves.
  private func flushed(_ decoder: any VideoDecoder, _ step: Step) throws(MediaError) -> any VideoDecoder {
    state.withLock { state in
      state.isDrained = false
      state.isFinishing = false
      state.lastTime = nil
      state.failuresInARow = 0
      state.lateFrames = 0
      state.skim = nil
      state.mayPeek = true
    }
    let isTolerant = state.withLock { $0.landing?.isTolerant ?? false }
    if !isTolerant, let lease = moreThreads() { return try open(step.generation, lease) }
    decoder.flush(step.generation)
    return decoder
  }

  /// A lease of more threads than the decoder has, if it has fewer than a seek deserves and there are any.
  private func moreThreads() -> DecoderThreadBudget.Lease? {
    let threads = state.withLock { $0.lease?.threads ?? 1 }
    let wanted = DecoderThreads.seeking.wanted(for: track)
    guard threads < wanted else { return nil }
    let lease = DecoderThreadBudget.shared.lease(wanted, for: environment.scheduler)
    return lease.threads > threads ? lease : nil
  }

  /// One thread turned out to be too slow: the next closed group of pictures is decoded with more.
  private func changesThreads(at packet: MediaPacket, _ decoder: any VideoDecoder, _ step: Step) throws(MediaError)
    -> (any VideoDecoder)?
  {
    guard packet.isKeyframe, state.withLock({ $0.needsThreads && $0.landing == nil }),
      let start = packet.presentationTime, buffer.followsInOrder(start), let lease = moreThreads()
    else { return nil }
    decoder.finish()
    while case .output(let frame) = try receive(decoder), accept(frame, step) {}
    return try open(step.generation, lease)
  }

  /// Sends one packet at most; true when there may be more to do.
  private func decodeOne(_ decoder: any VideoDecoder, _ step: Step) throws(MediaError) -> Bool {
    var decoder = decoder
    var hasSent = false
    while true {
      guard hasSpace(step.epoch) else { return false }
      switch try receive(decoder) {
      case .output(let frame):
        guard accept(frame, step) else { return true }
      case .end:
        drained(step)
        return false
      case .needsInput:
        if hasSent { return true }
        if isFarAhead() { return false }
        switch buffer.take(step.generation) {
        case .packet(let packet) where state.withLock({ $0.isSkimming }):
          if try skim(packet, decoder, step) { return true }
        case .packet(let packet):
          if peeks(at: packet) {
            if try peek(at: packet, decoder, step) { return false }
          } else if let new = try changesThreads(at: packet, decoder, step) {
            decoder = new
          }
          try send(packet, to: decoder, step)
          hasSent = true
        case .end:
          let isFirst = state.withLock { state in
            defer { state.isFinishing = true }
            return !state.isFinishing
          }
          guard isFirst else { return false }
          decoder.finish()
        case .wait:
          return false
        }
      }
    }
  }

  func receive(_ decoder: any VideoDecoder) throws(MediaError) -> Decoded<VideoFrame> {
    do {
      return try decoder.receive()
    } catch {
      try tolerate(error)
      return .needsInput
    }
  }

  func send(_ packet: MediaPacket, to decoder: any VideoDecoder, _ step: Step) throws(MediaError) {
    let maySkip = maySkip(packet)
    if maySkip, packet.isDisposable { state.withLock { $0.noteLeftOut(packet) } }
    do {
      try decoder.send(packet, skippingNonReference: maySkip)
    } catch {
      try tolerate(error)
    }
  }

  /// One damaged packet is no reason to stop; a track of which nothing can be decoded is.
  private func tolerate(_ error: MediaError) throws(MediaError) {
    let count = state.withLock { state in
      state.failuresInARow += 1
      return state.failuresInARow
    }
    if !error.isTolerable(inARow: count, limit: 250) { throw error }
  }

  /// Frames that nothing depends on may be left out when another one is to be shown at or before the wanted time.
  private func maySkip(_ packet: MediaPacket) -> Bool {
    guard let start = packet.presentationTime, packet.duration > 0, let end = packet.endTicks else { return false }
    let (goal, isRunning, keepsAll) = state.withLock {
      ($0.landing?.goal, $0.isRunning, $0.outputs.contains(where: \.takesEveryFrame))
    }
    let limit: CMTime
    switch goal {
    case .time(let target): limit = target
    case .steps: return false
    case nil:
      guard isRunning, !keepsAll else { return false }
      limit = timeline.time(of: item)
    }
    guard let ticks = track.timeBase.floorTicks(limit), end <= ticks else { return false }
    return buffer.hasPresentation(after: start, notAfter: ticks)
  }

  private func hasSpace(_ epoch: UInt64) -> Bool {
    let (isFull, outputs) = state.withLock { state -> (Bool, [VideoFrameOutput]) in
      let capacity = state.isRunning ? capacity : Self.restingCapacity
      let isFull = !state.wantsMoreThanPeek || (state.landing == nil && state.frames.count >= capacity)
      state.waitsForSpace = isFull
      return (isFull, state.landing == nil ? state.outputs : [])
    }
    guard !isFull else { return false }
    for output in outputs where output.takesEveryFrame {
      guard output.hasRoom(whenRoom: { [weak self] in self?.kick() }) else { return false }
    }
    return true
  }

  /// False when the frame came too late: a flush was asked for.
  func accept(_ frame: VideoFrame, _ step: Step) -> Bool {
    let following = buffer.nextPresentation(after: frame.presentationTime)
    let next = (time: following.ticks.map { track.timeBase.time($0) }, isCertain: following.isCertain)
    enum Result {
      case void
      case landing
      case landed(VideoFrame, UInt64)
      case queued([VideoFrameOutput], wakes: Bool)
    }
    let result = state.withLock { state -> Result in
      guard state.run == step.run, !state.isClosed else { return .void }
      state.failuresInARow = 0
      if state.isKnown(frame) { return .landing }
      state.note(frame, track)
      meter.drop(state.takeLeftOut(before: frame))
      if state.landing != nil {
        guard case .landed(let landed, let following)? = state.landing?.accept(frame, next: next) else {
          return .landing
        }
        state.landed(on: landed)
        state.beginPeek(landed)
        if let following { state.frames.append(following) }
        return .landed(landed, state.epoch)
      }
      // A damaged time far ahead must not hold back all that follow: decoders give frames in their order.
      let misplaced = state.frames.reversed().prefix { $0.time > frame.time }.count
      state.frames.removeLast(misplaced)
      meter.drop(misplaced)
      state.frames.append(frame)
      let wakes = state.someoneAwaitsFrame
      state.someoneAwaitsFrame = false
      return .queued(state.outputs, wakes: wakes)
    }
    switch result {
    case .void: return false
    case .landing: break
    case .landed(let landed, let epoch): deliverLanded(landed, epoch)
    case .queued(let outputs, let wakes):
      for output in outputs { output.put(frame, from: frame.time, of: item) }
      if wakes { reports.arrived() }
    }
    return true
  }

  func deliverLanded(_ frame: VideoFrame, _ epoch: UInt64) {
    let (outputs, ahead, target) = state.withLock { ($0.outputs, $0.frames, $0.target) }
    let from = target.map { CMTimeMinimum($0, frame.time) } ?? frame.time
    for output in outputs {
      output.flush(of: item)
      output.put(frame, from: from, of: item)
      for next in ahead { output.put(next, from: next.time, of: item) }
      output.present(frame, at: from, of: item)
    }
    reports.landed(epoch, frame)
    kick()
  }

  private func drained(_ step: Step) {
    struct End {
      var epoch: UInt64
      var isLanding: Bool
      var frame: VideoFrame?
      var end: CMTime?
      var outputs: [VideoFrameOutput]
    }
    let end = state.withLock { state -> End? in
      guard state.run == step.run, !state.isClosed else { return nil }
      state.isDrained = true
      state.endLastFrame(track)
      let isLanding = state.landing != nil
      let frame = state.landing?.end() ?? (isLanding ? state.shown : nil)
      if isLanding { state.landed(on: frame) }
      return End(
        epoch: state.epoch, isLanding: isLanding, frame: frame, end: state.lastEnd, outputs: state.outputs)
    }
    guard let end else { return }
    if end.isLanding {
      if let frame = end.frame { deliverLanded(frame, end.epoch) } else { reports.landed(end.epoch, nil) }
    }
    for output in end.outputs { output.end(of: item) }
    reports.ended(end.epoch, end.end)
  }

  func dropDecoder() {
    state.withLock { state in
      state.decoder = nil
      state.lease = nil
    }
  }
}
