package import CoreMedia

/// The key frames around a time by a container's index, on its clock of decoding, which is a little early.
package struct KeyframeNeighbours: Hashable, Sendable {
  package var before: CMTime?
  package var after: CMTime?

  package init(before: CMTime? = nil, after: CMTime? = nil) {
    self.before = before
    self.after = after
  }
}

extension Demuxer {
  package func keyframes(around target: CMTime, of track: Int) -> KeyframeNeighbours? { nil }
}
