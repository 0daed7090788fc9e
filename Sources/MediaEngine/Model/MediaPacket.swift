package import MediaIO

/// One compressed sample on its way from the demuxer to a decoder. The payload is shared, never copied.
///
/// The back end keeps times within `ticks` and durations within `durations`, so that the sum of two of them, and of a
/// time and two durations, fits; times beyond are none, durations beyond are 0.
package struct MediaPacket: Sendable {
  /// Ticks that a time may have: ±2⁶¹.
  package static let ticks: ClosedRange<Int64> = -(1 << 61)...(1 << 61)
  package static let durations: ClosedRange<Int64> = 0...(1 << 61)
  /// Bytes that a packet takes beside its own: the library's packet, its buffer's keepers, our places in lists.
  package static let overhead = 512

  /// `MediaTrack.index` of its track.
  package var track: Int
  /// Ticks of the track's time base in item time; nil when the container gives none.
  package var presentationTime: Int64?
  package var decodeTime: Int64?
  /// Ticks; 0 when unknown.
  package var duration: Int64
  package var isKeyframe: Bool
  /// The container or codec says no other frame depends on it (safe to leave out before a seek's target).
  package var isDisposable: Bool
  /// The container shows that a part of it is missing.
  package var isDamaged = false
  /// Bytes, not negative.
  package var size: Int
  /// Where it began in the source; nil when unknown.
  package var offset: Int64?
  /// The operation that read it; packets of an older one are dropped.
  package var generation: Generation
  /// The backend's own packet.
  package var payload: any Sendable

  package init(
    track: Int, presentationTime: Int64?, decodeTime: Int64?, duration: Int64, isKeyframe: Bool,
    isDisposable: Bool = false, size: Int, offset: Int64? = nil, generation: Generation, payload: any Sendable
  ) {
    self.track = track
    self.presentationTime = presentationTime
    self.decodeTime = decodeTime
    self.duration = duration
    self.isKeyframe = isKeyframe
    self.isDisposable = isDisposable
    self.size = size
    self.offset = offset
    self.generation = generation
    self.payload = payload
  }

  /// Bytes that holding it takes, for limits.
  package var cost: Int { size + Self.overhead }

  /// Lets go of the bytes while the packet's place in a list is kept.
  package mutating func releasePayload() { payload = () }
}
