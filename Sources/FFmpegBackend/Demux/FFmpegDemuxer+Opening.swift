import CFFmpeg
import CoreMedia
import Glibc
import MediaEngine
import MediaIO
import MediaRuntime

extension FFmpegDemuxer {
  /// Refuses what can't play for a reason that the boxes tell better than libavformat does.
  func checkMovie() throws(MediaError) {
    guard let movie else { return }
    let address = source.address
    if !movie.hasMovieBox, movie.firstFragment != nil {
      throw .loneSegment(address)
    }
    if !movie.hasMovieBox, movie.isCutShort || movie.endsInHeader { throw .indexMissing(address) }
    if movie.isIndexCut, !movie.hasEarlyMedia { throw .indexCut(address) }
    if movie.isFragmented, movie.firstFragment == nil, movie.endsInHeader { throw .cutShort(address) }
    if movie.tracks.contains(where: { $0.claimsTooMuch(of: source.length) }) {
      throw MediaError(
        movie.isCutShort ? .containerTruncated : .containerDamaged,
        "The file's index names more samples than the file has bytes: it is damaged or cut short. Fetch it again.",
        address: address)
    }
    if movie.isFragmented, movie.firstFragment == nil, movie.tracks.allSatisfy({ $0.sampleCount == 0 }) {
      throw MediaError(
        .containerInitOnly,
        "The file holds only the initialisation part of a stream and no media. Open the stream's playlist, or join it with its segments.",
        address: address)
    }
  }

  /// Makes fragments seekable by an index that libavformat reads, and their duration known.
  func indexFragments(_ movie: MovieStructure, _ reader: SourceReader) throws(MediaError) {
    let index = try FragmentIndex(movie, reader)
    fragments = index
    // libavformat reads every fragment's description first and would not open a file that ends within one.
    if let cut = index.cutFragment { reader.leaveOut(from: cut) }
    // Samples beside fragments are not in such an index, and libavformat would leave them out.
    let hasSamples = movie.tracks.contains { $0.sampleCount > 0 }
    guard index.isComplete, !movie.hasSegmentIndex, !index.entries.isEmpty, !hasSamples else { return }
    reader.append(
      tail: index.randomAccessBox { id in
        // As libavformat shifts times by the edit list of a fragmented movie.
        guard let track = movie.track(id), movie.timescale > 0 else { return 0 }
        let start = track.edits.first { $0.mediaTime >= 0 }?.mediaTime ?? 0
        let silence = track.edits.first.map { $0.mediaTime < 0 ? $0.duration : 0 } ?? 0
        let shifted = rescale(
          silence, AVRational(num: 1, den: Int32(clamping: movie.timescale)),
          AVRational(num: 1, den: Int32(clamping: track.timescale)))
        return start &- (shifted ?? 0)
      })
  }

  /// Opens the container; when that fails, nothing stays open.
  func openContext(_ generation: Generation) throws(MediaError) {
    do throws(MediaError) {
      try makeContext(generation)
    } catch {
      closeContext()
      throw error
    }
  }

  private func makeContext(_ generation: Generation) throws(MediaError) {
    guard let reader else { throw .closed(source.address) }
    reader.begin(generation)
    reader.forgetEnd()
    if avio_seek(reader.context, 0, SEEK_SET) < 0, let failure = reader.failure { throw failure }
    let known = try recognised(reader)
    guard let opening = avformat_alloc_context() else { throw .outOfMemory }
    opening.pointee.pb = reader.context
    counter = ComplaintCounter()
    opening.pointee.opaque = counter.pointer
    opening.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    opening.pointee.max_streams = DescriptionBuilder.openLimit
    opening.pointee.format_probesize = Int32(FormatProbe.limit)
    // No container may open another file or address.
    opening.pointee.protocol_whitelist = av_strdup("none")
    opening.pointee.io_open = { @Sendable _, _, _, _, _ in ff_error(13) }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if !reader.tail.isEmpty { av_dict_set(&options, "use_mfra_for", "dts", 0) }
    var pointer: UnsafeMutablePointer<AVFormatContext>? = opening
    var status = avformat_open_input(&pointer, FormatProbe.name(for: hints), known, &options)
    isPipedMovie = !source.isSeekable && String(c: known?.pointee.name)?.hasPrefix("mov,") == true
    guard status >= 0, let opened = pointer else {
      throw isPipedMovie && reader.failure == nil ? pipedMovieFailure(status, reader) : openFailure(status, reader)
    }
    context = opened
    if isPipedMovie, hasPassedSamples(opened, reader) || isPipedIndexCut { throw pipedMovieFailure(nil, reader) }
    if let refusal = FormatProbe.refusal(of: opened.pointee.iformat, address: source.address) { throw refusal }
    if reader.wasInterrupted { throw .interrupted(source.address) }
    dropCovers()
    if !StreamInfoPolicy.isHeaderEnough(opened) {
      status = findStreamInfo(opened)
      if reader.wasInterrupted { throw .interrupted(source.address) }
      if let failure = reader.failure { throw failure }
      if status < 0 { throw openFailure(status, reader) }
    }
    origin = TimeOrigin(of: opened)
    showsCutsInPackets = CutPacket.isTelling(of: opened)
    clocks = []
    addClocks()
    applySelection()
    if movie != nil { isCutShort = isCutMovie(opened) }
    try checkTracks(opened)
  }

  /// Looks at packets, decoding some where their headers don't tell enough.
  private func findStreamInfo(_ context: UnsafeMutablePointer<AVFormatContext>) -> Int32 {
    var options = [OpaquePointer?](repeating: nil, count: Int(context.pointee.nb_streams))
    for index in options.indices { av_dict_set_int(&options[index], "max_pixels", MemoryLimit.pixels, 0) }
    defer { for index in options.indices { av_dict_free(&options[index]) } }
    return avformat_find_stream_info(context, &options)
  }

  /// The container, refused before libavformat opens it: a playlist's demuxer would wait for its next version for ever.
  private func recognised(_ reader: SourceReader) throws(MediaError) -> UnsafePointer<AVInputFormat>? {
    if let known = try FormatProbe.behindTag(reader) { return known }
    var format: UnsafePointer<AVInputFormat>?
    let status = av_probe_input_buffer2(
      reader.context, &format, FormatProbe.name(for: hints), nil, 0, UInt32(FormatProbe.limit))
    if reader.wasInterrupted { throw .interrupted(source.address) }
    guard status >= 0 else { throw openFailure(status, reader) }
    if let refusal = FormatProbe.refusal(of: format, address: source.address) { throw refusal }
    return format
  }

  /// Why a movie that can't go back does not open.
  private func pipedMovieFailure(_ status: Int32?, _ reader: SourceReader) -> MediaError {
    if status == .outOfMemory { return .outOfMemory }
    if reader.isEmpty { return .sourceEmpty(source.address) }
    let boxes = reader.boxes
    if reader.hasMetEnd {
      guard boxes.movie != nil else {
        return boxes.hasFragment ? .loneSegment(source.address) : .indexMissing(source.address)
      }
      if isPipedIndexCut { return .indexCut(source.address) }
      if endsInFragment { return .cutShort(source.address) }
    }
    return MediaError(
      .containerIndexMissing,
      "The movie's index (the moov box) does not come before its media, and a pipe can't go back. Save it to a file, or write it with its index first.",
      address: source.address, cause: status.map(FFmpegStatus.init))
  }

  /// What came through a pipe ended before its index did.
  private var isPipedIndexCut: Bool {
    guard let reader, reader.hasMetEnd, let movie = reader.boxes.movie else { return false }
    return !movie.isWhole(at: reader.position) && !reader.boxes.hasEarlyMedia
  }

  /// What came last through a pipe is a part of a fragment's description, or nothing that plays.
  private var endsInFragment: Bool {
    guard let reader, isPipedMovie, reader.hasMetEnd, let box = reader.boxes.last else { return false }
    guard reader.boxes.hasMedia else { return true }
    return box.type == code("moof") && !box.isWhole(at: reader.position)
  }

  /// The index names samples that reading is already behind.
  private func hasPassedSamples(_ context: UnsafeMutablePointer<AVFormatContext>, _ reader: SourceReader) -> Bool {
    let position = avio_tell(reader.context)
    return (0..<Int(context.pointee.nb_streams)).contains { index in
      guard let entry = avformat_index_get_entry(context.pointee.streams[index], 0) else { return false }
      return entry.pointee.pos < position
    }
  }

  private func openFailure(_ status: Int32, _ reader: SourceReader) -> MediaError {
    if let failure = reader.failure { return failure }
    if status == .outOfMemory { return .outOfMemory }
    if reader.isEmpty { return .sourceEmpty(source.address) }
    if context == nil, movie == nil,
      status == Int32(FF_ERROR_INVALIDDATA) || status == ff_error(22) || status == ff_error(13)
    {
      return FormatProbe.failure(reader, status: status)
    }
    if movie?.isCutShort == true {
      return MediaError(
        .containerTruncated, "The file is cut short. Fetch it again, or repair it.", status: status,
        address: source.address)
    }
    return MediaError(
      .containerDamaged, "The container is damaged and can't be opened. Fetch the file again, or repair it.",
      status: status, address: source.address)
  }

  /// Covers are taken from the header; reading them again as packets would delay the first sample.
  private func dropCovers() {
    guard let context else { return }
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index] else { continue }
      if stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 { stream.pointee.discard = AVDISCARD_ALL }
    }
  }

  /// The media that the movie's index and fragments speak of goes on behind the source's end, as far as that is known.
  func isCutMovie(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    fragments?.cutFragment != nil || movie?.isIndexCut == true || endsInFragment || hasSamplesBeyondEnd(context)
  }

  private func hasSamplesBeyondEnd(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    guard let length = reader?.end else { return false }
    return indexedEnd(context).map { $0 > length } ?? false
  }

  /// Behind the last samples that the index names.
  func indexedEnd(_ context: UnsafeMutablePointer<AVFormatContext>) -> Int64? {
    (0..<Int(context.pointee.nb_streams)).compactMap { index -> Int64? in
      guard let stream = context.pointee.streams[index], stream.pointee.discard != AVDISCARD_ALL else { return nil }
      let count = avformat_index_get_entries_count(stream)
      guard count > 0, let last = avformat_index_get_entry(stream, count - 1) else { return nil }
      return last.pointee.pos &+ Int64(last.pointee.size)
    }.max()
  }

  private func checkTracks(_ context: UnsafeMutablePointer<AVFormatContext>) throws(MediaError) {
    let hasTrack = (0..<Int(context.pointee.nb_streams)).contains { index in
      guard let stream = context.pointee.streams[index]?.pointee, let parameters = stream.codecpar?.pointee else {
        return false
      }
      return stream.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 && DescriptionBuilder.kind(parameters) != nil
    }
    if !hasTrack, movie?.isCutShort == true { throw .cutShort(source.address) }
    // Containers without a header name their streams as they come.
    if !hasTrack, context.pointee.ctx_flags & AVFMTCTX_NOHEADER == 0 || context.pointee.nb_streams == 0 {
      throw MediaError(
        .containerNoTracks,
        "The file holds nothing to play: no picture, no sound, no text. Check that it is the right file.",
        address: source.address)
    }
  }

  func closeContext() {
    pending.removeAll()
    leadIn = nil
    hasReadFragments = false
    guard context != nil else { return }
    avformat_close_input(&context)
  }
}

extension MediaError {
  static func loneSegment(_ address: String) -> MediaError {
    MediaError(
      .containerLoneSegment,
      "This is a single segment of a stream, without the initialisation part that says how to decode it. Open the stream's playlist, or join both parts.",
      address: address)
  }

  static func indexMissing(_ address: String) -> MediaError {
    MediaError(
      .containerIndexMissing,
      "The file ends before its index (the moov box): its download or recording did not finish. Fetch it again, or repair it.",
      address: address)
  }

  static func indexCut(_ address: String) -> MediaError {
    MediaError(
      .containerTruncated,
      "The file ends within its index (the moov box): its download or copy did not finish. Fetch it again.",
      address: address)
  }
}
