internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// All that works for one attached item: its source, buffers, decoders, and where it stands.
///
/// Everything here happens on the player's control queue; the parts report to it by posting.
final class ItemPipeline: @unchecked Sendable {
  // Sendable because its variables are touched on `control` only.

  /// What the driver wants to know beyond the events. Called on the control queue.
  struct Hooks: Sendable {
    var emit: @Sendable (DriverEvent) -> Void
    /// A landing is over or sound was prepared: perhaps the item can run now.
    var becameStartable: @Sendable (ItemPipeline) -> Void
    /// The item's end became known or changed.
    var endChanged: @Sendable (ItemPipeline) -> Void
    /// Frames came after there was none to show next.
    var framesCame: @Sendable (ItemPipeline) -> Void
    /// The clock or the place changes: a running item stops, and runs again by itself when it can.
    var restart: @Sendable (ItemPipeline) -> Void
    /// The pictures go, or others come: an item that plays backward stops, and goes on with those.
    var pictureChanges: @Sendable (ItemPipeline) -> Void
    /// Something else is shown over the picture, or may be soon.
    var subtitlesChanged: @Sendable (ItemPipeline) -> Void
  }

  let id: ItemID
  let asset: AssetCore
  let environment: EngineEnvironment
  let control: SerialQueue
  let timeline: Timeline
  let audio: AudioRenderer
  let hooks: Hooks
  let meter: ItemMeter
  var configuration: ItemConfiguration
  /// At which it plays, or did last; 1 at first.
  var rate = 1.0
  private let live = LiveObject(.itemPipeline)

  enum Phase {
    case opening, preparing, ready, failed, closed
  }

  var phase = Phase.opening
  var description: MediaDescription?
  var choice: TrackChoice?
  var loops: [SourceLoop] = []
  var buffers: [Int: PacketBuffer] = [:]
  var video: VideoDecoding?
  var feeder: AudioFeeder?
  var outputs: [VideoFrameOutput] = []
  var subtitles: [SubtitleSlot: SubtitleTrack] = [:]
  var subtitleOutputs: [SubtitleOutput] = []
  var catchUps: [SubtitleSlot: SubtitleCatchUp] = [:]
  var subtitleTicket: Ticket?
  var sourceGeneration = Generation.first
  /// Raised by every landing; reports of an older one are void.
  var epoch: UInt64 = 0
  var landing: Landing?
  /// The newest seek while an older one is given a moment to show its frame.
  var deferred: SeekRequest?
  var deferTicket: Ticket?
  /// Steps that were asked for during a landing: they count from where it ends.
  var deferredSteps: (count: Int, id: SeekID)?
  /// A seek that came before the media was open.
  var startRequest: SeekRequest?
  var lastLandedAt: HostTime?
  var isSoundPrepared = false
  /// Set while the sound waits for someone to want it.
  var soundTicket: Ticket?
  var videoEnd: CMTime?
  var isVideoDrained = false
  /// Its decoder has given up: the packets go by until the next landing tries again.
  var isVideoGivenUp = false
  var audioEnd: CMTime?
  var isAudioDrained = false
  var sourceFailure: MediaError?
  var bufferState = BufferState()
  /// What was held when nothing was left to play; nil once more has come. Decoders keep back what they can't give yet.
  private var dry: [Int: CMTimeRange]?
  /// Every byte is at hand at once.
  private(set) var isLocal = true
  private var openingSource: (any ByteSource)?
  var isSplitting = false
  private var isWatching = false

  struct Landing {
    var epoch: UInt64
    var request: SeekRequest?
    var step: SeekID?
    var target: CMTime
    /// The target may be moved to the frame that was found (tolerance, steps).
    var takesFrameTime: Bool
    var isRunTarget: Bool

    /// Nothing will run right after it.
    var isPaused: Bool { request?.isPaused ?? (step != nil) }
  }

  init(
    id: ItemID, asset: AssetCore, configuration: ItemConfiguration, environment: EngineEnvironment,
    control: SerialQueue, timeline: Timeline, audio: AudioRenderer, meter: ItemMeter, hooks: Hooks
  ) {
    self.id = id
    self.asset = asset
    self.configuration = configuration
    self.environment = environment
    self.control = control
    self.timeline = timeline
    self.audio = audio
    self.hooks = hooks
    self.meter = meter
    startRequest = configuration.startSeek
  }

  var isReady: Bool { phase == .ready }

  /// The place is reached.
  var isLanded: Bool { isReady && landing == nil && deferred == nil }

  /// Whether time may begin to move: the place is reached and its sound is decoded.
  var isStartable: Bool { isLanded && (feeder == nil || isSoundPrepared) }

  // MARK: Opening

  func begin() {
    timeline.rest(id, at: .zero, generation: 0)
    asset.load { [weak self, control] result in
      control.post("asset is loaded") { [weak self] in self?.loaded(result) }
    }
  }

  private func loaded(_ result: Result<MediaDescription, MediaError>) {
    guard phase == .opening else { return }
    switch result {
    case .failure(let error):
      fail(error)
    case .success:
      if let media = asset.takeOpened() { return opened(media) }
      openingSource = asset.openAnother { [weak self, control] result in
        control.post("source is open") { [weak self] in
          guard let self, self.phase == .opening else { return }
          switch result {
          case .failure(let error): self.fail(error)
          case .success(let media): self.opened(media)
          }
        }
      }
    }
  }

  private func opened(_ media: OpenedMedia) {
    openingSource = nil
    phase = .preparing
    isLocal = media.source.availableRanges == nil && !media.source.mayBlock
    let description = media.description
    self.description = description
    hooks.emit(.opened(id, description))
    guard phase == .preparing else { return }
    let choice = TrackChoice(description, configuration)
    self.choice = choice
    sourceGeneration = media.generation
    // What the app has switched off can be switched on again.
    guard choice.video != nil || choice.audio != nil || !choice.passive.isEmpty else {
      fail(Self.nothingToPlay(description, media.source.address))
      return
    }
    makeTracks(choice, description, media)
    chooseSubtitles()
    let start = startRequest
    startRequest = nil
    land(on: start, initialOf: media)
  }

  static func nothingToPlay(_ description: MediaDescription, _ address: String) -> MediaError {
    if description.hasProtectedContent {
      return MediaError(
        .contentProtected, "The media is encrypted and cannot be played here. Ask its publisher for a free copy.",
        address: address)
    }
    let media = description.tracks.filter { $0.kind == .video || $0.kind == .audio }
    if let codec = media.first(where: { !$0.isDecodable })?.codec.name {
      return MediaError(
        .decoderMissing, "No decoder for “\(codec)” is installed. Install one or convert the file.", address: address)
    }
    return MediaError(
      .containerNoTracks, "There is neither sound nor picture to play in this file.", address: address)
  }

  private func makeTracks(_ choice: TrackChoice, _ description: MediaDescription, _ media: OpenedMedia) {
    for track in description.tracks where choice.read.contains(track.index) {
      let buffer = PacketBuffer(track: track, goals: goals(track.timeBase))
      buffers[track.index] = buffer
      if track.index == choice.video { makeVideo(track, buffer) }
      if track.index == choice.audio { makeSound(track, buffer) }
      if choice.passive.contains(track.index) { makePassive(buffer) }
    }
    addLoop(media, buffers)
  }

  func makeVideo(_ track: MediaTrack, _ buffer: PacketBuffer) {
    let made = VideoDecoding(
      item: id, track: track, buffer: buffer, environment: environment, timeline: timeline,
      meter: meter, generation: sourceGeneration, reports: videoReports)
    made.setOutputs(outputs)
    video = made
  }

  func makeSound(_ track: MediaTrack, _ buffer: PacketBuffer) {
    let mix = configuration.mix(of: track)
    let made = AudioFeeder(
      item: id, track: track, buffer: buffer, backend: environment.backend, processing: mix.processing,
      generation: sourceGeneration)
    made.pitch = mix.pitch ?? made.pitch
    made.volume = mix.volume
    made.setTap(mix.tap, from: .min)
    feeder = made
    audio.add(made)
  }

  func makePassive(_ buffer: PacketBuffer) {
    let (timeline, id, timeBase) = (timeline, id, buffer.track.timeBase)
    buffer.setPassive { timeBase.floorTicks(timeline.time(of: id)) }
  }

  func goals(_ timeBase: TimeBase) -> BufferPolicy.Goals {
    BufferPolicy.goals(
      isLocal: isLocal, preferred: configuration.preferredForwardBufferDuration, hasVideo: choice?.video != nil,
      rate: rate, timeBase: timeBase)
  }

  func addLoop(_ media: OpenedMedia, _ buffers: [Int: PacketBuffer]) {
    let loop = SourceLoop(
      media: media, buffers: buffers, goals: goals(TimeBase(1, 1)), scheduler: environment.scheduler, meter: meter,
      reports: sourceReports)
    loops.append(loop)
    if loops.count == 1 { feedSubtitles() }
    for buffer in buffers.values { buffer.setSource { [weak loop] in loop?.kick() } }
  }

  // MARK: Reports from below

  private func onControl(_ name: String, _ body: @escaping @Sendable (ItemPipeline) -> Void) {
    control.post(name) { [weak self] in
      guard let self, self.phase != .closed, self.phase != .failed else { return }
      body(self)
    }
  }

  private var sourceReports: SourceLoop.Reports {
    SourceLoop.Reports(
      failed: { [weak self] error, generation in
        self?.onControl("source failed") { $0.sourceFailed(error, generation) }
      },
      described: { [weak self] description in
        self?.onControl("description changed") {
          let description = description.adding(sideFiles: $0.asset.options.subtitleFiles)
          $0.description = description
          $0.hooks.emit(.descriptionChanged($0.id, description))
        }
      },
      progressed: { [weak self] in
        self?.onControl("buffers moved") { item in
          item.tellBuffer()
          item.watchBuffer()
        }
      },
      resumed: { [weak self] in self?.onControl("buffers will move") { $0.watchBuffer() } },
      starving: { [weak self] tracks in self?.onControl("track starves") { $0.split(tracks) } })
  }

  private var videoReports: VideoDecoding.Reports {
    VideoDecoding.Reports(
      landed: { [weak self] epoch, frame in
        self?.onControl("picture landed") { $0.videoLanded(epoch, frame) }
      },
      arrived: { [weak self] in self?.onControl("picture came") { $0.hooks.framesCame($0) } },
      ended: { [weak self] epoch, end in
        self?.onControl("picture ended") { item in
          guard item.epoch == epoch else { return }
          item.isVideoDrained = true
          item.videoEnd = end
          item.endMayBeKnown()
        }
      },
      failed: { [weak self] epoch, error in
        self?.onControl("picture failed") { $0.videoFailed(epoch, error) }
      },
      placeLost: { [weak self] epoch in
        self?.onControl("place lost") { item in
          guard item.epoch == epoch, let landing = item.landing else { return }
          item.seekSource(landing.target)
        }
      })
  }

  func soundPrepared(_ epoch: UInt64) {
    guard self.epoch == epoch, phase != .closed, phase != .failed else { return }
    isSoundPrepared = true
    cancelPostponedSound()
    if video == nil, let landing {
      if phase == .preparing, landing.target <= .zero, isAudioDrained, audioEnd == nil {
        return fail(sourceFailure ?? nothingDecoded)
      }
      return completeLanding(nil)
    }
    hooks.becameStartable(self)
  }

  func soundEnded(_ epoch: UInt64, _ end: CMTime?, _ failure: MediaError?) {
    guard self.epoch == epoch, phase != .closed, phase != .failed else { return }
    isAudioDrained = true
    audioEnd = end
    if let failure {
      if video == nil, phase == .preparing { return fail(failure) }
      if end != nil || video == nil { sourceFailure = sourceFailure ?? failure }
    }
    endMayBeKnown()
  }

  private var nothingDecoded: MediaError {
    MediaError(
      .decodeFailed, "Nothing of it could be decoded. The file is damaged, or its codec is not supported here.",
      address: asset.url.absoluteString)
  }

  private func sourceFailed(_ error: MediaError, _ generation: Generation) {
    guard generation == sourceGeneration else { return }
    sourceFailure = error
    Log.engine.warning("Reading \(asset.url.lastPathComponent) failed: \(error)")
    tellBuffer()
  }

  private func videoFailed(_ epoch: UInt64, _ error: MediaError) {
    guard self.epoch == epoch, let failed = video else { return }
    if feeder == nil, phase == .preparing { return fail(error) }
    if phase == .preparing {
      // The sound plays on without its picture.
      failed.close()
      video = nil
      choice?.video = nil
      makePassive(failed.buffer)
      if isSoundPrepared { completeLanding(nil) } else { prepareSound() }
      return
    }
    sourceFailure = sourceFailure ?? error
    isVideoDrained = true
    isVideoGivenUp = true
    makePassive(failed.buffer)
    if landing != nil { completeLanding(nil) }
    endMayBeKnown()
  }

  func fail(_ error: MediaError) {
    guard phase != .failed, phase != .closed else { return }
    release()
    phase = .failed
    hooks.emit(.failed(id, error))
  }

  // MARK: Telling

  /// Tells of the buffers twice a second while the source reads.
  func watchBuffer() {
    guard !isLocal, !isWatching, loops.contains(where: \.isReading) else { return }
    isWatching = true
    control.post("look at the buffers", after: .milliseconds(500)) { [weak self] in
      guard let self else { return }
      self.isWatching = false
      guard self.phase == .preparing || self.phase == .ready else { return }
      self.tellBuffer()
      self.watchBuffer()
    }
  }

  /// The buffers of the tracks that are decoded.
  private var playing: [Int: PacketBuffer] {
    buffers.filter { $0.key == choice?.video || $0.key == choice?.audio }
  }

  /// Nothing is left to play although the media goes on.
  func ranDry() {
    dry = playing.compactMapValues(\.loadedRange)
    tellBuffer(always: true)
    watchBuffer()
  }

  /// Sends the buffers' state when it differs from the last one sent.
  func tellBuffer(always: Bool = false) {
    guard let description else { return }
    var input = BufferPolicy.Input()
    input.isLocal = isLocal
    input.isSeekable = description.isSeekable
    input.duration = description.duration
    let playing = playing
    input.needsData = !playing.isEmpty
    input.heldRanges = playing.values.compactMap(\.loadedRange)
    let place = landing?.target ?? timeline.time(of: id)
    input.levels = playing.values.map { buffer in
      var level = buffer.level
      // What is decoded and neither heard nor seen yet counts as well.
      if let range = buffer.loadedRange { level.aheadSeconds = max((range.end - place).seconds, 0) }
      return level
    }
    if let dry, dry != playing.compactMapValues(\.loadedRange) { self.dry = nil }
    input.hasRunDry = dry != nil
    input.preferredForwardBufferDuration = configuration.preferredForwardBufferDuration
    input.hasVideo = choice?.video != nil
    input.rate = rate
    let new = BufferPolicy.state(input)
    guard always || new != bufferState else { return }
    bufferState = new
    hooks.emit(.buffer(id, new))
  }

  // MARK: The end

  /// Where the item ends by its own samples, once all are decoded.
  var naturalEnd: CMTime? {
    if video != nil, !isVideoDrained { return nil }
    if feeder != nil, !isAudioDrained { return nil }
    // Behind the last sample, or where nothing decodes, there is no end of samples: the media's own one counts.
    return [videoEnd, audioEnd].compactMap { $0 }.max()
      ?? description.map { $0.duration.isNumeric ? $0.duration : timeline.time(of: id) }
  }

  /// Where playing forward ends, as far as known.
  var forwardEnd: CMTime? {
    guard configuration.forwardEndTime.isNumeric else { return naturalEnd }
    let wanted = min(max(configuration.forwardEndTime, .zero), Self.farEnd)
    return naturalEnd.map { min($0, wanted) } ?? wanted
  }

  /// Where playing backward ends.
  var backwardEnd: CMTime {
    configuration.reverseEndTime.isNumeric ? min(max(configuration.reverseEndTime, .zero), Self.farEnd) : .zero
  }

  private func endMayBeKnown() {
    guard let end = naturalEnd else { return }
    if videoEnd == nil, audioEnd == nil, epoch == 1, timeline.time(of: id) <= .zero {
      return fail(sourceFailure ?? nothingDecoded)
    }
    if var description, sourceFailure == nil, playsAllKinds(description),
      !description.duration.isNumeric || isOff(description.duration, end)
    {
      description.duration = end
      description.isDurationPrecise = true
      self.description = description
      hooks.emit(.descriptionChanged(id, description))
      tellBuffer()
    }
    hooks.endChanged(self)
  }

  /// Neither sound nor picture is switched off: where these end, the media does.
  private func playsAllKinds(_ description: MediaDescription) -> Bool {
    let whole = TrackChoice(description, ItemConfiguration())
    return (whole.video == nil || video != nil) && (whole.audio == nil || feeder != nil)
  }

  /// The header's duration is wrong by more than rounding and padding explain.
  private func isOff(_ duration: CMTime, _ end: CMTime) -> Bool {
    abs((duration - end).seconds) > 0.25
  }

  // MARK: Closing

  func close() {
    guard phase != .closed else { return }
    release()
    phase = .closed
    timeline.forget(id)
  }

  private func release() {
    if phase == .opening {
      openingSource?.want(.first.next)
      openingSource = nil
    }
    landing = nil
    deferred = nil
    deferredSteps = nil
    deferTicket?.cancel()
    soundTicket?.cancel()
    closeSubtitles()
    for loop in loops { loop.close() }
    loops = []
    buffers = [:]
    video?.close()
    video = nil
    if feeder != nil { audio.remove(id) }
    feeder = nil
  }
}
