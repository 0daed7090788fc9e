import CFFmpeg

/// Whether the last packet of a container shows that its source was cut off inside it.
///
/// Only containers that end with their last packet are asked: elsewhere whole files end in what is no packet.
enum CutPacket {
  private static let counting: Set<String> = ["flac", "ape", "tta", "wv", "mpc", "mpc8"]

  /// Containers of one sound, in whose header the encoder wrote the count of samples when it was done.
  static func isTelling(of context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    counting.contains(name(of: context)) && context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
  }

  /// libavformat marks packets that are shorter than the container says; frames of FLAC have no size, but a sum.
  static func isCut(_ box: PacketBox?, _ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    guard let packet = box?.packet.pointee, let data = packet.data, packet.size > 0 else { return false }
    if name(of: context) == "flac" {
      return !hasRightSum(UnsafeBufferPointer(start: data, count: Int(packet.size)))
    }
    return packet.flags & AV_PKT_FLAG_CORRUPT != 0
  }

  /// The frame's footer is the CRC-16 of all before it, polynomial 0x8005 from 0 (RFC 9639, 9.3): over the whole it is 0.
  private static func hasRightSum(_ frame: UnsafeBufferPointer<UInt8>) -> Bool {
    var sum: UInt16 = 0
    for byte in frame {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
    }
    return sum == 0
  }

  private static func name(of context: UnsafeMutablePointer<AVFormatContext>) -> String {
    String(c: context.pointee.iformat?.pointee.name) ?? ""
  }
}
