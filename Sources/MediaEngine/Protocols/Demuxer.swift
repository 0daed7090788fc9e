package import CoreMedia
package import MediaIO
package import MediaRuntime

/// Takes a container apart. Lives on one source queue: every call is made there and may wait there.
///
/// Interruption: each call carries its generation; after `ByteSource.want(newer)` a running call returns soon,
/// with `.interrupted` whatever the library said.
package protocol Demuxer: AnyObject, Sendable {
  /// Reads the header of a source that is open. Called once.
  /// - Throws: 1xxx–3xxx, `.interrupted`.
  func open(_ generation: Generation) throws(MediaError) -> MediaDescription

  /// The description with what only a scan can tell (exact duration of raw streams, VBR MP3, TS), at the price of reading on.
  /// With `SourceHints.measuresTiming` the header is not believed either, unless it is an index of all samples.
  /// The reading position afterwards is undefined: seek before the next `read`.
  func preciseDescription(_ generation: Generation) throws(MediaError) -> MediaDescription

  /// Only these tracks (`MediaTrack.index`) are delivered; others are skipped in the container where it can.
  func select(_ tracks: Set<Int>)

  func read(_ generation: Generation) throws(MediaError) -> DemuxedSample

  /// Moves to the key frame that decoding `target` needs: the last one of the video (else audio) whose time is at or
  /// before `target`; the first one after, if none is. Sound alone may start early enough to refill the decoder.
  /// Works on containers without an index too (by reading).
  func seek(to target: CMTime, _ generation: Generation) throws(MediaError)

  /// The same; with `showsKeyframe` the key frame itself may become the place to play from, so sound is wanted from
  /// before it, as it is otherwise from before the target.
  func seek(to target: CMTime, showsKeyframe: Bool, _ generation: Generation) throws(MediaError)

  /// The key frames before (or at) and after a time in a track; nil without a whole index. Reads nothing.
  func keyframes(around target: CMTime, of track: Int) -> KeyframeNeighbours?

  /// About what was read since the container was opened last.
  var complaints: Complaints { get }

  func close()
}

extension Demuxer {
  package var complaints: Complaints { Complaints() }

  package func seek(to target: CMTime, showsKeyframe: Bool, _ generation: Generation) throws(MediaError) {
    try seek(to: target, generation)
  }
}

package enum DemuxedSample: Sendable {
  case packet(MediaPacket)
  /// A new description of the same media: duration corrected, a track appeared, tags changed.
  case description(MediaDescription)
  /// All bytes are read; nothing follows until a seek.
  case end
}
