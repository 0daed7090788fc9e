import CoreMedia
import MediaRuntime

/// Tells what lies over the picture, when its time comes.
extension PipelineDriver {
  package func add(_ output: SubtitleOutput, to item: ItemID) {
    control.post("add subtitle output") { [weak self] in
      guard let self, let pipeline = self.items[item],
        !pipeline.subtitleOutputs.contains(where: { $0 === output })
      else { return }
      pipeline.subtitleOutputs.append(output)
      output.setLook { [weak self] in
        self?.control.post("look at subtitles") { [weak self] in
          if let self, let pipeline = self.items[item] { self.showSubtitles(pipeline) }
        }
      }
      self.showSubtitles(pipeline)
    }
  }

  package func remove(_ output: SubtitleOutput, from item: ItemID) {
    control.post("remove subtitle output") { [weak self] in
      self?.items[item]?.subtitleOutputs.removeAll { $0 === output }
    }
  }

  /// Tells each output what is shown now, or will be when its advance has passed, and looks again at the next change.
  func showSubtitles(_ item: ItemPipeline) {
    item.subtitleTicket?.cancel()
    guard !item.subtitleOutputs.isEmpty, item.landing == nil else { return }
    let now = timeline.time(of: item.id)
    let rate = running.flatMap { $0.item == item.id && $0.isMoving ? Double($0.rate) : nil } ?? 0
    var next: HostTime?
    for output in item.subtitleOutputs {
      let ahead = CMTime(seconds: output.advance.seconds * rate, preferredTimescale: 1_000_000)
      let time = now + ahead
      output.show(item.shownSubtitles(at: time), from: time, of: item.id)
      guard rate != 0, let change = item.nextSubtitleChange(after: time, isBackward: rate < 0) else { continue }
      // Backward, something else is shown when a boundary has been passed.
      let seen = rate < 0 ? change - CMTime(value: 1, timescale: 1_000) : change
      guard let due = timeline.hostTime(of: seen - ahead, in: item.id) else { continue }
      next = min(next ?? due, due)
    }
    if rate < 0 { item.fillSubtitles(at: now - CMTime(value: 5, timescale: 1)) }
    guard let next else { return }
    let ticket = Ticket()
    item.subtitleTicket = ticket
    control.post("show subtitles", after: wait(until: next), ticket: ticket) { [weak self, weak item] in
      if let self, let item { self.showSubtitles(item) }
    }
  }
}
