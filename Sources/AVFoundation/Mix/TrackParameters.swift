import CoreMedia
import Foundation
import MediaEngine

/// What an app wants of one track's sound, as a value.
struct TrackParameters: Equatable, Sendable {
  var trackID = kCMPersistentTrackID_Invalid
  var volume = VolumeCurve()
  var pitchAlgorithm: AVAudioTimePitchAlgorithm?
  var tap: MTAudioProcessingTap?
  /// In decibels.
  var dialogueLevel: Float?
  var evensLoudness = false

  static func == (left: TrackParameters, right: TrackParameters) -> Bool {
    left.trackID == right.trackID && left.volume == right.volume && left.pitchAlgorithm == right.pitchAlgorithm
      && left.tap === right.tap && left.dialogueLevel == right.dialogueLevel
      && left.evensLoudness == right.evensLoudness
  }

  var engineMix: TrackMix {
    var mix = TrackMix()
    mix.volume = volume
    mix.pitch = pitchAlgorithm?.engineAlgorithm
    mix.tap = tap?.adapter
    mix.processing.dialogueGain = dialogueLevel.flatMap { level in
      level.isNaN ? nil : Float(pow(10, Double(min(max(level, -120), 12)) / 20))
    }
    mix.processing.evensLoudness = evensLoudness
    return mix
  }
}

extension [TrackParameters] {
  /// By track; of several for one the last counts.
  var engineMix: [Int32: TrackMix] {
    var tracks: [Int32: TrackMix] = [:]
    for parameters in self where parameters.trackID != kCMPersistentTrackID_Invalid {
      tracks[parameters.trackID] = parameters.engineMix
    }
    return tracks
  }
}
