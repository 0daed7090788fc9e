import CFFmpeg
import MediaEngine

/// How much of a track's decoded sound is the encoder's priming and padding, and where the sound ends.
///
/// libavformat 5.1 cuts the start, and the end of MP3 and Opus; the end of sound in a movie is cut by us.
struct SoundTrim {
  var priming: Int64 = 0
  var padding: Int64 = 0
  /// In samples of item time; nil when nothing says where the sound ends.
  var end: Int64?

  init(
    box: MovieTrackBox?, movie: MovieStructure?, tags: OpaquePointer?, stream pointer: UnsafeMutablePointer<AVStream>,
    rate: Int
  ) {
    let stream = pointer.pointee
    guard let box, let movie, box.sampleCount > 0, let media = box.sampleDuration, box.timescale == Int64(rate) else {
      priming = Self.priming(stream)
      return
    }
    guard movie.firstFragment == nil else { return }
    let playing = box.edits.filter { $0.mediaTime >= 0 }
    if let edit = playing.first, playing.count == 1 {
      priming = edit.mediaTime
      let silence = box.edits.prefix { $0.mediaTime < 0 }.reduce(Int64(0)) { $0 &+ $1.duration }
      guard movie.timescale > 0 else { return }
      let scale = AVRational(num: 1, den: Int32(clamping: movie.timescale))
      let own = AVRational(num: 1, den: Int32(clamping: rate))
      // Written in the movie's coarse ticks and rounded by most writers: the sample table is finer.
      guard let start = rescale(silence, scale, own),
        let length = rescale(edit.duration, scale, own, rounding: AV_ROUND_UP)
      else { return }
      let available = media &- edit.mediaTime
      let exact = Self.gapless(tags).flatMap { $0.priming == edit.mediaTime ? $0.length : nil }
      let kept = min(exact ?? (edit.duration > 0 ? length : available), available)
      guard kept > 0 else { return }
      end = start &+ kept
      padding = Self.overhang(behind: start &+ kept, pointer, box: box)
    } else if playing.isEmpty, let gapless = Self.gapless(tags), gapless.length > 0 {
      priming = gapless.priming
      end = gapless.length
      padding = max(box.sampleCount &* box.longestSample &- gapless.priming &- gapless.length, 0)
    }
  }

  /// Priming that only iTunes' comment states: item time begins behind it.
  static func lead(of stream: AVStream, movie: MovieStructure?, tags: OpaquePointer?) -> Int64 {
    guard let box = movie?.track(stream.id), box.edits.allSatisfy({ $0.mediaTime < 0 }), box.sampleCount > 0,
      stream.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO, let gapless = gapless(tags)
    else { return 0 }
    return gapless.priming
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
  private static func gapless(_ tags: OpaquePointer?) -> (priming: Int64, length: Int64)? {
    guard let text = String(c: av_dict_get(tags, "iTunSMPB", nil, 0)?.pointee.value, limit: 256) else { return nil }
    let numbers = text.split(separator: " ").map { Int64($0, radix: 16) }
    guard numbers.count >= 4, let priming = numbers[1], let length = numbers[3], priming >= 0, priming < 1 << 20,
      length > 0
    else { return nil }
    return (priming, length)
  }
}
