/// What an app does to one track's sound.
package struct TrackMix: Equatable, Sendable {
  package var volume = VolumeCurve()
  /// Instead of the item's.
  package var pitch: PitchAlgorithm?
  package var tap: (any SoundTap)?
  package var processing = SoundProcessing()

  package init() {}

  /// A tap is compared by identity.
  package static func == (left: TrackMix, right: TrackMix) -> Bool {
    left.volume == right.volume && left.pitch == right.pitch && left.tap === right.tap
      && left.processing == right.processing
  }
}

/// How a track's sound becomes the device's.
package struct SoundProcessing: Hashable, Sendable {
  /// Gain of the centre channel, which has the dialogue, where it is mixed into others; nil leaves it to the stream, or
  /// takes the usual 0.707.
  package var dialogueGain: Float?
  /// Loud and quiet passages are brought near each other, as for listening at night.
  package var evensLoudness = false

  package init() {}
}
