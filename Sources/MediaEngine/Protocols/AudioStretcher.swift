package import MediaRuntime

/// What becomes of the pitch when sound is played at another speed.
package enum PitchAlgorithm: Hashable, Sendable {
  /// Kept, by overlapping pieces of the sound: best for speech, little work.
  case timeDomain
  /// Kept, by way of the sound's spectrum: best for music.
  case spectral
  /// It follows the speed, as on a tape.
  case varispeed

  /// The speeds at which a pitch can be kept; beyond them it follows.
  package static let keptRates = 1.0 / 32...32
}

/// Makes sound longer or shorter without changing its pitch. One queue at a time; never waits.
///
/// Counted from the first sample behind the lead-in, what comes out at n went in at n · rate, give or take what the
/// algorithm moves pieces by; so another one can begin anywhere.
package protocol AudioStretcher: AnyObject, Sendable {
  /// How many samples from before the first one that is wanted go in first.
  var leadIn: Int { get }
  /// Takes interleaved floats of the device's format and appends what is done to `output`.
  func stretch(_ samples: [Float], into output: inout [Float]) throws(MediaError)
  /// Nothing follows: appends what is left.
  func finish(into output: inout [Float]) throws(MediaError)
}
