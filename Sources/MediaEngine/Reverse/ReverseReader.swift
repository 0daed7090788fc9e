import CoreMedia
import MediaIO
import MediaRuntime

/// The packets that decode to the frames before a time.
struct ReverseGroup {
  /// In decoding order from the key frame on; empty where they are too many to be held, and read anew for each piece.
  private(set) var packets: [MediaPacket] = []
  /// Times of their frames before that time, ascending; nil where the container has none. Pictures that lead the key
  /// frame refer to the group before, and belong to it.
  private(set) var times: [Int64]? = []
  /// The time of the key frame; without one, the first time there is.
  let start: Int64
  /// Frames of earlier times are wanted.
  let bound: Int64
  private(set) var isHeld = true
  private var size = 0

  /// Bytes of packets that are held.
  private static let limit = 32 << 20

  init(first packet: MediaPacket, before bound: Int64) {
    start = packet.presentationTime ?? packet.decodeTime ?? .min
    self.bound = bound
  }

  mutating func append(_ packet: MediaPacket) {
    if let time = packet.presentationTime {
      if time < bound, time >= start { times?.append(time) }
    } else {
      times = nil
    }
    size += packet.cost
    if size > Self.limit {
      isHeld = false
      packets = []
    } else {
      packets.append(packet)
    }
  }

  mutating func close() { times?.sort() }
}

/// Reads one track of an opened medium from the key frame before a time up to it. Used on the medium's queue alone.
final class ReverseReader {
  let media: OpenedMedia
  private let track: MediaTrack
  private var bound: Int64 = 0
  /// Packets behind the time that have come in a row of a container without decoding times.
  private var later = 0

  /// Frames that codecs reorder at most (H.264 and H.265: 16).
  private static let reorderLimit = 17

  init(_ media: OpenedMedia, _ track: MediaTrack) {
    self.media = media
    self.track = track
    media.demuxer.select([track.index])
  }

  func seek(before bound: Int64) throws(MediaError) {
    self.bound = bound
    later = 0
    try media.demuxer.seek(to: CMTimeMaximum(track.timeBase.time(bound - 1), .zero), media.generation)
  }

  enum Progress {
    case packet(MediaPacket)
    case nothing
    /// No packet follows whose frame may be earlier than the time.
    case end
  }

  func read() throws(MediaError) -> Progress {
    switch try media.demuxer.read(media.generation) {
    case .end: return .end
    case .description: return .nothing
    case .packet(let packet):
      guard packet.track == track.index else { return .nothing }
      if let time = packet.decodeTime {
        if time >= bound { return .end }
      } else if let time = packet.presentationTime, time >= bound {
        later += 1
        if later >= Self.reorderLimit { return .end }
      }
      return .packet(packet)
    }
  }
}
