package import CoreMedia
package import MediaEngine
package import MediaRuntime

/// A scripted file at the level of samples: what a demuxer would deliver, in the order of the file.
package struct ScriptedMedia: Sendable {
  package struct Sample: Sendable {
    package var track: Int
    package var presentationTime: Int64
    package var decodeTime: Int64
    package var duration: Int64
    package var isKeyframe: Bool
    package var isDisposable: Bool
    package var size: Int
    /// The frame's or packet's number in presentation order.
    package var number: Int
    /// The decoder refuses it.
    package var isDamaged = false
    /// What its decoder says then.
    package var damage = MediaError.Code.decodeFailed
    /// The decoder gives no picture for it.
    package var isHidden = false
  }

  package var tracks: [MediaTrack] = []
  package var samples: [Sample] = []
  package var duration: CMTime
  package var isDurationPrecise = true
  package var chapters: [Chapter] = []
  /// What opening fails with.
  package var openFailure: MediaError?

  /// Bytes before the first sample.
  package static let headerSize: Int64 = 1024

  package var byteLength: Int64 { samples.reduce(Self.headerSize) { $0 + Int64($1.size) } }

  package init(duration: CMTime) {
    self.duration = duration
  }

  // MARK: Making

  package struct Video: Sendable {
    /// Frames per second.
    package var rate: Int32 = 25
    package var seconds = 10.0
    /// Frames from key frame to key frame.
    package var group = 25
    /// Frames between references that nothing depends on.
    package var disposableRun = 2
    package var start: Int64 = 0
    package var bytesPerFrame = 4_000
    package var width = 64
    package var height = 48

    package init() {}
  }

  package struct Audio: Sendable {
    package var sampleRate = 48_000
    package var channelCount = 2
    package var seconds = 10.0
    package var samplesPerPacket = 1024
    /// Samples before the first packet.
    package var start: Int64 = 0
    package var bytesPerPacket = 400

    package init() {}
  }

  /// Sound, picture or both, interleaved by time.
  package static func make(video: Video? = Video(), audio: Audio? = Audio()) -> ScriptedMedia {
    var media = ScriptedMedia(duration: .zero)
    if let video { media.add(video) }
    if let audio { media.add(audio) }
    let timed = media.samples.map { (seconds: media.seconds($0), sample: $0) }
    media.samples = timed.sorted {
      $0.seconds == $1.seconds ? $0.sample.track < $1.sample.track : $0.seconds < $1.seconds
    }.map(\.sample)
    media.duration = media.tracks.map { $0.timeRange.start + $0.timeRange.duration }.max() ?? .zero
    return media
  }

  /// With more tracks that have the same samples as the first one of a kind.
  package func adding(_ count: Int, like kind: TrackKind, _ change: (inout MediaTrack, Int) -> Void) -> ScriptedMedia {
    var media = self
    guard let first = tracks.first(where: { $0.kind == kind }) else { return media }
    let new = tracks.count..<tracks.count + count
    for index in new {
      var track = first
      track.id = Int32(index + 1)
      track.index = index
      change(&track, index - new.lowerBound)
      media.tracks.append(track)
    }
    media.samples = samples.flatMap { sample in
      guard sample.track == first.index else { return [sample] }
      return [sample]
        + new.map { index in
          var other = sample
          other.track = index
          return other
        }
    }
    return media
  }

  /// With tracks of text that have no samples, in these languages.
  package func adding(_ kind: TrackKind, in languages: [String?]) -> ScriptedMedia {
    var media = self
    for language in languages {
      var track = MediaTrack(
        id: Int32(media.tracks.count + 1), index: media.tracks.count, kind: kind, timeBase: TimeBase(1, 1_000),
        codec: MediaCodec(name: "fake", fourCC: 0), timeRange: CMTimeRange(start: .zero, duration: duration))
      track.extendedLanguageTag = language
      media.tracks.append(track)
    }
    return media
  }

  /// All samples of one track before all of the other.
  package func deinterleaved(first: TrackKind) -> ScriptedMedia {
    var media = self
    let index = tracks.first { $0.kind == first }?.index ?? 0
    media.samples = samples.filter { $0.track == index } + samples.filter { $0.track != index }
    return media
  }

  private func seconds(_ sample: Sample) -> Double {
    Double(sample.decodeTime) * tracks[sample.track].timeBase.secondsPerTick
  }

  private mutating func add(_ video: Video) {
    let index = tracks.count
    let ticks: Int64 = 1_000
    let base = TimeBase(1, video.rate * Int32(ticks))
    let count = Int((video.seconds * Double(video.rate)).rounded())
    var track = MediaTrack(
      id: Int32(index + 1), index: index, kind: .video, timeBase: base, codec: MediaCodec(name: "fake", fourCC: 0),
      timeRange: CMTimeRange(
        start: base.time(video.start), duration: base.time(Int64(count) * ticks)))
    var format = VideoFormat(width: video.width, height: video.height)
    format.nominalFrameRate = Double(video.rate)
    format.hasReorderedFrames = video.disposableRun > 0
    track.video = format
    tracks.append(track)
    var order = 0
    for groupStart in stride(from: 0, to: count, by: video.group) {
      let end = min(groupStart + video.group, count)
      for frame in Self.decodeOrder(groupStart..<end, run: video.disposableRun) {
        let isReference = (frame - groupStart) % (video.disposableRun + 1) == 0 || frame == end - 1
        samples.append(
          Sample(
            track: index, presentationTime: video.start + Int64(frame) * ticks,
            decodeTime: video.start + Int64(order - video.disposableRun) * ticks, duration: ticks,
            isKeyframe: frame == groupStart, isDisposable: !isReference, size: video.bytesPerFrame, number: frame))
        order += 1
      }
    }
  }

  /// Each reference before the frames that lie between it and the last one.
  private static func decodeOrder(_ frames: Range<Int>, run: Int) -> [Int] {
    guard run > 0 else { return Array(frames) }
    var result = [frames.lowerBound]
    var last = frames.lowerBound
    while last < frames.upperBound - 1 {
      let next = min(last + run + 1, frames.upperBound - 1)
      result.append(next)
      result.append(contentsOf: last + 1..<next)
      last = next
    }
    return result
  }

  private mutating func add(_ audio: Audio) {
    let index = tracks.count
    let base = TimeBase(1, Int32(audio.sampleRate))
    let total = Int64((audio.seconds * Double(audio.sampleRate)).rounded())
    var track = MediaTrack(
      id: Int32(index + 1), index: index, kind: .audio, timeBase: base, codec: MediaCodec(name: "fake", fourCC: 0),
      timeRange: CMTimeRange(start: base.time(audio.start), duration: base.time(total)))
    track.audio = AudioFormat(
      sampleRate: audio.sampleRate, channelCount: audio.channelCount,
      channelMask: audio.channelCount == 1 ? 0x4 : 0x3)
    tracks.append(track)
    var at: Int64 = 0
    var number = 0
    while at < total {
      let count = min(Int64(audio.samplesPerPacket), total - at)
      samples.append(
        Sample(
          track: index, presentationTime: audio.start + at, decodeTime: audio.start + at, duration: count,
          isKeyframe: true, isDisposable: false, size: audio.bytesPerPacket, number: number))
      at += count
      number += 1
    }
  }

  package var description: MediaDescription {
    var description = MediaDescription(
      container: "fake", duration: duration, isDurationPrecise: isDurationPrecise, tracks: tracks)
    description.chapters = chapters
    return description
  }
}
