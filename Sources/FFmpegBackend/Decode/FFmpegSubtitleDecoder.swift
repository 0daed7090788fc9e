import CFFmpeg
import CoreMedia
import Foundation
package import MediaEngine
package import MediaRuntime

/// Subtitles that are coded: pictures of DVDs, Blu-rays and broadcasts, captions of CEA-608, timed text of movies.
///
/// `@unchecked Sendable`: the engine calls it on one queue at a time.
package final class FFmpegSubtitleDecoder: SubtitleDecoder, @unchecked Sendable {
  private let decoder: DecoderContext
  private let timeBase: TimeBase
  /// libavcodec gives most text as dialogue of SubStation with a header of its own, which says how captions look.
  package let script: SubStationScript?
  /// Captions come out when the next ones take their place, with a time that is not the packet's.
  private let hasOwnTimes: Bool

  /// What FFmpeg's decoders and muxers state where nothing is known: 2³² − 1 milliseconds.
  private static let unlimited = CMTime(value: Int64(UInt32.max), timescale: 1_000)

  package var name: String { decoder.name }

  init(_ track: MediaTrack) throws(MediaError) {
    let decoder = try DecoderContext(track) { context, _ in
      context.pointee.thread_count = 1
      guard context.pointee.codec_id == AV_CODEC_ID_DVB_TELETEXT else { return }
      // Of hundreds of pages those that are subtitles, as text.
      av_opt_set(context, "txt_page", "subtitle", AV_OPT_SEARCH_CHILDREN)
      av_opt_set(context, "txt_format", "ass", AV_OPT_SEARCH_CHILDREN)
    }
    self.decoder = decoder
    timeBase = track.timeBase
    hasOwnTimes = decoder.context.pointee.codec_id == AV_CODEC_ID_EIA_608
    let context = decoder.context.pointee
    if let header = context.subtitle_header, context.subtitle_header_size > 0 {
      let bytes = UnsafeBufferPointer(start: header, count: Int(context.subtitle_header_size))
      script = SubStationScript(header: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    } else {
      script = nil
    }
  }

  package func decode(_ packet: MediaPacket) throws(MediaError) -> [SubtitleCue] {
    guard let box = packet.payload as? PacketBox else {
      throw MediaError(.decodeFailed, "The packet was made by another back end. Open the media again.")
    }
    guard box.packet.pointee.size > 0 else { return [] }
    var subtitle = AVSubtitle()
    var isMade: Int32 = 0
    let status = avcodec_decode_subtitle2(decoder.context, &subtitle, &isMade, box.packet)
    guard status >= 0 else { throw decoder.decodeFailure(status) }
    guard isMade != 0 else { return [] }
    defer { avsubtitle_free(&subtitle) }
    let start = packet.presentationTime.map(timeBase.time) ?? .invalid
    let duration = timeBase.time(packet.duration)
    return cues(subtitle, at: start, lasting: packet.duration > 0 && duration < Self.unlimited ? duration : nil)
  }

  package func finish() -> [SubtitleCue] {
    guard decoder.context.pointee.codec?.pointee.capabilities ?? 0 & AV_CODEC_CAP_DELAY != 0, let box = PacketBox()
    else { return [] }
    var subtitle = AVSubtitle()
    var isMade: Int32 = 0
    guard avcodec_decode_subtitle2(decoder.context, &subtitle, &isMade, box.packet) >= 0, isMade != 0 else { return [] }
    defer { avsubtitle_free(&subtitle) }
    return cues(subtitle, at: .invalid, lasting: nil)
  }

  package func flush() { avcodec_flush_buffers(decoder.context) }

  // MARK: Cues

  private func cues(_ subtitle: AVSubtitle, at packetTime: CMTime, lasting: CMTime?) -> [SubtitleCue] {
    var start = packetTime
    if hasOwnTimes || !start.isValid, let own = known(subtitle.pts) {
      let origin = rescale(decoder.configuration.origin, decoder.configuration.timeBase, .microseconds) ?? 0
      start = CMTime(value: own &- origin, timescale: 1_000_000)
    }
    guard start.isNumeric else { return [] }
    var end = lasting.map { start + $0 } ?? .indefinite
    // Milliseconds from the packet's time.
    let (shownAfter, shownUntil) = (subtitle.start_display_time, subtitle.end_display_time)
    if shownUntil != UInt32.max, shownUntil > shownAfter {
      end = start + CMTime(value: Int64(shownUntil), timescale: 1_000)
    }
    if shownAfter != UInt32.max, shownAfter > 0 { start = start + CMTime(value: Int64(shownAfter), timescale: 1_000) }
    var pictures: [SubtitlePicture] = []
    var texts: [SubtitleCue] = []
    var isForced = false
    for index in 0..<Int(min(subtitle.num_rects, 1_000)) {
      guard let rectangle = subtitle.rects?[index]?.pointee else { continue }
      isForced = isForced || rectangle.flags & AV_SUBTITLE_FLAG_FORCED != 0
      switch rectangle.type {
      case SUBTITLE_BITMAP: if let picture = picture(rectangle) { pictures.append(picture) }
      case SUBTITLE_ASS:
        if let line = String(c: rectangle.ass, limit: 1 << 18), var event = SubStationEvent(packet: line) {
          // Each decoder counts anew: the same cue, read a second time, would be another one.
          event.readOrder = 0
          let script = script ?? SubStationScript(header: "")
          texts.append(script.cue(event, start: start, end: end))
        }
      case SUBTITLE_TEXT:
        if let text = String(c: rectangle.text, limit: 1 << 18) {
          texts.append(SubtitleCue(start: start, end: end, content: .text(StyledText(text))))
        }
      default: break
      }
    }
    var cues = texts
    // One without any picture clears the screen.
    if texts.isEmpty { cues.append(SubtitleCue(start: start, end: end, content: .pictures(pictures))) }
    for index in cues.indices { cues[index].isForced = isForced }
    return cues
  }

  private func picture(_ rectangle: AVSubtitleRect) -> SubtitlePicture? {
    let (width, height) = (Int(rectangle.w), Int(rectangle.h))
    guard SubtitlePicture.sides.contains(width), SubtitlePicture.sides.contains(height),
      width * height <= SubtitlePicture.areaLimit, let indices = rectangle.data.0, let palette = rectangle.data.1,
      Int(rectangle.linesize.0) >= width
    else { return nil }
    let stride = Int(rectangle.linesize.0)
    let colors = (0..<256).map { entry in
      entry < rectangle.nb_colors
        ? Self.premultiplied(UnsafeRawPointer(palette).loadUnaligned(fromByteOffset: entry * 4, as: UInt32.self)) : 0
    }
    var pixels = [UInt32](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width { pixels[row * width + column] = colors[Int(indices[row * stride + column])] }
    }
    let context = decoder.context.pointee
    return SubtitlePicture(
      x: Int(rectangle.x), y: Int(rectangle.y), width: width, height: height, frameWidth: max(Int(context.width), 0),
      frameHeight: max(Int(context.height), 0), pixels: pixels.withUnsafeBytes { Data($0) })
  }

  /// A palette's entry (alpha, red, green, blue from the highest bits down) as bytes red, green, blue, alpha.
  private static func premultiplied(_ entry: UInt32) -> UInt32 {
    let alpha = entry >> 24
    func part(_ shift: UInt32) -> UInt32 { ((entry >> shift & 255) * alpha + 127) / 255 }
    return (part(16) | part(8) << 8 | part(0) << 16 | alpha << 24).littleEndian
  }
}
