internal import CoreMedia
internal import MediaRuntime

/// Playing backward: the picture alone, on the host's clock, from frames that come in descending order.
///
/// The item's own reading and decoding rest meanwhile. When it stops, they are placed anew where time stands, so that
/// everything that follows (steps, seeks, playing forward) finds them there.
extension PipelineDriver {
  func beginBackward(_ item: ItemPipeline, _ wish: Wanted) {
    backwardRuns &+= 1
    let number = backwardRuns
    let video = item.video.map { makeReverse($0, item, wish.rate, number) }
    running = Running(
      item: item.id, rate: wish.rate, epoch: item.epoch, hasSound: false, transport: wish.transport,
      backward: Backward(number: number, video: video, hostTime: wish.hostTime))
    if let video { video.begin(item.asset) } else { framesCameBackward(number) }
  }

  private func makeReverse(_ video: VideoDecoding, _ item: ItemPipeline, _ rate: Float, _ number: UInt64)
    -> ReverseVideo
  {
    let time = timeline.time(of: item.id)
    let before = video.status.shown.map { CMTimeMinimum($0.time, time) } ?? time
    return ReverseVideo(
      item: item.id, track: video.track, environment: environment, timeline: timeline,
      start: ReverseVideo.Start(before: before, rate: Double(rate.magnitude)),
      reports: ReverseVideo.Reports(
        arrived: { [weak self] in
          self?.control.post("frames came backward") { [weak self] in self?.framesCameBackward(number) }
        },
        failed: { [weak self] error in
          self?.control.post("playing backward failed") { [weak self] in self?.backwardFailed(number, error) }
        }))
  }

  /// Time moves as soon as there is a frame to show.
  private func framesCameBackward(_ number: UInt64) {
    guard let running, let backward = running.backward, backward.number == number,
      let item = items[running.item]
    else { return }
    guard !backward.isLaidOut else { return tick() }
    self.running?.backward?.isLaidOut = true
    let now = environment.scheduler.now
    let start = max(backward.hostTime ?? now, now)
    let time = timeline.time(of: item.id)
    let span = TimelineSpan(
      item: item.id, start: .host(start), mediaTime: time, rate: Double(running.rate), generation: running.epoch,
      limit: CMTimeMinimum(item.backwardEnd, time))
    guard timeline.append(span, transport: running.transport) else { return stopRunning() }
    movesAt(start)
  }

  private func backwardFailed(_ number: UInt64, _ error: MediaError) {
    guard let running, running.backward?.number == number else { return }
    timeline.halt(running.item)
    stopRunning()
    emit(.playingFailed(running.item, error))
  }

  func tickBackward(_ item: ItemPipeline, _ backward: Backward) {
    guard let video = backward.video else { return }
    let shown = video.present(at: timeline.time(of: item.id), slack: Self.slack)
    item.meter.drop(shown.skipped)
    if let frame = shown.frame {
      for output in item.outputs { output.presentBackward(frame, of: item.id) }
      if let rate = frameRate.note(environment.scheduler.now) { emit(.frameRate(item.id, rate)) }
    }
    if let next = shown.next { schedule(next, item, "show frame") { $0.tick() } }
  }
}
