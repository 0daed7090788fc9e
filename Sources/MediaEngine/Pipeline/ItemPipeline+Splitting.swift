internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// Badly interleaved media: a second reading position.
extension ItemPipeline {
  /// Gives the tracks that starve a reading position of their own, where the source can have two.
  func split(_ tracks: Set<Int>) {
    guard !isSplitting, let first = loops.first, loops.count == 1, let source = first.media.source.duplicate() else {
      return
    }
    isSplitting = true
    let hints = SourceHints(
      pathExtension: asset.url.pathExtension.isEmpty ? nil : asset.url.pathExtension.lowercased(),
      mimeType: asset.options.mimeType)
    let demuxer = environment.backend.demuxer(source, hints: hints)
    let queue = environment.scheduler.queue(
      "second source \(id.number)", source.mayBlock ? .blocking : .light)
    let generation = sourceGeneration
    queue.post("open second position") { [weak self, control] in
      source.want(generation)
      let result: Result<OpenedMedia, MediaError>
      do throws(MediaError) {
        try source.open(generation)
        let description = try demuxer.open(generation)
        result = .success(
          OpenedMedia(
            source: source, demuxer: demuxer, queue: queue, description: description, isAtStart: true,
            generation: generation))
      } catch {
        demuxer.close()
        source.close()
        result = .failure(error)
      }
      control.post("second position is open") { [weak self] in self?.splitOpened(result, tracks) }
    }
  }

  private func splitOpened(_ result: Result<OpenedMedia, MediaError>, _ tracks: Set<Int>) {
    isSplitting = false
    guard phase == .preparing || phase == .ready, let first = loops.first, case .success(let media) = result else {
      return
    }
    let moved = buffers.filter { tracks.contains($0.key) }
    first.select(Set(buffers.keys).subtracting(tracks))
    addLoop(media, moved)
    // From the packets that were read last on: what both positions deliver is told apart by its time.
    let resume = moved.values.compactMap { $0.loadedRange.map { $0.start + $0.duration } }.min()
    let target = resume ?? landing?.target ?? timeline.time(of: id)
    for buffer in moved.values where resume == nil { buffer.restart(sourceGeneration) }
    loops[1].seek(to: target, sourceGeneration, keepsBuffers: resume != nil)
  }
}
