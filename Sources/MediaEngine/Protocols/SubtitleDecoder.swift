package import MediaRuntime

/// Packets of a subtitle track in, cues out, in the order of their beginnings. One queue at a time; never waits.
///
/// A cue without a known end is `.indefinite`: the next one takes its place, also when that has no content.
package protocol SubtitleDecoder: AnyObject, Sendable {
  /// - Throws: `decodeFailed` for this packet, or `outOfMemory`; the decoder goes on with the next one.
  func decode(_ packet: MediaPacket) throws(MediaError) -> [SubtitleCue]
  /// No packet follows: what the decoder held back.
  func finish() -> [SubtitleCue]
  /// Forgets everything, before packets of another place come.
  func flush()
  /// Styles and information of a SubStation track; nil for others.
  var script: SubStationScript? { get }
  /// Such as `subrip`, `pgssub`.
  var name: String { get }
}
