package import MediaIO

/// One compressed sample on its way from the demuxer to a decoder. The payload is shared, never copied.
package struct MediaPacket: Sendable {
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
  /// Bytes.
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

  /// Lets go of the bytes while the packet's place in a list is kept.
  package mutating func releasePayload() { payload = () }
}
