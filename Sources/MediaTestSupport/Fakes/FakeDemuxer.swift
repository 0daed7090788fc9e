package import CoreMedia
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// Delivers a `ScriptedMedia`, reading each sample's bytes from the source so that the source's script acts.
package final class FakeDemuxer: Demuxer {
  private let media: ScriptedMedia
  private let source: any ByteSource
  private let offsets: [Int64]
  private let state = Lock(State())
  private let log: FakeLog

  private struct State {
    var next = 0
    /// Sound from before the key frame, delivered first.
    var lead: [Int] = []
    var selected: Set<Int>?
  }

  package init(_ media: ScriptedMedia, source: any ByteSource, log: FakeLog) {
    self.media = media
    self.source = source
    self.log = log
    var offset = ScriptedMedia.headerSize
    offsets = media.samples.map { sample in
      defer { offset += Int64(sample.size) }
      return offset
    }
    log.note { $0.liveDemuxers += 1 }
  }

  deinit { log.note { $0.liveDemuxers -= 1 } }

  package func open(_ generation: Generation) throws(MediaError) -> MediaDescription {
    _ = try readBytes(Int(ScriptedMedia.headerSize), at: 0, generation)
    log.note { $0.opens += 1 }
    if let failure = media.openFailure { throw failure }
    return media.description
  }

  package func preciseDescription(_ generation: Generation) throws(MediaError) -> MediaDescription {
    var description = media.description
    description.isDurationPrecise = true
    return description
  }

  package func select(_ tracks: Set<Int>) {
    state.withLock { $0.selected = tracks }
  }

  package func read(_ generation: Generation) throws(MediaError) -> DemuxedSample {
    while true {
      let index = state.withLock { state in
        if !state.lead.isEmpty { return state.lead.removeFirst() }
        defer { state.next += 1 }
        return state.next
      }
      guard index < media.samples.count else { return .end }
      let sample = media.samples[index]
      if let selected = state.withLock({ $0.selected }), !selected.contains(sample.track) { continue }
      guard try readBytes(sample.size, at: offsets[index], generation) == sample.size else { return .end }
      log.note { $0.packetsRead += 1 }
      return .packet(
        MediaPacket(
          track: sample.track, presentationTime: sample.presentationTime, decodeTime: sample.decodeTime,
          duration: sample.duration, isKeyframe: sample.isKeyframe, isDisposable: sample.isDisposable,
          size: sample.size, offset: offsets[index], generation: generation, payload: sample))
    }
  }

  private func readBytes(_ count: Int, at offset: Int64, _ generation: Generation) throws(MediaError) -> Int {
    var bytes = [UInt8](repeating: 0, count: min(count, 1 << 16))
    var done = 0
    while done < count {
      let wanted = min(count - done, bytes.count)
      var failure: MediaError?
      let read = bytes.withUnsafeMutableBytes { buffer -> Int in
        do throws(MediaError) {
          return try source.read(
            UnsafeMutableRawBufferPointer(rebasing: buffer[0..<wanted]), at: offset + Int64(done), generation)
        } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      if read == 0 { return done }
      done += read
    }
    return done
  }

  package func seek(to target: CMTime, _ generation: Generation) throws(MediaError) {
    let selected = state.withLock { $0.selected }
    let tracks = media.tracks.filter { selected?.contains($0.index) ?? true }
    let leading = tracks.first { $0.kind == .video } ?? tracks.first
    var found: Int?
    for (index, sample) in media.samples.enumerated() where sample.track == leading?.index && sample.isKeyframe {
      let time = media.tracks[sample.track].timeBase.time(sample.presentationTime)
      if time <= target || found == nil { found = index }
      if time > target { break }
    }
    var start = found ?? 0
    if leading?.kind == .audio { start = max(0, start - 20) }
    let lead = leading?.kind == .video ? sound(before: start) : []
    state.withLock { state in
      state.next = start
      state.lead = lead
    }
    log.note { $0.seeks.append(target) }
  }

  /// The samples of sound that lie before a sample in the file and within 0.3 s of its time.
  private func sound(before start: Int) -> [Int] {
    let time = seconds(media.samples[start])
    return (0..<start).filter { index in
      media.tracks[media.samples[index].track].kind == .audio && seconds(media.samples[index]) > time - 0.3
    }
  }

  private func seconds(_ sample: ScriptedMedia.Sample) -> Double {
    Double(sample.decodeTime) * media.tracks[sample.track].timeBase.secondsPerTick
  }

  package func close() {}
}
