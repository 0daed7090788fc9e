internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// Reaching a place in the item: the start, seeks, steps.
extension ItemPipeline {
  /// How long an older seek may go on when a newer one comes and nothing was shown for a while.
  private static let deferral = Nanoseconds.milliseconds(50)
  private static let showsAtLeastEvery = Nanoseconds.milliseconds(150)
  /// While paused, sound is decoded this much later than the picture lands: someone who scrubs seeks again before.
  private static let soundAfter = Nanoseconds.milliseconds(150)
  /// Seconds of sound behind what is shown after which packets are passed over.
  private static let mostSoundPutOff = 4.0

  // MARK: Commands

  func seek(_ request: SeekRequest) {
    deferredSteps = nil
    switch phase {
    case .opening: startRequest = request
    case .preparing: land(on: request)
    case .ready: seekWhileReady(request)
    case .failed, .closed: break
    }
  }

  /// While scrubbing, a running seek gets a moment to show its picture; only the newest target waits.
  private func seekWhileReady(_ request: SeekRequest) {
    let now = environment.scheduler.now
    let shownLately = lastLandedAt.map { now - $0 < Self.showsAtLeastEvery } ?? false
    guard let landing, landing.request != nil, video != nil, !shownLately else { return land(on: request) }
    let isFirst = deferred == nil
    deferred = request
    guard isFirst else { return }
    let ticket = Ticket()
    deferTicket = ticket
    control.post("seek to newest target", after: Self.deferral, ticket: ticket) { [weak self] in
      self?.seekDeferred()
    }
  }

  private func seekDeferred() {
    deferTicket?.cancel()
    deferTicket = nil
    guard let request = deferred, phase == .ready else { return }
    deferred = nil
    land(on: request)
  }

  /// Moves the item to where `run` wants it before it starts.
  func landForRun(at time: CMTime) {
    begin(target: clamp(time), request: nil, step: nil, isRunTarget: true, tolerance: nil)
  }

  /// Places everything where time stands: something else than this item's own decoding has led there.
  func landAnew() {
    guard isLanded else { return }
    begin(target: clamp(timeline.time(of: id)), request: nil, step: nil, isRunTarget: false, tolerance: nil)
  }

  func step(by count: Int, id stepID: SeekID) {
    guard phase == .ready, let video else { return tellStepped(stepID) }
    if landing != nil || deferred != nil {
      let (sum, overflow) = (deferredSteps?.count ?? 0).addingReportingOverflow(count)
      deferredSteps = (overflow ? count : sum, stepID)
      return
    }
    guard count != 0 else { return tellStepped(stepID) }
    if count > 0 {
      let landing = newLanding(target: timeline.time(of: id), request: nil, step: stepID)
      self.landing = landing
      self.landing?.takesFrameTime = true
      video.land(.steps(count), from: .here, epoch: epoch, generation: sourceGeneration)
      return
    }
    guard let shown = video.status.shown else { return tellStepped(stepID) }
    let back = Int(clamping: count.magnitude)
    let held = video.buffer.presentation(back, before: shown.presentationTime)
    let target = held.map { video.track.timeBase.time($0) } ?? guess(back, before: shown, video.track)
    begin(target: CMTimeMaximum(target, .zero), request: nil, step: stepID, isRunTarget: false, tolerance: nil)
  }

  /// There is no other frame to go to.
  private func tellStepped(_ stepID: SeekID) {
    hooks.emit(.landed(id, stepID, at: timeline.time(of: id)))
  }

  /// Where the frame `count` earlier must be in media of an even frame rate.
  private func guess(_ count: Int, before frame: VideoFrame, _ track: MediaTrack) -> CMTime {
    var duration = frame.timeBase.time(frame.duration)
    if frame.duration <= 0 {
      duration = CMTime(seconds: 1 / max(track.video?.nominalFrameRate ?? 25, 1), preferredTimescale: 90_000)
    }
    let back = CMTimeMultiplyByFloat64(duration, multiplier: Double(count) - 0.5)
    return frame.time - back
  }

  // MARK: Landing

  func land(on request: SeekRequest?, initialOf media: OpenedMedia? = nil) {
    let target = clamp(request?.target ?? .zero)
    begin(
      target: target, request: request, step: nil, isRunTarget: false, tolerance: request.flatMap { range($0, target) },
      initialOf: media)
  }

  private func newLanding(target: CMTime, request: SeekRequest?, step: SeekID?) -> Landing {
    epoch &+= 1
    deferred = nil
    deferTicket?.cancel()
    isSoundPrepared = false
    cancelPostponedSound()
    isVideoDrained = false
    isAudioDrained = false
    videoEnd = nil
    audioEnd = nil
    if isVideoGivenUp {
      isVideoGivenUp = false
      video?.buffer.setPassive(nil)
    }
    return Landing(
      epoch: epoch, request: request, step: step, target: target, takesFrameTime: step != nil, isRunTarget: false)
  }

  func begin(
    target: CMTime, request: SeekRequest?, step: SeekID?, isRunTarget: Bool, tolerance: ClosedRange<CMTime>?,
    initialOf media: OpenedMedia? = nil
  ) {
    let old = landing
    for output in subtitleOutputs { output.flush(of: id) }
    var new = newLanding(target: target, request: request, step: step)
    new.isRunTarget = isRunTarget
    landing = new
    if let media, target <= .zero {
      if media.isAtStart { loops.first?.start() } else { seekSource(target, restartsVideo: false) }
      video?.land(.time(target), from: .here, epoch: epoch, generation: sourceGeneration)
      if video == nil { landWithoutPicture(fromBuffer: false) } else { prepareSound(fromBuffer: false) }
      return
    }
    guard sourceFailure == nil, media == nil else { return seekSource(target, tolerance) }
    if let video, goesOn(video, to: target, after: old) {
      video.land(.time(target), from: .here, epoch: epoch, generation: sourceGeneration)
      return
    }
    guard let place = placeHeld(for: target, hasTolerance: tolerance != nil) else {
      return seekSource(target, tolerance)
    }
    if let video, let place {
      video.land(
        .time(target), tolerance: tolerance, from: .place(place), epoch: epoch, generation: sourceGeneration)
    } else {
      landWithoutPicture(fromBuffer: true)
    }
  }

  /// The sound decides when a landing is over; where nothing plays, it is over at once.
  func landWithoutPicture(fromBuffer: Bool) {
    if feeder != nil { prepareSound(fromBuffer: fromBuffer) } else { completeLanding(nil) }
  }

  /// Whether decoding on from where the decoder is comes to the target first.
  private func goesOn(_ video: VideoDecoding, to target: CMTime, after old: Landing?) -> Bool {
    let status = video.status
    guard status.canContinue else { return false }
    if status.isLanding {
      guard let old, old.step == nil, old.target <= target else { return false }
    } else {
      guard let shown = status.shown, shown.time <= target else { return false }
    }
    if let range = feeder?.buffer.loadedRange, range.start > target { return false }
    if let place = video.buffer.place(for: target) { return !place.isAhead }
    return video.buffer.isReachedByReadingOn(target)
  }

  /// Where all playing tracks can be decoded from without moving the source; the picture's place, if there is one.
  /// Nil when the source must move.
  private func placeHeld(for target: CMTime, hasTolerance: Bool) -> PacketStore.Place?? {
    if let feeder, feeder.buffer.soundPlace(for: target, preroll: AudioFeeder.preroll) == nil { return nil }
    guard let video else { return feeder == nil ? nil : .some(nil) }
    guard let place = video.buffer.place(for: target) else { return nil }
    let heardFrom = hasTolerance ? CMTimeMinimum(video.track.timeBase.time(place.ticks), target) : target
    // Over a network the bytes are worth more than the few milliseconds of sound that a cold decoder gets wrong.
    if isLocal, let feeder, !feeder.buffer.holdsSound(before: heardFrom, AudioFeeder.preroll) { return nil }
    return .some(place)
  }

  /// Empties the buffers and reads anew from where the target needs it.
  func seekSource(_ target: CMTime, _ tolerance: ClosedRange<CMTime>? = nil, restartsVideo: Bool = true) {
    sourceGeneration = sourceGeneration.next
    sourceFailure = nil
    loseSubtitles(before: target)
    let mayRest = isLocal && tolerance != nil && landing?.request?.isPaused == true
    for loop in loops {
      loop.seek(
        to: target, sourceGeneration, showsKeyframe: tolerance != nil, restsBehind: mayRest ? video?.track.index : nil)
    }
    guard restartsVideo else { return }
    video?.land(
      .time(target), tolerance: tolerance, from: .anew, epoch: epoch, generation: sourceGeneration)
    if video == nil { landWithoutPicture(fromBuffer: false) }
  }

  func prepareSound(fromBuffer: Bool = true) {
    cancelPostponedSound()
    guard feeder != nil else { return }
    let target = landing?.target ?? timeline.time(of: id)
    isSoundPrepared = false
    audio.prepare(id, at: target, fromBuffer: fromBuffer, generation: sourceGeneration, epoch: epoch)
  }

  private func postponeSound() {
    let ticket = Ticket()
    soundTicket = ticket
    control.post("prepare sound", after: Self.soundAfter, ticket: ticket) { [weak self] in self?.hurrySound() }
    // Steps in quick succession would pile up the sound of all that they pass.
    if let feeder, feeder.buffer.level.aheadSeconds > Self.mostSoundPutOff {
      audio.passOver(id, to: timeline.time(of: id))
    }
  }

  /// The source gets ahead again if it rests behind a picture.
  func readOn() {
    for loop in loops { loop.readOn() }
  }

  func cancelPostponedSound() {
    soundTicket?.cancel()
    soundTicket = nil
  }

  /// Prepares the sound at once if it was put off.
  func hurrySound() {
    guard soundTicket != nil, phase == .ready, landing == nil else { return }
    readOn()
    prepareSound()
  }

  func videoLanded(_ epoch: UInt64, _ frame: VideoFrame?) {
    guard self.epoch == epoch, landing != nil else { return }
    if frame == nil, feeder == nil, phase == .preparing {
      return fail(
        sourceFailure
          ?? MediaError(
            .decodeFailed, "Not one picture of the video could be decoded. The file is damaged.",
            address: asset.url.absoluteString))
    }
    completeLanding(frame)
  }

  func completeLanding(_ frame: VideoFrame?) {
    guard let landing else { return }
    self.landing = nil
    let time = landedTime(landing, frame)
    timeline.rest(id, at: time, generation: epoch)
    fillSubtitles(at: time)
    hooks.subtitlesChanged(self)
    lastLandedAt = environment.scheduler.now
    if deferred != nil { return seekDeferred() }
    if video != nil, feeder != nil, !isSoundPrepared, !isPreparingInitially(landing) {
      if landing.isPaused, phase == .ready { postponeSound() } else { prepareSound() }
    }
    tellBuffer(always: true)
    if let id = landing.request?.id ?? landing.step { hooks.emit(.landed(self.id, id, at: time)) }
    if phase == .preparing {
      phase = .ready
      hooks.emit(.ready(id))
    }
    guard phase == .ready else { return }
    if frame == nil, video != nil, landing.request != nil, let sourceFailure {
      hooks.emit(.playingFailed(id, sourceFailure))
    }
    if let steps = deferredSteps {
      deferredSteps = nil
      return step(by: steps.count, id: steps.id)
    }
    hooks.becameStartable(self)
  }

  /// The first landing at the start prepares sound beside the picture.
  private func isPreparingInitially(_ landing: Landing) -> Bool {
    phase == .preparing && landing.epoch == 1 && landing.target <= .zero
  }

  /// The target itself; the frame's time where the caller left room, and not beyond the media's last sample.
  private func landedTime(_ landing: Landing, _ frame: VideoFrame?) -> CMTime {
    if landing.takesFrameTime, let frame { return frame.time }
    if let request = landing.request, let frame, let range = range(request, landing.target),
      range.contains(frame.time), frame.isKeyframe || frame.time > landing.target
    {
      return frame.time
    }
    if !landing.target.isNumeric || landing.target == Self.farEnd {
      let end = [videoEnd, audioEnd].compactMap { $0 }.max()
      return end ?? frame.map { $0.time } ?? .zero
    }
    return landing.target
  }

  // MARK: Targets

  /// A time no media reaches; stands for the end while the duration is unknown. Counted in samples it is far from the
  /// edge of 64 bits, so that nothing an app may ask for comes near it.
  static let farEnd = CMTime(value: 1 << 40, timescale: 1_000)

  func clamp(_ target: CMTime) -> CMTime {
    guard target > .zero else { return .zero }
    if let duration = description?.duration, duration.isNumeric, target > duration { return duration }
    return CMTimeMinimum(target, Self.farEnd)
  }

  func range(_ request: SeekRequest, _ target: CMTime) -> ClosedRange<CMTime>? {
    guard video != nil, request.toleranceBefore > .zero || request.toleranceAfter > .zero else { return nil }
    let low = request.toleranceBefore.isNumeric ? CMTimeMaximum(target - request.toleranceBefore, .zero) : .zero
    let high = request.toleranceAfter.isNumeric ? target + request.toleranceAfter : Self.farEnd
    return low <= high ? low...high : nil
  }
}
