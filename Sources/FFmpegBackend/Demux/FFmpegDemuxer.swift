import CFFmpeg
import CoreMedia
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// Takes a container apart with libavformat.
///
/// Its states: not open (no `reader`); open (`reader` and `context`); between (`reader` without `context`), where a
/// reopening was ended by a newer operation or an error. `seek` and `preciseDescription` lead from between to open;
/// reading on without a seek fails there. `openContext` makes `origin` and `clocks` anew; `selection`, `scannedEnds`,
/// `movie` and `fragments` outlive it.
///
/// `@unchecked Sendable`: every call is made on the one source queue that the demuxer lives on.
package final class FFmpegDemuxer: Demuxer, @unchecked Sendable {
  let source: any ByteSource
  let hints: SourceHints
  var reader: SourceReader?
  var context: UnsafeMutablePointer<AVFormatContext>?
  var movie: MovieStructure?
  var fragments: FragmentIndex?
  /// libavformat knows the samples of all fragments.
  var hasReadFragments = false
  var origin = TimeOrigin.zero
  var clocks: [StreamClock] = []
  var scannedEnds: [Int: Int64] = [:]
  /// Which tracks the engine wants; nil means all.
  var selection: Set<Int>?
  /// What a seek has left to do for the sound, once the key frame in `pending` has been taken.
  struct LeadIn {
    var track: Int
    /// In the track's item ticks.
    var from: Int64
    var keyframe: Int64
    var wanted: Int64
  }
  var leadIn: LeadIn?
  /// Packets that a seek had to read to know that it was right.
  var pending = PacketQueue()
  /// A movie that comes through a pipe.
  var isPipedMovie = false
  var isMovie: Bool { movie != nil || isPipedMovie }
  /// The header promises bytes or samples that the source does not have.
  var isCutShort = false
  /// What ended the last reading.
  private var readEnd = Int32.endOfFile
  /// Where the last packet read ends.
  private var reached = CMTime.invalid
  /// The last packet read, where a cut shows in it (`CutPacket`).
  private var last: PacketBox?
  var showsCutsInPackets = false
  var counter = ComplaintCounter()
  /// What the header of another container than a movie promises (`PromisedEnd`).
  private var promisedLength: Int64?
  private var hasReportedEnd = false
  /// How many streams the last description told of: containers without a header name theirs as they come.
  private var describedStreams: UInt32 = 0

  package init(_ source: any ByteSource, hints: SourceHints) {
    self.source = source
    self.hints = hints
    LogBridge.install()
    MemoryLimit.install()
  }

  deinit { close() }

  package func open(_ generation: Generation) throws(MediaError) -> MediaDescription {
    let reader = try SourceReader(source, generation)
    self.reader = reader
    // What can't go back is read once, and by libavformat.
    movie = source.isSeekable ? try MovieStructure(reader) : nil
    try checkMovie()
    if let movie, movie.isFragmented, movie.firstFragment != nil, isScanCheap { try indexFragments(movie, reader) }
    if movie == nil, let length = source.length {
      let promised = try PromisedEnd(reader)
      promisedLength = promised?.offset
      isCutShort = promised?.isBehind(length) ?? false
    }
    try openContext(generation)
    var description = try describe()
    if !description.isDurationPrecise, isScanCheap, hints.prefersPreciseTiming && !isCutShort || isScanShort {
      description = try scan(generation)
      try rewind(generation)
    }
    return description
  }

  package func preciseDescription(_ generation: Generation) throws(MediaError) -> MediaDescription {
    _ = try reopened(generation)
    let description = try describe()
    guard source.isSeekable, movie == nil || !description.isDurationPrecise else { return description }
    // A large file that was cut off is read through for those alone who ask to have it measured.
    guard hints.measuresTiming || !isCutShort && !description.isDurationPrecise else { return description }
    return try scan(generation)
  }

  package func select(_ tracks: Set<Int>) {
    selection = tracks
    applySelection()
  }

  package var complaints: Complaints { counter.complaints }

  package func close() {
    closeContext()
    reader?.close()
    reader = nil
  }

  // MARK: Reading

  package func read(_ generation: Generation) throws(MediaError) -> DemuxedSample {
    do throws(MediaError) {
      let sample = try readNext(generation)
      if case .end = sample { try source.checkUnchanged(isDamaged: false) }
      return sample
    } catch {
      try checkUnchanged(after: error)
      throw error
    }
  }

  /// What is damaged because it was written over is told as that; what grows may end in the middle.
  func checkUnchanged(after error: MediaError) throws(MediaError) {
    guard error.code != .interrupted else { return }
    try source.checkUnchanged(isDamaged: error.code != .containerTruncated)
  }

  private func readNext(_ generation: Generation) throws(MediaError) -> DemuxedSample {
    let context = try opened()
    // A seek may have met them as well.
    if context.pointee.nb_streams > describedStreams { return try describeNewStreams() }
    if let packet = pending.popFirst(generation) { return .packet(packet) }
    if let leadIn {
      try takeLeadIn(leadIn, generation)
      return try readNext(generation)
    }
    guard let packet = try next(generation) else {
      if try learnsOfCut(generation) { return .description(try describe()) }
      try checkComplete()
      return .end
    }
    guard context.pointee.nb_streams > describedStreams else { return .packet(packet) }
    pending.append(packet)
    return try describeNewStreams()
  }

  private func describeNewStreams() throws(MediaError) -> DemuxedSample {
    addClocks()
    applySelection()
    return .description(try describe())
  }

  /// The next packet of a wanted track, nil at the end.
  func next(_ generation: Generation) throws(MediaError) -> MediaPacket? {
    let context = try opened()
    guard let reader else { throw .closed(source.address) }
    reader.begin(generation)
    readEnd = .endOfFile
    var failures = 0
    while true {
      guard let box = PacketBox() else { throw .outOfMemory }
      let status = av_read_frame(context, box.packet)
      // After an interruption the answer means nothing, not even success.
      if reader.wasInterrupted { throw .interrupted(source.address) }
      if status >= 0 {
        addClocks()
        if showsCutsInPackets { last = box }
        guard let packet = wrap(box, generation) else { continue }
        if let end = packet.endTicks { reached = TimeBase(clocks[packet.track].timeBase).time(end) }
        return packet
      }
      if let failure = reader.failure { throw failure }
      if status == .endOfFile { return nil }
      if status == .outOfMemory { throw .outOfMemory }
      if status == .again, failures < 1_000 {
        failures += 1
        continue
      }
      Log.ffmpeg.debug("reading ended: \(FFmpegStatus(status))")
      readEnd = status
      return nil
    }
  }

  private func wrap(_ box: PacketBox, _ generation: Generation) -> MediaPacket? {
    let packet = box.packet
    let index = Int(packet.pointee.stream_index)
    guard index < clocks.count, index >= 0, selection?.contains(index) ?? true else { return nil }
    let clock = clocks[index]
    packet.pointee.pts = bounded(packet.pointee.pts, clock)
    packet.pointee.dts = bounded(packet.pointee.dts, clock)
    if !MediaPacket.durations.contains(packet.pointee.duration) { packet.pointee.duration = 0 }
    let time = clock.itemTicks(packet.pointee.pts)
    if clock.primedRate > 0, let time, time < 0 {
      box.skip(rescale(0 &- time, clock.timeBase, AVRational(num: 1, den: clock.primedRate)) ?? 0)
    }
    var wrapped = MediaPacket(
      track: index, presentationTime: time,
      decodeTime: clock.itemTicks(packet.pointee.dts), duration: packet.pointee.duration,
      isKeyframe: packet.pointee.flags & AV_PKT_FLAG_KEY != 0,
      isDisposable: packet.pointee.flags & AV_PKT_FLAG_DISPOSABLE != 0, size: Int(packet.pointee.size),
      offset: packet.pointee.pos >= 0 ? packet.pointee.pos : nil, generation: generation, payload: box)
    wrapped.isDamaged = packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
    return wrapped
  }

  /// No timestamp rather than one that arithmetic would have to fear.
  private func bounded(_ timestamp: Int64, _ clock: StreamClock) -> Int64 {
    clock.itemTicks(timestamp).map { MediaPacket.ticks.contains($0) } ?? false ? timestamp : FF_NOPTS
  }

  /// At the end of what could be read: whether that is less than there should be. Told once.
  ///
  /// An error of reading behind the last packet is no loss: tags that the container does not know often stand there. No
  /// medium that FFmpeg decodes without complaint ends in one (1,438 files of the conformance corpus).
  private func checkComplete() throws(MediaError) {
    guard !hasReportedEnd else { return }
    let isAtEnd = isCutShort && reader?.hasMetEnd == true
    // That the source ends too early has been told of, unless it is a movie.
    if readEnd != .endOfFile, !isAtEnd, try isMissingMedia() {
      hasReportedEnd = true
      throw MediaError(
        .containerDamaged, "The container is damaged: what comes after this can't be read. Fetch the file again.",
        status: readEnd, address: source.address)
    }
    // Other headers than a movie's are hints: their media plays to the end of what is there.
    guard isCutShort, isMovie else { return }
    hasReportedEnd = true
    throw .cutShort(source.address)
  }

  /// What only the end can show: a packet that was cut off, the length of a pipe, and that a file has grown since.
  /// - Returns: whether the description has changed by that.
  func learnsOfCut(_ generation: Generation) throws(MediaError) -> Bool {
    guard let reader, let end = reader.end, reader.hasMetEnd || isCutShort else { return false }
    reader.begin(generation)
    let context = try opened()
    let before = isCutShort
    if isMovie {
      // libavformat does not look for fragments that have come since.
      let isOpen = before && movie?.isFragmented == true
      isCutShort = isOpen || isCutMovie(context)
      // That it is cut is an error at its end; that it is no more must be described.
      return before && !isCutShort
    }
    if let promised = try PromisedEnd(reader) {
      promisedLength = promised.offset
      isCutShort = promised.isBehind(end)
    } else if !isCutShort, showsCutsInPackets {
      // A count alone proves nothing: parts that were copied out of a file keep the whole one's.
      let isCut = readEnd != .endOfFile || CutPacket.isCut(last, context)
      if isCut { isCutShort = try isMissingMedia() }
      if isCutShort, scannedEnds.isEmpty, let track = clocks.indices.first, reached.isNumeric {
        scannedEnds[track] = TimeBase(clocks[track].timeBase).ticks(reached)
      }
    }
    return isCutShort != before
  }

  /// Whether the media goes on for more than half a second behind what was read, as far as is known.
  private func isMissingMedia() throws(MediaError) -> Bool {
    let duration = try describe().duration
    guard duration.isNumeric, reached.isNumeric else { return true }
    return duration - reached > CMTime(value: 1, timescale: 2)
  }

  // MARK: State

  func opened() throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
    guard let context else { throw .closed(source.address) }
    return context
  }

  /// Opens the container again when a newer operation, or an error of the source, ended its reopening.
  func reopened(_ generation: Generation) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
    if context == nil, reader != nil { try openContext(generation) }
    return try opened()
  }

  func describe() throws(MediaError) -> MediaDescription {
    let context = try opened()
    describedStreams = max(describedStreams, context.pointee.nb_streams)
    var description = DescriptionBuilder(
      context: context, movie: movie, origin: origin, clocks: clocks, scannedEnds: scannedEnds, fragments: fragments
    ).build(isSeekable: source.isSeekable)
    description.isCutShort = isCutShort
    description.layout = layout(context)
    if isCutShort, !isMovie, scannedEnds.isEmpty { description.isDurationPrecise = false }
    return description
  }

  private func layout(_ context: UnsafeMutablePointer<AVFormatContext>) -> MediaLayout {
    var layout = MediaLayout()
    layout.promisedLength = promisedLength
    guard let movie else { return layout }
    layout.index = movie.index
    layout.isIndexLate = movie.index != nil && movie.hasEarlyMedia
    if let scale = Int32(exactly: movie.timescale), scale > 0, movie.duration > 0 {
      layout.statedDuration = CMTime(value: movie.duration, timescale: scale)
    }
    if isCutShort { layout.promisedLength = [indexedEnd(context), movie.statedEnd].compactMap { $0 }.max() }
    return layout
  }

  func addClocks() {
    guard let context else { return }
    let count = min(Int(context.pointee.nb_streams), DescriptionBuilder.streamLimit)
    while clocks.count < count {
      guard let stream = context.pointee.streams[clocks.count]?.pointee else { return }
      let tags = context.pointee.metadata
      if let comment = SoundTrim.comment(on: stream, movie: movie, tags: tags), let rate = stream.sampleRate {
        let lead = rescale(comment.priming, AVRational(num: 1, den: rate), stream.time_base) ?? 0
        clocks.append(origin.clock(of: stream, lead: lead))
        clocks[clocks.count - 1].primedRate = rate
      } else {
        clocks.append(origin.clock(of: stream, lead: SoundTrim.lead(of: stream, movie: movie, tags: tags)))
      }
    }
  }

  func applySelection() {
    guard let context else { return }
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index] else { continue }
      let isCover = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
      let isFont = stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT
      let isWanted = (selection?.contains(index) ?? true) && index < DescriptionBuilder.streamLimit
      stream.pointee.discard = isWanted && !isCover && !isFont ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  func forgetEnd() {
    hasReportedEnd = false
    last = nil
  }

  /// Walking through the file costs disk reads and no waiting.
  private var isScanCheap: Bool { source.isSeekable && !source.mayBlock && source.length != nil }

  /// Small enough to be read through while it is opened.
  private var isScanShort: Bool { (source.length ?? .max) <= 16 << 20 }
}

extension MediaError {
  static func closed(_ address: String) -> MediaError {
    MediaError(.sourceReadFailed, "The media is closed. Open it again.", address: address)
  }
}
