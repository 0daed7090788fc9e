package import FFmpegBackend
package import Foundation
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// Everything that a file decodes to, without a player: what the back end is judged by.
package struct DecodedMedia: Sendable {
  package struct Frame: Hashable, Sendable {
    /// Ticks of its track's time base in item time.
    package var time: Int64
    package var checksum: UInt64

    package init(time: Int64, checksum: UInt64) {
      self.time = time
      self.checksum = checksum
    }
  }

  package var description: MediaDescription
  /// By `MediaTrack.index`, in the order given.
  package var frames: [Int: [Frame]] = [:]
  package var sampleCounts: [Int: Int64] = [:]
  package var firstSamples: [Int: Int64] = [:]
  package var subtitlePackets: [Int: Int] = [:]
  package var cues: [Int: [SubtitleCue]] = [:]
  /// Packets that no decoder could use.
  package var damagedPackets = 0
  /// What the back end gave that lies outside the ranges it promises (`BackendGuarantees`).
  package var brokenGuarantees: Set<String> = []
  /// Why reading ended, when it did not end at the end.
  package var readError: MediaError?
  package var decoderErrors: [Int: MediaError] = [:]
}

/// Opens and decodes a file with one thread.
package func decodeEverything(_ url: URL, backend: FFmpegMediaBackend = FFmpegMediaBackend(), hashing: Bool = true)
  throws(MediaError) -> DecodedMedia
{
  let source = FileSource(path: url.path(percentEncoded: false))
  let hints = SourceHints(pathExtension: url.pathExtension.lowercased(), prefersPreciseTiming: true)
  return try decodeEverything(source, hints: hints, backend: backend, hashing: hashing)
}

/// - Parameter packetLimit: where to stop in endless or hostile media.
package func decodeEverything(
  _ source: any ByteSource, hints: SourceHints, backend: FFmpegMediaBackend = FFmpegMediaBackend(),
  hashing: Bool = true, packetLimit: Int = .max
) throws(MediaError) -> DecodedMedia {
  try source.open(.first)
  let demuxer = backend.demuxer(source, hints: hints)
  defer { demuxer.close() }
  var media = DecodedMedia(description: try demuxer.open(.first))
  var decoders = TrackDecoders(backend: backend, hashing: hashing)
  media.brokenGuarantees.formUnion(BackendGuarantees.broken(by: media.description))
  decoders.add(media.description.tracks, &media)
  var packets = 0
  reading: while packets < packetLimit {
    do throws(MediaError) {
      switch try demuxer.read(.first) {
      case .packet(let packet):
        packets += 1
        media.brokenGuarantees.formUnion(BackendGuarantees.broken(by: packet))
        decoders.decode(packet, &media)
      case .description(let description):
        media.description = description
        media.brokenGuarantees.formUnion(BackendGuarantees.broken(by: description))
        decoders.add(description.tracks, &media)
      case .end: break reading
      }
    } catch {
      media.readError = error
      break
    }
  }
  decoders.finish(&media)
  return media
}

private struct TrackDecoders {
  let backend: FFmpegMediaBackend
  let hashing: Bool
  private var video: [Int: any VideoDecoder] = [:]
  private var audio: [Int: any AudioDecoder] = [:]
  private var subtitles: [Int: any SubtitleDecoder] = [:]
  private var legible: Set<Int> = []

  init(backend: FFmpegMediaBackend, hashing: Bool) {
    self.backend = backend
    self.hashing = hashing
  }

  mutating func add(_ tracks: [MediaTrack], _ media: inout DecodedMedia) {
    for track in tracks
    where video[track.index] == nil && audio[track.index] == nil && subtitles[track.index] == nil {
      do throws(MediaError) {
        switch track.kind {
        case .video: video[track.index] = try backend.videoDecoder(for: track, threads: 1, .first)
        case .audio: audio[track.index] = try backend.audioDecoder(for: track, .first)
        case .subtitle, .closedCaption:
          legible.insert(track.index)
          subtitles[track.index] = try backend.subtitleDecoder(for: track)
        default: break
        }
      } catch {
        media.decoderErrors[track.index] = error
      }
    }
  }

  func decode(_ packet: MediaPacket, _ media: inout DecodedMedia) {
    if legible.contains(packet.track) { media.subtitlePackets[packet.track, default: 0] += 1 }
    do throws(MediaError) {
      if let decoder = video[packet.track] {
        try decoder.send(packet, skippingNonReference: false)
      } else if let decoder = audio[packet.track] {
        try decoder.send(packet)
      } else if let decoder = subtitles[packet.track] {
        keep(try decoder.decode(packet), packet.track, &media)
      }
    } catch {
      media.damagedPackets += 1
    }
    collect(packet.track, &media)
  }

  func finish(_ media: inout DecodedMedia) {
    for (index, decoder) in video {
      decoder.finish()
      collect(index, &media)
    }
    for (index, decoder) in audio {
      decoder.finish()
      collect(index, &media)
    }
    for (index, decoder) in subtitles { keep(decoder.finish(), index, &media) }
  }

  private func keep(_ cues: [SubtitleCue], _ index: Int, _ media: inout DecodedMedia) {
    for cue in cues { media.brokenGuarantees.formUnion(BackendGuarantees.broken(by: cue)) }
    media.cues[index, default: []] += cues
  }

  /// A decoder that fails again and again at its end gives up after some hundred times.
  private func collect(_ index: Int, _ media: inout DecodedMedia) {
    var failures = 0
    while failures < 256 {
      do throws(MediaError) {
        if let decoder = video[index] {
          guard case .output(let frame) = try decoder.receive() else { return }
          media.brokenGuarantees.formUnion(BackendGuarantees.broken(by: frame))
          let checksum = hashing ? frame.picture.checksum() : 0
          media.frames[index, default: []].append(.init(time: frame.presentationTime, checksum: checksum))
        } else if let decoder = audio[index] {
          guard case .output(let block) = try decoder.receive() else { return }
          media.brokenGuarantees.formUnion(BackendGuarantees.broken(by: block))
          if media.firstSamples[index] == nil { media.firstSamples[index] = block.startSample }
          media.sampleCounts[index, default: 0] += Int64(block.sampleCount)
        } else {
          return
        }
      } catch {
        failures += 1
        media.damagedPackets += 1
      }
    }
  }
}
