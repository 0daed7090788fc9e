internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// What an app changes while the item is attached.
extension ItemPipeline {
  func reconfigure(_ new: ItemConfiguration) {
    let old = configuration
    configuration = new
    guard let description, phase == .ready || phase == .preparing else { return }
    if old.preferredForwardBufferDuration != new.preferredForwardBufferDuration { resetGoals() }
    if old.forwardEndTime != new.forwardEndTime {
      audio.setEnd(new.forwardEndTime.isNumeric ? forwardEnd : nil, of: id)
      hooks.endChanged(self)
    }
    if old.reverseEndTime != new.reverseEndTime { hooks.endChanged(self) }
    if old.subtitleDelay != new.subtitleDelay { delaySubtitles() }
    chooseSubtitles()
    let choice = TrackChoice(description, new)
    if choice != self.choice { return choose(choice) }
    remix(from: old)
  }

  /// How far ahead is read depends on how fast it plays.
  func setRate(_ new: Float) {
    let new = Double(max(new, 1))
    guard new != rate else { return }
    rate = new
    resetGoals()
  }

  private func resetGoals() {
    for buffer in buffers.values { buffer.setGoals(goals(buffer.track.timeBase)) }
    for loop in loops { loop.setGoals(goals(TimeBase(1, 1))) }
    tellBuffer()
  }

  private func remix(from old: ItemConfiguration) {
    guard let feeder else { return }
    let (before, now) = (old.mix(of: feeder.track), configuration.mix(of: feeder.track))
    if before.processing != now.processing {
      changeSound(to: choice?.audio)
    } else if before != now {
      audio.setMix(now, of: id)
    }
  }

  private func choose(_ new: TrackChoice) {
    let old = choice
    choice = new
    if old?.video != new.video { changeVideo(to: new.video) }
    if old?.audio != new.audio { changeSound(to: new.audio) }
  }

  private func changeVideo(to index: Int?) {
    hooks.pictureChanges(self)
    if let old = video {
      old.close()
      video = nil
      makePassive(old.buffer)
    }
    isVideoDrained = false
    videoEnd = nil
    guard let index, let buffer = buffers[index] else {
      if landing != nil { landWithoutPicture(fromBuffer: true) }
      hooks.endChanged(self)
      return
    }
    buffer.setPassive(nil)
    makeVideo(buffer.track, buffer)
    rejoinVideo()
  }

  /// The picture comes back at the item's time while the sound goes on.
  func rejoinVideo() {
    guard let video else { return }
    if let landing {
      // What it waited for came from another picture, or from none.
      return begin(
        target: landing.target, request: landing.request, step: landing.step, isRunTarget: landing.isRunTarget,
        tolerance: landing.request.flatMap { range($0, landing.target) })
    }
    let time = timeline.time(of: id)
    if let place = video.buffer.place(for: time) {
      video.land(.time(time), from: .place(place), epoch: epoch, generation: sourceGeneration)
    } else {
      hooks.restart(self)
      begin(target: time, request: nil, step: nil, isRunTarget: true, tolerance: nil)
    }
  }

  private func changeSound(to index: Int?) {
    hooks.restart(self)
    if let old = feeder {
      audio.remove(id)
      feeder = nil
      makePassive(old.buffer)
    }
    isAudioDrained = false
    audioEnd = nil
    guard let index, let buffer = buffers[index] else {
      if landing != nil, video == nil { return landWithoutPicture(fromBuffer: true) }
      return hooks.becameStartable(self)
    }
    buffer.setPassive(nil)
    makeSound(buffer.track, buffer)
    prepareSound()
  }
}
