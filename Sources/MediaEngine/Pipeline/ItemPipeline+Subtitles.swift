internal import CoreMedia
import MediaIO
import MediaRuntime

/// Subtitles that are shown: chosen tracks of the media and side files, by item time.
extension ItemPipeline {
  func chooseSubtitles() {
    guard let description else { return }
    let choice = SubtitleChoice(description, configuration)
    guard choice.tracks != subtitles.mapValues(\.track.id) else { return }
    for slot in SubtitleSlot.allCases where choice.tracks[slot] != subtitles[slot]?.track.id {
      subtitles[slot] = nil
      guard let id = choice.tracks[slot], let track = description.tracks.first(where: { $0.id == id }) else { continue }
      subtitles[slot] = SubtitleTrack(track, slot, knownFrom: readUpTo, delay: configuration.subtitleDelay)
      if let file = track.sideFile { load(file, slot) } else { makeFeed(track, slot) }
    }
    feedSubtitles()
    if landing == nil { fillSubtitles(at: timeline.time(of: id)) }
    hooks.subtitlesChanged(self)
  }

  func delaySubtitles() {
    for slot in subtitles.keys { subtitles[slot]?.delay = configuration.subtitleDelay }
    if landing == nil { fillSubtitles(at: timeline.time(of: id)) }
    hooks.subtitlesChanged(self)
  }

  /// How far subtitles may lie ahead of sound and picture in the file.
  private static let interleave = CMTime(value: 10, timescale: 1)

  /// Behind this, nothing has been read yet.
  private var readUpTo: CMTime {
    guard !loops.isEmpty else { return .zero }
    return (buffers.values.compactMap { $0.loadedRange?.end }.max() ?? timeline.time(of: id)) + Self.interleave
  }

  private func makeFeed(_ track: MediaTrack, _ slot: SubtitleSlot) {
    let id = track.id
    subtitles[slot]?.feed = SubtitleFeed(track, environment) { [weak self, control] cues, header in
      control.post("subtitles came") { [weak self] in self?.found(cues, header, slot, id) }
    }
  }

  private func found(_ cues: [SubtitleCue], _ header: String, _ slot: SubtitleSlot, _ track: Int32) {
    guard subtitles[slot]?.track.id == track else { return }
    subtitles[slot]?.insert(cues, header: header, at: landing?.target ?? timeline.time(of: id))
    if landing == nil { hooks.subtitlesChanged(self) }
  }

  /// The first reading position delivers what is chosen.
  func feedSubtitles() {
    var feeds: [Int: [SubtitleFeed]] = [:]
    for shown in subtitles.values {
      if let feed = shown.feed { feeds[shown.track.index, default: []].append(feed) }
    }
    loops.first?.feed(feeds)
  }

  /// Reading goes on elsewhere: what is shown there may have begun before.
  func loseSubtitles(before place: CMTime) {
    for slot in subtitles.keys where subtitles[slot]?.feed != nil { subtitles[slot]?.lose(before: place) }
  }

  /// Looks for cues that began before what was read and are still shown.
  func fillSubtitles(at time: CMTime) {
    guard isLocal, description?.isSeekable == true else { return }
    for slot in SubtitleSlot.allCases {
      guard let stretch = subtitles[slot]?.missing(at: time) else { continue }
      subtitles[slot]?.isCatchingUp = true
      let track = stretch.track.id
      let catchUp = catchUps[slot] ?? SubtitleCatchUp(asset, control: control)
      catchUps[slot] = catchUp
      catchUp.read(stretch) { [weak self] cues, header in
        guard let self, self.subtitles[slot]?.track.id == track else { return }
        self.subtitles[slot]?.caughtUp(stretch)
        self.found(cues, header, slot, track)
      }
    }
  }

  private func load(_ file: URL, _ slot: SubtitleSlot) {
    let id = subtitles[slot]?.track.id
    SideFile.load(file, environment) { [weak self, control] result in
      control.post("side file is read") { [weak self] in
        guard let self, self.subtitles[slot]?.track.id == id else { return }
        switch result {
        case .success(let file):
          self.subtitles[slot]?.adopt(file)
          self.hooks.subtitlesChanged(self)
        case .failure(let error): Log.engine.warning("Subtitles can't be shown: \(error)")
        }
      }
    }
  }

  func closeSubtitles() {
    subtitleTicket?.cancel()
    for catchUp in catchUps.values { catchUp.close() }
    catchUps = [:]
    subtitles = [:]
  }

  // MARK: What is shown

  func shownSubtitles(at time: CMTime) -> ShownSubtitles {
    ShownSubtitles(SubtitleSlot.allCases.compactMap { subtitles[$0]?.layer(at: time) })
  }

  func nextSubtitleChange(after time: CMTime, isBackward: Bool) -> CMTime? {
    let changes = subtitles.values.compactMap { $0.nextChange(after: time, isBackward: isBackward) }
    return isBackward ? changes.max() : changes.min()
  }
}
