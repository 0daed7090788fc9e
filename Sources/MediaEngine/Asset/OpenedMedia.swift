package import MediaIO
package import MediaRuntime

/// A source whose header is read, with its demuxer and the queue on which both must be used.
///
/// Handed from the asset that opened it to the item that plays it. Dropping the last reference closes it.
package final class OpenedMedia: Sendable {
  package let source: any ByteSource
  package let demuxer: any Demuxer
  package let queue: SerialQueue
  package let description: MediaDescription
  /// False when the reading position was moved by a scan: seek before the first read.
  package let isAtStart: Bool
  /// The newest generation that this pair was asked to work for.
  package let generation: Generation
  private let live = LiveObject(.openedMedia)

  package init(
    source: any ByteSource, demuxer: any Demuxer, queue: SerialQueue, description: MediaDescription, isAtStart: Bool,
    generation: Generation
  ) {
    self.source = source
    self.demuxer = demuxer
    self.queue = queue
    self.description = description
    self.isAtStart = isAtStart
    self.generation = generation
  }

  deinit {
    let (source, demuxer, queue, live) = (source, demuxer, queue, live)
    queue.post("close source") {
      demuxer.close()
      source.close()
      queue.close()
      withExtendedLifetime(live) {}
    }
  }
}
