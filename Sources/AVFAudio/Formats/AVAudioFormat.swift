public import CoreMedia
public import Foundation
package import MediaEngine

/// A format of sound: a stream description and, for more than two channels, what each channel is for.
// @unchecked Sendable: immutable.
open class AVAudioFormat: NSObject, @unchecked Sendable {
  private let stream: UnsafeMutablePointer<AudioStreamBasicDescription>
  private let layout: AVAudioChannelLayout?
  private let cookie: Data?

  /// Nil for more than two channels: those need a layout.
  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
    self.init(streamDescription: asbd, channelLayout: nil)
  }

  /// Nil for more than two channels without a layout, and when the layout has not as many channels.
  public convenience init?(
    streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?
  ) {
    self.init(checking: asbd.pointee, layout, nil)
  }

  /// 32-bit floats, each channel by itself. Nil for more than two channels.
  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
  }

  /// 32-bit floats, each channel by itself.
  public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout) {
    self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
  }

  /// Nil for more than two channels, for none, and for `otherFormat`.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
  ) {
    guard let stream = Self.stream(format, sampleRate, channels, interleaved) else { return nil }
    self.init(checking: stream, nil, nil)
  }

  /// - Precondition: the format is not `otherFormat`, the rate is positive, and the layout has channels.
  public convenience init(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
    channelLayout layout: AVAudioChannelLayout
  ) {
    guard let stream = Self.stream(format, sampleRate, layout.channelCount, interleaved) else {
      AudioMisuse.failed("a common format, a rate and a layout with channels")
    }
    self.init(known: stream, layout, nil)
  }

  /// From a dictionary of `AVFormatIDKey`, `AVSampleRateKey` and its kin. Nil when they name no format.
  public convenience init?(settings: [String: Any]) {
    let settings = AudioSettings(settings)
    guard let stream = settings.stream else { return nil }
    self.init(checking: stream, settings.layout.map { AVAudioChannelLayout($0) }, nil)
  }

  /// - Precondition: the description has a stream description, as all of sound have.
  public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
    guard let stream = formatDescription.audioStreamBasicDescription else {
      AudioMisuse.failed("a format description of sound")
    }
    self.init(
      known: stream, formatDescription.audioChannelLayout.map { AVAudioChannelLayout($0) },
      formatDescription.magicCookie)
  }

  private convenience init?(
    checking stream: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?, _ cookie: Data?
  ) {
    guard stream.mChannelsPerFrame <= 2 || layout != nil,
      layout.map({ $0.channelCount == stream.mChannelsPerFrame }) ?? true
    else { return nil }
    self.init(known: stream, layout, cookie)
  }

  package init(known stream: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?, _ cookie: Data?) {
    self.stream = .allocate(capacity: 1)
    self.stream.initialize(to: stream)
    self.layout = layout
    self.cookie = cookie
    super.init()
  }

  deinit { stream.deallocate() }

  private static func stream(
    _ format: AVAudioCommonFormat, _ sampleRate: Double, _ channels: AVAudioChannelCount, _ interleaved: Bool
  ) -> AudioStreamBasicDescription? {
    let (bytes, isFloat): (UInt32, Bool)
    switch format {
    case .pcmFormatFloat32: (bytes, isFloat) = (4, true)
    case .pcmFormatFloat64: (bytes, isFloat) = (8, true)
    case .pcmFormatInt16: (bytes, isFloat) = (2, false)
    case .pcmFormatInt32: (bytes, isFloat) = (4, false)
    case .otherFormat: return nil
    }
    guard channels > 0, channels <= 1_024, sampleRate.isFinite, sampleRate > 0 else { return nil }
    return .linearPCM(
      sampleRate: sampleRate, channels: channels, bytes: bytes, isFloat: isFloat, isInterleaved: interleaved)
  }

  // MARK: Reading

  /// Valid as long as this object.
  open var streamDescription: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(stream) }
  open var sampleRate: Double { stream.pointee.mSampleRate }
  open var channelCount: AVAudioChannelCount { stream.pointee.mChannelsPerFrame }
  open var channelLayout: AVAudioChannelLayout? { layout }
  /// The decoder's configuration, for coded formats.
  open var magicCookie: Data? { cookie }

  /// False when each channel has samples of its own in memory.
  open var isInterleaved: Bool { stream.pointee.isInterleaved }

  /// `otherFormat` for coded sound, and for samples of another size or order of bytes.
  open var commonFormat: AVAudioCommonFormat {
    switch sampleFormat {
    case .float32: .pcmFormatFloat32
    case .float64: .pcmFormatFloat64
    case .int16: .pcmFormatInt16
    case .int32: .pcmFormatInt32
    default: .otherFormat
    }
  }

  /// Whether it is 32-bit floats with each channel by itself.
  open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// As for an `AVAudioFile`.
  open var settings: [String: Any] { AudioSettings.dictionary(stream.pointee, layout?.managed) }

  open var formatDescription: CMAudioFormatDescription {
    guard
      let description = try? CMFormatDescription(
        audioStreamBasicDescription: stream.pointee, layout: layout?.managed, magicCookie: cookie)
    else { AudioMisuse.failed("a format that can be described") }
    return description
  }

  /// The form of its linear samples; nil for coded sound and for what nobody writes.
  package var sampleFormat: SampleFormat? {
    let stream = stream.pointee
    guard stream.mFormatID == kAudioFormatLinearPCM else { return nil }
    let flags = stream.mFormatFlags
    let bits = Int(stream.mBitsPerChannel)
    let channels = isInterleaved ? Int(stream.mChannelsPerFrame) : 1
    // Samples that do not fill their bytes are none of ours.
    guard Int(stream.mBytesPerFrame) == bits / 8 * max(channels, 1) else { return nil }
    let kind: SampleFormat.Kind =
      flags & kAudioFormatFlagIsFloat != 0 ? .float : flags & kAudioFormatFlagIsSignedInteger != 0 ? .signed : .unsigned
    return SampleFormat(kind, bits: bits, isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0)
  }

  /// FFmpeg's mask; 0 for the usual one of so many channels.
  package var channelMask: UInt64 { layout?.managed.channelMask ?? 0 }

  /// The rate where it is a whole number that sound may have; nil for others.
  package var wholeRate: Int? {
    Int(exactly: sampleRate).flatMap { AudioFormat.sampleRates.contains($0) ? $0 : nil }
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioFormat else { return false }
    return stream.pointee == other.stream.pointee && (channelCount <= 2 || layout?.managed == other.layout?.managed)
      && cookie == other.cookie
  }

  open override var hash: Int { stream.pointee.hashValue }

  open override var description: String {
    let kind =
      switch commonFormat {
      case .pcmFormatFloat32: "Float32"
      case .pcmFormatFloat64: "Float64"
      case .pcmFormatInt16: "Int16"
      case .pcmFormatInt32: "Int32"
      case .otherFormat: stream.pointee.mFormatID == kAudioFormatLinearPCM ? "linear PCM" : "coded"
      }
    let order = commonFormat == .otherFormat ? "" : isInterleaved ? ", interleaved" : ", deinterleaved"
    return "<AVAudioFormat: \(channelCount) ch, \(sampleRate) Hz, \(kind)\(order)>"
  }
}
