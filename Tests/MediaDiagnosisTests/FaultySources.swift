import Foundation
import MediaIO
import MediaRuntime

/// Opens files whose reads fail from an offset on, as those of a bad disk do.
final class FailingSources: SourceOpener {
  private let limit: Int64

  init(after limit: Int64) { self.limit = limit }

  func source(for url: URL, options: SourceOptions, scheduler: any Scheduler) throws(MediaError) -> any ByteSource {
    let limit = limit
    return WatchedSource(url) { (offset) throws(MediaError) in
      guard offset >= limit else { return }
      throw MediaError(
        .sourceReadFailed, "The file could not be read on (Input/output error). Check the disk.", address: url.path)
    }
  }
}

/// Opens files that another program cuts off when they have been read for a while.
final class ShrinkingSources: SourceOpener {
  private let url: URL

  init(_ url: URL) { self.url = url }

  func source(for url: URL, options: SourceOptions, scheduler: any Scheduler) throws(MediaError) -> any ByteSource {
    WatchedSource(url) { (offset) throws(MediaError) in
      guard offset > 60_000 else { return }
      truncate(url.path, 50_000)
    }
  }
}

private final class WatchedSource: ByteSource {
  private let file: FileSource
  private let watch: @Sendable (Int64) throws(MediaError) -> Void

  init(_ url: URL, _ watch: @escaping @Sendable (Int64) throws(MediaError) -> Void) {
    file = FileSource(path: url.path)
    self.watch = watch
  }

  var address: String { file.address }
  var length: Int64? { file.length }
  var isSeekable: Bool { file.isSeekable }
  var mayBlock: Bool { file.mayBlock }
  var availableRanges: [Range<Int64>]? { nil }
  func open(_ generation: Generation) throws(MediaError) { try file.open(generation) }
  func want(_ generation: Generation) { file.want(generation) }
  func duplicate() -> (any ByteSource)? { nil }
  func close() { file.close() }
  func checkUnchanged(isDamaged: Bool) throws(MediaError) { try file.checkUnchanged(isDamaged: isDamaged) }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ generation: Generation) throws(MediaError)
    -> Int
  {
    try watch(offset)
    return try file.read(buffer, at: offset, generation)
  }
}
