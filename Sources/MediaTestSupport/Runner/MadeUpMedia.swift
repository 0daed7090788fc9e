package import CoreMedia
package import MediaEngine

extension MediaDescription {
  /// A made-up film: a video and two audio tracks.
  package static func fake(
    duration: CMTime = CMTime(value: 10, timescale: 1), video: Bool = true, isSeekable: Bool = true
  ) -> MediaDescription {
    let range = CMTimeRange(start: .zero, duration: duration.isNumeric ? duration : .positiveInfinity)
    var tracks: [MediaTrack] = []
    if video {
      var track = MediaTrack(
        id: 1, index: 0, kind: .video, timeBase: TimeBase(1, 12800), codec: MediaCodec(name: "h264", fourCC: 0),
        timeRange: range)
      track.video = VideoFormat(width: 640, height: 360)
      tracks.append(track)
    }
    for number in [Int32(2), 3] {
      var track = MediaTrack(
        id: number, index: Int(number) - 1, kind: .audio, timeBase: TimeBase(1, 48_000),
        codec: MediaCodec(name: "aac", fourCC: 0), timeRange: range)
      track.audio = AudioFormat(sampleRate: 48_000, channelCount: 2, channelMask: 3)
      track.isEnabled = number == 2
      tracks.append(track)
    }
    var description = MediaDescription(
      container: "fake", duration: duration, isDurationPrecise: true, tracks: tracks)
    description.isSeekable = isSeekable
    return description
  }
}

extension BufferState {
  private static let tenSeconds = CMTimeRange(start: .zero, duration: CMTime(value: 10, timescale: 1))

  /// Ten seconds, all loaded: a local file.
  package static var whole: BufferState {
    var state = BufferState()
    state.loadedRanges = [tenSeconds]
    state.seekableRanges = [tenSeconds]
    state.isEmpty = false
    state.isFull = true
    state.isLikelyToKeepUp = true
    return state
  }

  /// Something is there, but not enough: the first half second of ten.
  package static var thin: BufferState {
    var state = BufferState()
    state.loadedRanges = [CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 2))]
    state.seekableRanges = [tenSeconds]
    state.isEmpty = false
    return state
  }

  /// Nothing is there.
  package static var dry: BufferState {
    var state = BufferState()
    state.seekableRanges = [tenSeconds]
    return state
  }
}
