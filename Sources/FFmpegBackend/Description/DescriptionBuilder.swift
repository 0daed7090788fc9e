import CFFmpeg
import CoreGraphics
import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime

/// Makes a `MediaDescription` of an opened container. Reads nothing.
struct DescriptionBuilder {
  /// More streams than any real media has; what comes behind is left alone.
  static let streamLimit = MediaTrack.indices.count
  /// From here on libavformat takes a container for damaged.
  static let openLimit: Int32 = 4_000
  /// Bytes of a cover picture; a larger one is left alone.
  private static let coverLimit = 64 << 20

  let context: UnsafeMutablePointer<AVFormatContext>
  let movie: MovieStructure?
  let origin: TimeOrigin
  let clocks: [StreamClock]
  /// What reading all packets has told: the end of each stream, in its own ticks of item time.
  var scannedEnds: [Int: Int64] = [:]
  /// What the fragments say, by track number, in the track's ticks.
  var fragments: FragmentIndex?

  var container: String { String(c: context.pointee.iformat?.pointee.name) ?? "unknown" }
  var isMovie: Bool { container.hasPrefix("mov,") }

  func build(isSeekable: Bool) -> MediaDescription {
    var tracks: [MediaTrack] = []
    var covers: [CoverPicture] = []
    let count = min(Int(context.pointee.nb_streams), Self.streamLimit)
    var taken: Set<Int32> = []
    for index in 0..<count {
      guard let pointer = context.pointee.streams[index], let parameters = pointer.pointee.codecpar?.pointee else {
        continue
      }
      let stream = pointer.pointee
      if stream.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
        if let cover = Self.cover(stream, parameters) { covers.append(cover) }
        continue
      }
      guard let kind = Self.kind(parameters) else { continue }
      var track = self.track(pointer, parameters, kind: kind, index: index)
      while track.id == 0 || taken.contains(track.id) { track.id = Self.freeNumber(taken) }
      taken.insert(track.id)
      tracks.append(track)
    }
    let (duration, isPrecise) =
      clocks.contains { $0.primedRate > 0 }
      ? (tracks.map(\.timeRange.end).max() ?? .indefinite, true) : wholeDuration(tracks)
    var description = MediaDescription(
      container: container, duration: duration, isDurationPrecise: isPrecise, tracks: tracks)
    description.metadata = MetadataMapping.entries(of: context.pointee.metadata, container: container)
    // Ogg keeps its comments in the stream.
    if description.metadata.isEmpty || container == "ogg" {
      description.metadata += tracks.filter { $0.kind != .subtitle }.flatMap(\.metadata)
    }
    description.covers = covers
    description.fonts = AttachedFont.all(in: context)
    description.chapters = chapters(until: duration)
    description.isSeekable = isSeekable
    description.hasProtectedContent = movie?.tracks.contains { $0.isProtected } ?? false
    description.isFragmented = movie?.isFragmented ?? false
    description.bitRate = Self.bitRate(context.pointee.bit_rate)
    return description
  }

  private static func freeNumber(_ taken: Set<Int32>) -> Int32 {
    (1...Int32(streamLimit * 2)).first { !taken.contains($0) } ?? Int32.max
  }

  /// Nil for what is no track: fonts and other attached files.
  static func kind(_ parameters: AVCodecParameters) -> TrackKind? {
    switch parameters.codec_type {
    case AVMEDIA_TYPE_VIDEO: .video
    case AVMEDIA_TYPE_AUDIO: .audio
    case AVMEDIA_TYPE_SUBTITLE: parameters.codec_id == AV_CODEC_ID_EIA_608 ? .closedCaption : .subtitle
    case AVMEDIA_TYPE_DATA:
      switch parameters.codec_tag.byteSwapped {
      case code("tmcd"): .timecode
      case code("text"), code("tx3g"): .text
      default: .metadata
      }
    default: nil
    }
  }

  private func track(
    _ pointer: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters, kind: TrackKind, index: Int
  ) -> MediaTrack {
    let stream = pointer.pointee
    let clock = index < clocks.count ? clocks[index] : origin.clock(of: stream)
    let box = isMovie ? movie?.track(stream.id) : nil
    let tag = box?.originalEntry ?? 0
    let codec = MediaCodec(
      name: String(c: avcodec_get_name(parameters.codec_id)) ?? "unknown",
      fourCC: tag != 0 ? tag : CodecNames.fourCC(of: parameters.codec_id, tag: parameters.codec_tag, isMovie: isMovie),
      profile: String(c: avcodec_profile_name(parameters.codec_id, parameters.profile)))
    let presentation = box.flatMap { self.presentation($0, stream) }
    let range = presentation?.range ?? streamRange(stream, clock, index: index)
    var track = MediaTrack(
      id: stream.id, index: index, kind: kind, timeBase: TimeBase(clock.timeBase), codec: codec, timeRange: range)
    track.segments = presentation?.segments ?? []
    track.bitRate = Self.bitRate(parameters.bit_rate)
    let tags = stream.metadata
    track.languageCode = Self.language(tags)
    track.extendedLanguageTag = box?.extendedLanguage
    track.title = String(c: av_dict_get(tags, "title", nil, 0)?.pointee.value, limit: 4_096)
    track.isEnabled = box?.isEnabled ?? true
    track.alternateGroup = box?.alternateGroup ?? 0
    let isProtected = box?.isProtected ?? false
    track.isDecodable =
      !isProtected && avcodec_find_decoder(parameters.codec_id) != nil && Self.isRateUsable(parameters)
    track.characteristics = Self.characteristics(stream.disposition)
    track.metadata = MetadataMapping.entries(of: tags, container: container)
    var soundEnd: Int64?
    switch kind {
    case .video: track.video = videoFormat(stream, parameters, box: box, range: range)
    case .audio:
      var format = AudioFormat(parameters)
      let trim = SoundTrim(
        box: box, movie: movie, fragments: fragments, tags: context.pointee.metadata, stream: pointer,
        rate: format.sampleRate)
      format.primingSamples = trim.priming
      format.paddingSamples = trim.padding
      soundEnd = trim.end
      if clock.primedRate > 0, let end = trim.end, scannedEnds[index].map({ end <= samples($0, clock) }) ?? true {
        track.timeRange = CMTimeRange(
          start: .zero, duration: CMTime(value: end, timescale: clock.primedRate))
      }
      track.audio = format
    default: break
    }
    track.formatDescription = FormatDescriptions.make(track, parameters)
    track.decoderConfiguration = DecoderConfiguration(
      stream: stream, clock: clock, isProtected: isProtected, soundEnd: soundEnd)
    return track
  }

  private static func bitRate(_ stated: Int64) -> Int64 { MediaTrack.bitRates.contains(stated) ? stated : 0 }

  /// Only plain samples have the rate that the container states; of other sound it is decoded to see, whatever a header
  /// says.
  private static func isRateUsable(_ parameters: AVCodecParameters) -> Bool {
    let plainSamples = AV_CODEC_ID_PCM_S16LE.rawValue..<AV_CODEC_ID_AMR_NB.rawValue
    return !plainSamples.contains(parameters.codec_id.rawValue) || parameters.sample_rate == 0
      || AudioFormat.sampleRates.contains(Int(parameters.sample_rate))
  }

  private func samples(_ ticks: Int64, _ clock: StreamClock) -> Int64 {
    rescale(ticks, clock.timeBase, AVRational(num: 1, den: clock.primedRate)) ?? 0
  }

  static func language(_ tags: OpaquePointer?) -> String? {
    guard let text = String(c: av_dict_get(tags, "language", nil, 0)?.pointee.value, limit: 64), text != "und",
      !text.isEmpty
    else { return nil }
    return LanguageCode.terminological(text)
  }

  private static func characteristics(_ disposition: Int32) -> Set<TrackCharacteristic> {
    let meanings: [(Int32, TrackCharacteristic)] = [
      (AV_DISPOSITION_ORIGINAL, .original), (AV_DISPOSITION_DUB, .dubbed), (AV_DISPOSITION_COMMENT, .comment),
      (AV_DISPOSITION_LYRICS, .lyrics), (AV_DISPOSITION_KARAOKE, .karaoke), (AV_DISPOSITION_FORCED, .forced),
      (AV_DISPOSITION_HEARING_IMPAIRED, .hearingImpaired), (AV_DISPOSITION_VISUAL_IMPAIRED, .visualImpaired),
      (AV_DISPOSITION_CLEAN_EFFECTS, .cleanEffects), (AV_DISPOSITION_CAPTIONS, .captions),
      (AV_DISPOSITION_DESCRIPTIONS, .descriptions), (AV_DISPOSITION_DEPENDENT, .dependent),
    ]
    return Set(meanings.filter { disposition & $0.0 != 0 }.map(\.1))
  }

  private static func cover(_ stream: AVStream, _ parameters: AVCodecParameters) -> CoverPicture? {
    guard let bytes = stream.attached_pic.data, stream.attached_pic.size > 0,
      Int(stream.attached_pic.size) <= coverLimit
    else { return nil }
    let type: String =
      switch parameters.codec_id {
      case AV_CODEC_ID_PNG: "image/png"
      case AV_CODEC_ID_BMP: "image/bmp"
      case AV_CODEC_ID_GIF: "image/gif"
      case AV_CODEC_ID_WEBP: "image/webp"
      case AV_CODEC_ID_TIFF: "image/tiff"
      default: "image/jpeg"
      }
    return CoverPicture(
      data: Data(bytes: bytes, count: Int(stream.attached_pic.size)), mimeType: type,
      title: String(c: av_dict_get(stream.metadata, "title", nil, 0)?.pointee.value, limit: 4_096))
  }
}
