/// Hears a track's sound, and may change it, before it is made faster or slower, and before its volume.
///
/// All calls come from one queue at a time, ahead of what is heard by as much as is decoded ahead.
package protocol SoundTap: AnyObject, Sendable {
  /// Sound in this format follows. Comes once before the first piece.
  func prepare(_ format: AudioDeviceFormat)
  func process(_ piece: inout TappedSound)
  /// Nothing follows, for now: `prepare` comes before more.
  func unprepare()
}

/// A piece of a track's sound on its way to the device.
package struct TappedSound {
  /// Interleaved; as many come back as were given.
  package var samples: [Float]
  package let format: AudioDeviceFormat
  /// Number of the first sample, at the format's rate, in the item's time.
  package let start: Int64
  /// It does not go on where the piece before ended.
  package let isDiscontinuous: Bool

  package init(samples: [Float], format: AudioDeviceFormat, start: Int64, isDiscontinuous: Bool) {
    self.samples = samples
    self.format = format
    self.start = start
    self.isDiscontinuous = isDiscontinuous
  }
}
