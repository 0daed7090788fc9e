package import CoreMedia

/// How the bytes of a container lie, as far as its headers tell.
package struct MediaLayout: Hashable, Sendable {
  /// Behind the last byte that headers and index speak of; nil where they promise nothing.
  package var promisedLength: Int64?
  /// The bytes of a movie's index (`moov`).
  package var index: Range<Int64>?
  /// The index stands behind the samples, so a reader that can't jump has to load everything first.
  package var isIndexLate = false
  /// What a movie's header says by itself, which players that count no samples show; nil where it says nothing.
  package var statedDuration: CMTime?

  package init() {}
}
