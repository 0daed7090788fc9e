import CFFmpeg
import CoreMedia
package import MediaEngine
package import MediaRuntime

/// Subtitles whose packets are text: SubRip, WebVTT, SubStation Alpha, plain text. The engine's own parsers read them.
///
/// `@unchecked Sendable`: the engine calls it on one queue at a time.
package final class TextSubtitleDecoder: SubtitleDecoder, @unchecked Sendable {
  private enum Form {
    case subRip
    case webVTT(WebVTTStyling, regions: [CueRegion])
    case subStation
  }

  private let form: Form
  private let timeBase: TimeBase
  package let script: SubStationScript?
  package let name: String

  /// Nil when the track's packets are no text.
  init?(_ track: MediaTrack) {
    guard let configuration = track.decoderConfiguration as? DecoderConfiguration, !configuration.isProtected else {
      return nil
    }
    let parameters = configuration.parameters.pointee
    let header = Self.text(parameters.extradata, Int(parameters.extradata_size))
    switch parameters.codec_id {
    case AV_CODEC_ID_SUBRIP, AV_CODEC_ID_TEXT:
      form = .subRip
      script = nil
    case AV_CODEC_ID_WEBVTT:
      let document = WebVTTDocument(header)
      form = .webVTT(WebVTTStyling(styleSheets: document?.styleSheets ?? []), regions: document?.regions ?? [])
      script = nil
    case AV_CODEC_ID_ASS, AV_CODEC_ID_SSA:
      form = .subStation
      script = SubStationScript(header: header)
    default: return nil
    }
    timeBase = track.timeBase
    name = configuration.codecName
  }

  private static func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> String {
    guard let bytes, count > 0 else { return "" }
    // Old files have packets in the encoding of their side files.
    let content = Array(UnsafeBufferPointer(start: bytes, count: min(count, 32 << 20)).prefix { $0 != 0 })
    return EncodingDetector.decode(content).text
  }

  package func decode(_ packet: MediaPacket) throws(MediaError) -> [SubtitleCue] {
    guard let box = packet.payload as? PacketBox else {
      throw MediaError(.decodeFailed, "The packet was made by another back end. Open the media again.")
    }
    guard let ticks = packet.presentationTime else { return [] }
    let start = timeBase.time(ticks)
    let end = packet.duration > 0 ? timeBase.time(ticks + packet.duration) : .indefinite
    let text = Self.text(box.packet.pointee.data, Int(box.packet.pointee.size))
    switch form {
    case .subRip: return [SubRipParser.cue(text, start: start, end: end)]
    case .webVTT(let styling, let regions):
      let identifier = sideData(box, AV_PKT_DATA_WEBVTT_IDENTIFIER)
      let styled = styling.text(text, identifier: identifier)
      var cue = SubtitleCue(start: start, end: end, content: .text(styled))
      cue.identifier = identifier
      cue.placement = WebVTTSettings.placement(sideData(box, AV_PKT_DATA_WEBVTT_SETTINGS), regions: regions)
      return [cue]
    case .subStation:
      guard let script, let event = SubStationEvent(packet: text) else {
        throw MediaError(.decodeFailed, "A subtitle is damaged and was left out.")
      }
      return [script.cue(event, start: start, end: end)]
    }
  }

  package func finish() -> [SubtitleCue] { [] }
  package func flush() {}

  private func sideData(_ box: PacketBox, _ kind: AVPacketSideDataType) -> String {
    var size = 0
    guard let data = av_packet_get_side_data(box.packet, kind, &size), size > 0 else { return "" }
    return String(decoding: UnsafeBufferPointer(start: data, count: min(size, 4_096)), as: UTF8.self)
  }
}
