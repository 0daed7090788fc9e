import CoreMedia
import MediaIO
package import MediaRuntime

/// The sound of one track as a row of frames, decoded as it is asked for: frame 0 is the media's beginning, priming and
/// padding are cut, gaps are silence.
///
/// `@unchecked Sendable`: everything but what is constant is used on `queue` alone.
package final class SoundReader: @unchecked Sendable {
  /// What `read` gives: the track's rate and channels.
  package let format: AudioFormat
  package let track: MediaTrack
  package let media: OpenedMedia
  private let backend: any MediaBackend
  private var generation: Generation
  private var decoder: (any AudioDecoder)?
  /// For a part of the media that has another rate or other channels.
  private var converter: (format: AudioFormat, converter: any AudioConverter)?
  private var failuresInARow = 0
  private var isFinishing = false
  private var hasEnded = false
  private var isAtStart: Bool

  /// Decoded and not given yet, behind `silence` frames of a gap.
  private var pending: [Float] = []
  private var head = 0
  private var silence: Int64 = 0
  /// The frame that `read` gives next.
  package private(set) var position: Int64 = 0
  /// The frame behind what is pending; nil until the first block has come.
  private var cursor: Int64?

  /// Decoding began at the media's beginning, so nothing can come too late.
  private var beginsAtZero = true

  /// Decoded before a place that was sought, as for playing.
  private static let preroll = AudioFeeder.preroll
  private static let mostFailures = 500

  /// - Throws: `containerNoTracks` when there is no sound to decode.
  package init(_ media: OpenedMedia, backend: any MediaBackend) throws(MediaError) {
    guard let track = media.description.defaultTrack(of: .audible) else {
      throw MediaError(.containerNoTracks, "There is no sound in this file. Choose another one.")
    }
    guard let format = track.audio, AudioFormat.sampleRates.contains(format.sampleRate),
      AudioFormat.channelCounts.contains(format.channelCount)
    else {
      throw MediaError(
        .decoderMissing, "There is no decoder for this sound (\(track.codec.name)). Install one, or convert the file.")
    }
    self.media = media
    self.backend = backend
    self.track = track
    self.format = AudioFormat(
      sampleRate: format.sampleRate, channelCount: format.channelCount, channelMask: format.channelMask)
    generation = media.generation
    isAtStart = media.isAtStart
    // Fails now rather than at the first read.
    decoder = try backend.audioDecoder(for: track, generation)
    media.demuxer.select([track.index])
  }

  package var queue: SerialQueue { media.queue }

  /// Whether the container's length is that of the sound alone: elsewhere it may count priming and padding too.
  private var countsFrames: Bool {
    track.codec.name.hasPrefix("pcm_") || track.codec.name == "flac" || media.description.container.hasPrefix("mov,")
  }

  /// Frames by what the container states; nil where it does not count finely enough, or only guesses.
  package var statedLength: Int64? {
    let end = track.timeRange.end
    guard countsFrames, media.description.isDurationPrecise, end.isNumeric, end.value >= 0 else { return nil }
    let rate = Int64(format.sampleRate)
    guard Int64(end.timescale) % rate == 0 || rate % Int64(end.timescale) == 0 else { return nil }
    return AudioFeeder.sample(at: end, format.sampleRate)
  }

  /// What is read next begins at this frame; beyond the end nothing is.
  package func seek(to frame: Int64) throws(MediaError) {
    guard frame != position else { return }
    let held = Int64((pending.count - head) / format.channelCount)
    if frame > position, frame < position + silence + held {
      drop(frame - position)
      return
    }
    try start(at: max(frame, 0), from: time(of: max(frame, 0)) - Self.preroll)
  }

  private func time(of frame: Int64) -> CMTime { CMTime(value: frame, timescale: Int32(clamping: format.sampleRate)) }

  private func start(at frame: Int64, from place: CMTime) throws(MediaError) {
    generation = generation.next
    media.source.want(generation)
    pending.removeAll(keepingCapacity: true)
    (head, silence, cursor, decoder, converter) = (0, 0, nil, nil, nil)
    (failuresInARow, isFinishing, hasEnded) = (0, false, false)
    position = frame
    isAtStart = true
    try media.demuxer.seek(to: max(place, .zero), generation)
    beginsAtZero = place <= .zero
  }

  /// The frames from `position` on, interleaved: at most so many, and fewer where that needs another step. None at the end.
  package func read(_ most: Int) throws(MediaError) -> [Float] {
    if !isAtStart { try start(at: position, from: time(of: position)) }
    while silence == 0, head == pending.count, !hasEnded { try decodeOne() }
    let channels = format.channelCount
    if silence > 0 {
      let count = min(Int64(most), silence)
      silence -= count
      position += count
      return [Float](repeating: 0, count: Int(count) * channels)
    }
    let count = min(most, (pending.count - head) / channels)
    guard count > 0 else { return [] }
    defer { drop(Int64(count)) }
    return Array(pending[head..<head + count * channels])
  }

  private func drop(_ frames: Int64) {
    position += frames
    let quiet = min(frames, silence)
    silence -= quiet
    head += Int(frames - quiet) * format.channelCount
    if head >= pending.count {
      pending.removeAll(keepingCapacity: true)
      head = 0
    }
  }

  // MARK: Decoding

  private func decodeOne() throws(MediaError) {
    let decoder: any AudioDecoder
    if let open = self.decoder {
      decoder = open
    } else {
      decoder = try backend.audioDecoder(for: track, generation)
      self.decoder = decoder
    }
    do throws(MediaError) {
      switch try decoder.receive() {
      case .output(let block):
        failuresInARow = 0
        return try append(block)
      case .end:
        return hasEnded = true
      case .needsInput: break
      }
      if isFinishing { return hasEnded = true }
      switch try media.demuxer.read(generation) {
      case .packet(let packet): if packet.track == track.index { try decoder.send(packet) }
      case .description: break
      case .end:
        isFinishing = true
        decoder.finish()
      }
    } catch {
      failuresInARow += 1
      if !error.isTolerable(inARow: failuresInARow, limit: Self.mostFailures) { throw error }
    }
  }

  private func append(_ block: AudioBlock) throws(MediaError) {
    guard block.sampleCount > 0, block.format.channelCount > 0, block.format.sampleRate > 0 else { return }
    let start = AudioFeeder.rescale(block.startSample, block.format.sampleRate, format.sampleRate)
    if cursor == nil, start > position, !beginsAtZero {
      return try self.start(at: position, from: .zero)
    }
    let samples = try samples(of: block)
    let channels = format.channelCount
    // Small differences are the container's coarse ticks; what lies far beyond the end is a damaged time.
    let isPlausible = start <= lastFrame
    let isCoarse = cursor.map { (start - $0).magnitude <= UInt64(format.sampleRate / 100) } ?? false
    let begin = isPlausible && !isCoarse ? start : cursor ?? position
    let end = begin + Int64(samples.count / channels)
    cursor = end
    guard end > position else { return }
    silence = max(begin - position, 0)
    pending = begin >= position ? samples : Array(samples.dropFirst(Int(position - begin) * channels))
    head = 0
  }

  /// No block begins behind this one.
  private var lastFrame: Int64 {
    let end = track.timeRange.end
    return end.isNumeric ? AudioFeeder.sample(at: end, format.sampleRate) + Int64(format.sampleRate) : .max / 2
  }

  private func samples(of block: AudioBlock) throws(MediaError) -> [Float] {
    if block.format.sampleRate == format.sampleRate, block.format.channelCount == format.channelCount {
      let count = block.sampleCount * format.channelCount
      return [Float](unsafeUninitializedCapacity: count) { buffer, filled in
        block.storage.copyInterleaved(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
        filled = count
      }
    }
    if converter?.format != block.format {
      let target = AudioDeviceFormat(
        sampleRate: format.sampleRate, channelCount: format.channelCount, channelMask: format.channelMask)
      converter = (
        block.format, try backend.audioConverter(from: block.format, to: target, SoundProcessing())
      )
    }
    var output: [Float] = []
    try converter?.converter.convert(block, into: &output)
    return output
  }
}
