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

  /// Has the decoder leave out the first samples that come of this packet.
  func skip(_ samples: Int64) {
    // The field's form: samples to skip and to discard, 32 bits each, low byte first, and two reasons.
    guard samples > 0, let data = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10) else { return }
    let count = UInt32(clamping: samples)
    for place in 0..<10 { data[place] = place < 4 ? UInt8(truncatingIfNeeded: count >> (8 * UInt32(place))) : 0 }
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }
}
