package import MediaRuntime

/// Names the operation that wants bytes. A newer generation interrupts every read of an older one:
/// interruption is by generation, never by a flag, so two quick seeks can't lose the second.
package struct Generation: Hashable, Comparable, Sendable {
  package var number: UInt64

  package init(_ number: UInt64) { self.number = number }

  package static let first = Generation(1)
  package var next: Generation { Generation(number &+ 1) }
  package static func < (left: Generation, right: Generation) -> Bool { left.number < right.number }
}

/// Bytes by offset: a file, memory, later HTTP and an app's resource loader.
///
/// `read` and `open` are called on a blocking queue only and may wait there (at a `Gate`); everything else never waits
/// and may be called from anywhere.
package protocol ByteSource: AnyObject, Sendable {
  /// The address as the user gave it, for errors.
  var address: String { get }

  /// Makes the source ready and learns its length. Called once, before the first read.
  /// - Throws: `MediaError` 1xxx or 2xxx.
  func open(_ generation: Generation) throws(MediaError)

  /// Bytes in all, nil while unknown. For a growing file it may grow.
  var length: Int64? { get }

  /// Whether an offset other than the next one can be read.
  var isSeekable: Bool { get }

  /// Whether a read may wait long (network, slow mounts): a player leases a source thread only while this is true.
  var mayBlock: Bool { get }

  /// Copies bytes from `offset` on; may be short; 0 means the end.
  /// - Throws: `.interrupted` as soon as `generation` is older than the wanted one; else `MediaError` 1xxx or 2xxx.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ generation: Generation) throws(MediaError)
    -> Int

  /// From now on only this generation or a newer one may read; reads of older ones end with `.interrupted`.
  func want(_ generation: Generation)

  /// The byte ranges that can be read without waiting, ascending; nil when everything can (a local file).
  var availableRanges: [Range<Int64>]? { get }

  /// An independent reading position on the same bytes, for badly interleaved files; nil when there can't be one.
  func duplicate() -> (any ByteSource)?

  /// Frees what it holds. Reads that wait end with `.interrupted`.
  func close()

  /// Throws `.sourceChanged` when what was read before has been written over since. Asked at the end of the media, and
  /// where it is damaged: then any change of the source since it was opened is taken for the reason.
  func checkUnchanged(isDamaged: Bool) throws(MediaError)
}

extension ByteSource {
  /// Most sources can't be written over.
  package func checkUnchanged(isDamaged: Bool) throws(MediaError) {}
}

extension MediaError {
  package static func sourceEmpty(_ address: String) -> MediaError {
    MediaError(
      .sourceEmpty, "The file is empty. Perhaps its download or copy did not finish. Fetch it again.",
      address: address)
  }
}
