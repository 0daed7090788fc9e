import CFFmpeg
import Foundation
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// Pictures by libavcodec, in presentation order.
///
/// `@unchecked Sendable`: the engine calls it on one queue at a time.
package final class FFmpegVideoDecoder: VideoDecoder, @unchecked Sendable {
  private let decoder: DecoderContext
  private let format: VideoFormat
  private let timeBase: TimeBase
  private let origin: Int64
  private var generation: Generation
  private var times: DecodeTimes
  /// Frames that came out while a packet did not go in.
  private var ready: [FrameBox] = []
  private var formats: PictureFormats
  private var lastEnd: Int64?
  private var isFinished = false

  package var name: String { decoder.name }

  init(_ track: MediaTrack, threads: Int, _ generation: Generation) throws(MediaError) {
    let decoder = try DecoderContext(track) { context, codec in
      context.pointee.thread_count = Int32(clamping: max(threads, 1))
      context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
    }
    self.decoder = decoder
    self.generation = generation
    let format = track.video ?? VideoFormat(width: 0, height: 0)
    self.format = format
    timeBase = track.timeBase
    origin = decoder.configuration.origin
    times = DecodeTimes(decoder.configuration.timeBase)
    formats = PictureFormats(stream: format, pixelAspect: decoder.configuration.pixelAspect)
  }

  package func send(_ packet: MediaPacket, skippingNonReference: Bool) throws(MediaError) {
    guard let box = packet.payload as? PacketBox else {
      throw MediaError(.decodeFailed, "The packet was made by another back end. Open the media again.")
    }
    generation = packet.generation
    guard box.packet.pointee.size > 0 else { return }
    let context = decoder.context
    context.pointee.skip_frame = skippingNonReference ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
    let time = times.time(of: box.packet.pointee, in: context.pointee, frameRate: decoder.configuration.frameRate)
    if known(box.packet.pointee.dts) == nil, let time, let ticks = rescale(time, .microseconds, timeBase.rational) {
      try put(try copy(box, decodeTime: ticks))
    } else {
      try put(box)
    }
  }

  package func receive() throws(MediaError) -> Decoded<VideoFrame> {
    if !ready.isEmpty { return .output(frame(ready.removeFirst())) }
    guard let box = FrameBox() else { throw .outOfMemory }
    let status = avcodec_receive_frame(decoder.context, box.frame)
    switch status {
    case 0...: return .output(frame(box))
    case .again: return .needsInput
    case .endOfFile: return isFinished ? .end : .needsInput
    default: throw decoder.decodeFailure(status)
    }
  }

  package func finish() {
    isFinished = true
    _ = avcodec_send_packet(decoder.context, nil)
  }

  package func flush(_ generation: Generation) {
    self.generation = generation
    avcodec_flush_buffers(decoder.context)
    ready.removeAll()
    times.reset()
    lastEnd = nil
    isFinished = false
  }

  private func put(_ box: PacketBox) throws(MediaError) {
    var status = avcodec_send_packet(decoder.context, box.packet)
    while status == .again {
      guard let frame = FrameBox() else { throw .outOfMemory }
      guard avcodec_receive_frame(decoder.context, frame.frame) >= 0 else { break }
      ready.append(frame)
      status = avcodec_send_packet(decoder.context, box.packet)
    }
    guard status >= 0 else { throw decoder.decodeFailure(status) }
  }

  /// The packet with a time of its own; the bytes are shared.
  private func copy(_ box: PacketBox, decodeTime: Int64) throws(MediaError) -> PacketBox {
    guard let copy = PacketBox(), av_packet_ref(copy.packet, box.packet) >= 0 else { throw .outOfMemory }
    copy.packet.pointee.dts = decodeTime
    return copy
  }

  private func frame(_ box: FrameBox) -> VideoFrame {
    let frame = box.frame
    let duration = max(frame.pointee.pkt_duration, 0)
    let time = known(frame.pointee.best_effort_timestamp).map { $0 &- origin } ?? lastEnd ?? 0
    lastEnd = time &+ (duration > 0 ? duration : frameDuration)
    return VideoFrame(
      presentationTime: time, duration: duration, timeBase: timeBase, generation: generation,
      isKeyframe: frame.pointee.key_frame != 0, picture: FramePicture(box, format: formats.format(of: frame)))
  }

  /// Ticks of a picture whose packet names no duration.
  private var frameDuration: Int64 {
    let rate = decoder.context.pointee.framerate
    guard rate.isPositive else { return 0 }
    return rescale(1, AVRational(num: rate.den, den: rate.num), timeBase.rational) ?? 0
  }
}
