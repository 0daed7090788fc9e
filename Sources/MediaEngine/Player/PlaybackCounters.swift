internal import MediaRuntime

/// What an item has read and left out since it was attached. Every figure only grows.
package struct PlaybackCounters: Hashable, Sendable {
  /// Bytes of all packets that were read from the source.
  package var bytes: Int64 = 0
  package var videoBytes: Int64 = 0
  package var audioBytes: Int64 = 0
  /// Seconds of media in those packets.
  package var videoSeconds = 0.0
  package var audioSeconds = 0.0
  /// Seconds that reading took; zero on virtual time.
  package var readSeconds = 0.0
  /// Frames that were due while playing and were not shown.
  package var droppedFrames = 0

  package init() {}

  /// What came since an earlier reading.
  package static func - (new: PlaybackCounters, old: PlaybackCounters) -> PlaybackCounters {
    var difference = PlaybackCounters()
    difference.bytes = new.bytes - old.bytes
    difference.videoBytes = new.videoBytes - old.videoBytes
    difference.audioBytes = new.audioBytes - old.audioBytes
    difference.videoSeconds = new.videoSeconds - old.videoSeconds
    difference.audioSeconds = new.audioSeconds - old.audioSeconds
    difference.readSeconds = new.readSeconds - old.readSeconds
    difference.droppedFrames = new.droppedFrames - old.droppedFrames
    return difference
  }

  /// Bits per second; −1 while nothing is known.
  package static func bitRate(_ bytes: Int64, _ seconds: Double) -> Double {
    seconds > 0 && bytes > 0 ? Double(bytes) * 8 / seconds : -1
  }
}

/// Where an item's parts count. Any thread.
final class ItemMeter: Sendable {
  private let state = Lock(PlaybackCounters())

  var counters: PlaybackCounters { state.withLock { $0 } }

  func read(_ packet: MediaPacket, of track: MediaTrack?, in time: Nanoseconds) {
    let seconds = track.map { Double(packet.duration) * $0.timeBase.secondsPerTick } ?? 0
    state.withLock { counters in
      counters.bytes += Int64(packet.size)
      counters.readSeconds += time.seconds
      switch track?.kind {
      case .video:
        counters.videoBytes += Int64(packet.size)
        counters.videoSeconds += seconds
      case .audio:
        counters.audioBytes += Int64(packet.size)
        counters.audioSeconds += seconds
      default: break
      }
    }
  }

  func drop(_ frames: Int) {
    guard frames > 0 else { return }
    state.withLock { $0.droppedFrames += frames }
  }
}
