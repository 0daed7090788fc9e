import CFFmpeg
import MediaEngine

/// In samples of the sound's rate: how much of a track's decoded sound is the encoder's priming and padding, and where the sound ends.
///
/// libavformat 5.1 cuts the start, and the end of MP3 and Opus, but not what iTunes' comment alone states of an MP3. That,
/// and the end of sound in a movie, is cut by us: at the end of
/// its edits, and of its media, whose last sample may be declared shorter than what it decodes to (ISO 14496-12,
/// 8.6.1.2, 8.6.6). All of that is in time, not in counts of samples: media have gaps.
struct SoundTrim {
  var priming: Int64 = 0
  var padding: Int64 = 0
  /// In samples of item time; nil when nothing says where the sound ends.
  var end: Int64?

  init(
    box: MovieTrackBox?, movie: MovieStructure?, fragments: FragmentIndex?, tags: OpaquePointer?,
    stream pointer: UnsafeMutablePointer<AVStream>, rate: Int
  ) {
    guard let box, let movie, movie.timescale > 0, box.timescale > 0, rate > 0,
      let media = Self.mediaDuration(box, movie, fragments)
    else {
      if let comment = Self.comment(on: pointer.pointee, movie: movie, tags: tags) {
        (priming, padding, end) = (comment.priming, comment.padding, comment.length)
      } else {
        priming = Self.priming(pointer.pointee)
      }
      return
    }
    let tick = AVRational(num: 1, den: Int32(clamping: box.timescale))
    let sample = AVRational(num: 1, den: Int32(clamping: rate))
    let gapless = Self.gapless(tags)
    let playing = box.edits.filter { $0.mediaTime >= 0 }
    var ticks: Int64
    if playing.isEmpty, let gapless {
      priming = gapless.priming
      end = gapless.length
      let whole = rescale(box.sampleCount &* box.longestSample, tick, sample) ?? 0
      padding = max(whole &- gapless.priming &- gapless.length, 0)
      return
    } else if playing.isEmpty {
      ticks = media &+ box.edits.reduce(0) { $0 &+ Self.length($1, box, movie) }
    } else {
      ticks = 0
      for edit in box.edits {
        let length = Self.length(edit, box, movie)
        guard edit.mediaTime >= 0 else {
          ticks &+= length
          continue
        }
        let available = max(media &- edit.mediaTime, 0)
        // The edits of a fragmented movie were written before its fragments.
        let isOpen = edit.duration == 0 || movie.firstFragment != nil
        let exact = gapless.flatMap { stated in
          playing.count == 1 && rescale(stated.priming, sample, tick) == edit.mediaTime
            ? rescale(stated.length, sample, tick) : nil
        }
        ticks &+= min(exact ?? (isOpen ? available : length), available)
      }
      priming = rescale(playing.first?.mediaTime ?? 0, tick, sample) ?? 0
    }
    guard ticks > 0, let end = rescale(ticks, tick, sample, rounding: AV_ROUND_UP) else { return }
    self.end = end
    if movie.firstFragment == nil, box.timescale == Int64(rate) {
      padding = Self.overhang(behind: end, pointer, box: box)
    }
  }

  /// Of all samples, in the track's ticks; nil where not all of them are known, or they state no durations.
  private static func mediaDuration(_ box: MovieTrackBox, _ movie: MovieStructure, _ fragments: FragmentIndex?)
    -> Int64?
  {
    guard movie.firstFragment != nil else {
      guard box.sampleCount > 0, let media = box.sampleDuration, media > 0 else { return nil }
      return media
    }
    guard let end = fragments?.soundEnd(of: box.id) else { return nil }
    return max(end, box.sampleCount > 0 ? box.sampleDuration ?? 0 : 0)
  }

  /// In the track's ticks, upwards: writers round to the movie's coarser ones, and the sample table is finer.
  private static func length(_ edit: MovieTrackBox.Edit, _ box: MovieTrackBox, _ movie: MovieStructure) -> Int64 {
    rescale(
      edit.duration, AVRational(num: 1, den: Int32(clamping: movie.timescale)),
      AVRational(num: 1, den: Int32(clamping: box.timescale)), rounding: AV_ROUND_UP) ?? 0
  }

  /// Priming that only iTunes' comment states, in the stream's ticks: item time begins behind it.
  static func lead(of stream: AVStream, movie: MovieStructure?, tags: OpaquePointer?) -> Int64 {
    guard let box = movie?.track(stream.id), box.edits.allSatisfy({ $0.mediaTime < 0 }), box.sampleCount > 0,
      stream.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO, let gapless = gapless(tags),
      let rate = stream.sampleRate
    else { return 0 }
    return rescale(gapless.priming, AVRational(num: 1, den: rate), stream.time_base) ?? 0
  }

  /// What iTunes' comment says of an MP3 file in which libavformat has cut nothing: one without a LAME header.
  static func comment(on stream: AVStream, movie: MovieStructure?, tags: OpaquePointer?) -> Gapless? {
    guard movie == nil, stream.codecpar?.pointee.codec_id == AV_CODEC_ID_MP3, known(stream.start_time) ?? 0 == 0,
      stream.sampleRate != nil
    else { return nil }
    return gapless(tags)
  }

  /// Samples that the last delivered packet has behind the sound's end. Codecs without fixed packets end exactly.
  private static func overhang(behind end: Int64, _ pointer: UnsafeMutablePointer<AVStream>, box: MovieTrackBox)
    -> Int64
  {
    guard let parameters = pointer.pointee.codecpar?.pointee else { return 0 }
    let frame: Int64
    switch parameters.codec_id {
    case AV_CODEC_ID_AAC: frame = parameters.frame_size > 0 ? Int64(parameters.frame_size) : 1_024
    case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3: frame = 1_536
    case AV_CODEC_ID_MP3: frame = parameters.sample_rate > 24_000 ? 1_152 : 576
    // Several frames share a packet there.
    case AV_CODEC_ID_AMR_NB: frame = max(box.longestSample, 160)
    case AV_CODEC_ID_AMR_WB: frame = max(box.longestSample, 320)
    default: return 0
    }
    // libavformat delivers the packets that its index holds; where they lie no grid says: tracks begin anywhere and
    // have gaps.
    var index = avformat_index_get_entries_count(pointer) - 1
    while index >= 0, let entry = avformat_index_get_entry(pointer, index)?.pointee {
      if entry.flags & AVINDEX_DISCARD_FRAME == 0 { return max(entry.timestamp &+ frame &- end, 0) }
      index -= 1
    }
    return 0
  }

  private static func priming(_ stream: AVStream) -> Int64 {
    Int64(max(stream.codecpar?.pointee.initial_padding ?? 0, 0))
  }

  /// iTunes' comment: reserved, priming, padding and length as hexadecimal numbers.
  private static func gapless(_ tags: OpaquePointer?) -> Gapless? {
    guard let text = String(c: av_dict_get(tags, "iTunSMPB", nil, 0)?.pointee.value, limit: 256) else { return nil }
    let numbers = text.split(separator: " ").map { Int64($0, radix: 16) }
    guard numbers.count >= 4, let priming = numbers[1], let length = numbers[3], priming >= 0, priming < 1 << 20,
      length > 0
    else { return nil }
    return Gapless(priming: priming, padding: max(numbers[2] ?? 0, 0), length: length)
  }

  /// In samples.
  struct Gapless {
    var priming: Int64
    var padding: Int64
    var length: Int64
  }
}

extension AVStream {
  /// Of sound; nil when unknown.
  var sampleRate: Int32? {
    guard let rate = codecpar?.pointee.sample_rate, rate > 0 else { return nil }
    return rate
  }
}
