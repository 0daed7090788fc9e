import CoreMedia
import MediaEngine

/// What the engine takes for granted of a back end, whatever the media claim: the ranges that `AudioFormat`,
/// `VideoFormat`, `MediaPacket` and `MediaTrack` state.
enum BackendGuarantees {
  /// What of a description is outside; empty when all is well.
  static func broken(by description: MediaDescription) -> [String] {
    var broken: [String] = []
    let tracks = description.tracks
    if Set(tracks.map(\.id)).count != tracks.count || tracks.contains(where: { $0.id == 0 }) {
      broken.append("track numbers \(tracks.map(\.id))")
    }
    if !MediaTrack.bitRates.contains(description.bitRate) { broken.append("bit rate \(description.bitRate)") }
    for track in tracks {
      if !MediaTrack.indices.contains(track.index) { broken.append("track index \(track.index)") }
      if !MediaTrack.bitRates.contains(track.bitRate) { broken.append("track bit rate \(track.bitRate)") }
      if let audio = track.audio, audio.sampleRate != 0 || audio.channelCount != 0 {
        broken += self.broken(by: audio, mayBeUnknown: true)
      }
      if let video = track.video { broken += self.broken(by: video) }
    }
    return broken
  }

  static func broken(by cue: SubtitleCue) -> [String] {
    var broken: [String] = []
    if !cue.start.isNumeric || !(cue.end.isNumeric || cue.end.isIndefinite) || cue.end < cue.start {
      broken.append("a cue from \(cue.start.seconds) to \(cue.end.seconds)")
    }
    guard case .pictures(let pictures) = cue.content else { return broken }
    for picture in pictures {
      if !SubtitlePicture.sides.contains(picture.width) || !SubtitlePicture.sides.contains(picture.height)
        || picture.pixels.count != picture.width * picture.height * 4
      {
        broken.append("a picture of \(picture.width) by \(picture.height) in \(picture.pixels.count) bytes")
      }
    }
    return broken
  }

  static func broken(by format: AudioFormat, mayBeUnknown: Bool = false) -> [String] {
    var broken: [String] = []
    if !AudioFormat.sampleRates.contains(format.sampleRate), !mayBeUnknown || format.sampleRate != 0 {
      broken.append("sample rate \(format.sampleRate)")
    }
    if !AudioFormat.channelCounts.contains(format.channelCount), !mayBeUnknown || format.channelCount != 0 {
      broken.append("\(format.channelCount) channels")
    }
    if !(0...64).contains(format.bitDepth) { broken.append("sound of \(format.bitDepth) bits") }
    if format.primingSamples < 0 || format.paddingSamples < 0 {
      broken.append("priming \(format.primingSamples), padding \(format.paddingSamples)")
    }
    return broken
  }

  static func broken(by format: VideoFormat) -> [String] {
    var broken: [String] = []
    if format.width < 0 || format.height < 0 || max(format.width, format.height) > Int(Int32.max) {
      broken.append("picture of \(format.width) × \(format.height)")
    }
    if format.pixelAspect.horizontal < 1 || format.pixelAspect.vertical < 1 {
      broken.append("pixels of \(format.pixelAspect)")
    }
    if !VideoFormat.frameRates.contains(format.nominalFrameRate) { broken.append("\(format.nominalFrameRate) fps") }
    if !(1...64).contains(format.bitDepth) { broken.append("picture of \(format.bitDepth) bits") }
    return broken
  }

  static func broken(by packet: MediaPacket) -> [String] {
    var broken: [String] = []
    for time in [packet.presentationTime, packet.decodeTime].compactMap({ $0 })
    where !MediaPacket.ticks.contains(time) {
      broken.append("packet at \(time)")
    }
    if !MediaPacket.durations.contains(packet.duration) { broken.append("packet of \(packet.duration) ticks") }
    if packet.size < 0 || packet.offset.map({ $0 < 0 }) ?? false { broken.append("packet of \(packet.size) bytes") }
    return broken
  }

  static func broken(by frame: VideoFrame) -> [String] {
    let isWithin =
      MediaPacket.ticks.contains(frame.presentationTime) && MediaPacket.durations.contains(frame.duration)
    return (isWithin ? [] : ["frame at \(frame.presentationTime)"]) + broken(by: frame.picture.format)
  }

  /// Samples are counted on from the last time that was stated.
  static func broken(by block: AudioBlock) -> [String] {
    let isWithin = block.startSample.magnitude <= UInt64(1) << 62 && block.sampleCount > 0
    return (isWithin ? [] : ["\(block.sampleCount) samples at \(block.startSample)"]) + broken(by: block.format)
  }
}
