package import MediaIO
package import MediaRuntime

/// What a decoder answers when asked for output.
package enum Decoded<Output: Sendable>: Sendable {
  case output(Output)
  /// Nothing to give before another packet goes in.
  case needsInput
  /// Drained: everything was given after `finish()`.
  case end
}

/// Video packets in, pictures out, in presentation order. One queue at a time; never waits; one packet per step.
package protocol VideoDecoder: AnyObject, Sendable {
  /// - Parameter skippingNonReference: true only for packets that end before a seek's target; frames that nothing
  ///   depends on may then be left out.
  /// - Throws: `decodeFailed` for this packet, or `outOfMemory`; the decoder goes on with the next one.
  func send(_ packet: MediaPacket, skippingNonReference: Bool) throws(MediaError)
  func receive() throws(MediaError) -> Decoded<VideoFrame>
  /// No packet follows: `receive` gives what is left, then `.end`.
  func finish()
  /// Forgets everything; the next packet is a key frame of `generation`.
  func flush(_ generation: Generation)
  /// Such as `h264`, `vaapi h264`.
  var name: String { get }
  /// About what went in so far; decoding in several threads, some of it may still come.
  var complaints: Complaints { get }
}

extension VideoDecoder {
  package var complaints: Complaints { Complaints() }
}

/// Audio packets in, trimmed sound out. One queue at a time; never waits.
///
/// After a seek the engine makes a new decoder: AAC and MP3 decoders keep state over a flush.
package protocol AudioDecoder: AnyObject, Sendable {
  func send(_ packet: MediaPacket) throws(MediaError)
  func receive() throws(MediaError) -> Decoded<AudioBlock>
  func finish()
  var name: String { get }
  /// About what went in so far.
  var complaints: Complaints { get }
}

extension AudioDecoder {
  package var complaints: Complaints { Complaints() }
}

/// Sound of one format to the device's: rate, layout (ITU down-mix, not normalised, then a look-ahead limiter).
package protocol AudioConverter: AnyObject, Sendable {
  /// Appends interleaved floats to `output`.
  func convert(_ block: AudioBlock, into output: inout [Float]) throws(MediaError)
  /// The samples still inside (the resampler's and limiter's delay), at the end of an item or before a format change.
  func finish(into output: inout [Float]) throws(MediaError)
  /// Device frames that went in but have not come out.
  var delayFrames: Int { get }
}

extension MediaError {
  /// Whether decoding goes on behind this. A single packet may claim memory that nobody has; when there is none, the
  /// next ones fail as well.
  func isTolerable(inARow count: Int, limit: Int) -> Bool {
    switch code {
    case .decodeFailed: count <= limit
    case .outOfMemory: count <= 8
    default: false
    }
  }
}
