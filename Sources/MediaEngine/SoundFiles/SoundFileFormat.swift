package import MediaRuntime

/// What a sound file is to be: container, coding, rate and channels.
package struct SoundFileFormat: Hashable, Sendable {
  package enum Container: Hashable, Sendable {
    case wave, aiff, aifc, caf, flac, mpeg4, ogg, adts, mp3
  }

  package enum Coding: Hashable, Sendable {
    case linear(SampleFormat)
    /// Bits of a sample: 16 or 24.
    case flac(bits: Int)
    case appleLossless(bits: Int)
    case aac, opus, mp3
  }

  package enum BitRateMode: Hashable, Sendable {
    case constant, variable
  }

  package var container: Container
  package var coding: Coding
  package var sampleRate: Int
  package var channelCount: Int
  /// FFmpeg's channel mask, 0 for the usual one of so many channels.
  package var channelMask: UInt64
  /// Bits per second of a coding that loses; nil leaves it to us.
  package var bitRate: Int?
  package var bitRateMode: BitRateMode?

  package init(
    container: Container, coding: Coding, sampleRate: Int, channelCount: Int, channelMask: UInt64 = 0
  ) {
    self.container = container
    self.coding = coding
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelMask = channelMask
  }
}

/// Writes one sound file. Used by one thread at a time, which may wait for the disk.
///
/// After every call what stands in the file plays, but for what an encoder still holds: a process may be killed at any time.
package protocol SoundFileWriter: AnyObject {
  var format: SoundFileFormat { get }
  /// Frames taken so far.
  var frameCount: Int64 { get }
  /// Appends frames of as many channels as the file has, in any sample format.
  /// - Throws: `diskFull`, `writeFailed`, `encodeFailed`; what was written before plays.
  func write(_ samples: SamplePlanes, frames: Int) throws(MediaError)
  /// The file ends here. Called once; nothing is written afterwards.
  func finish() throws(MediaError)
}
