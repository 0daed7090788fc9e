import CFFmpeg

/// Owns a compressed packet of FFmpeg's; its bytes are shared with whoever decodes it.
///
/// `@unchecked Sendable`: filled by the demuxer before anybody else sees it, only read afterwards.
final class PacketBox: @unchecked Sendable {
  let packet: UnsafeMutablePointer<AVPacket>

  /// Nil when there is no memory.
  init?() {
    guard let packet = av_packet_alloc() else { return nil }
    self.packet = packet
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }
}
