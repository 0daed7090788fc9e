public import CoreMedia
import FFmpegBackend
public import Foundation
import MediaEngine
import MediaRuntime

/// Converts linear samples: form, interleaving, channels and rate. Used by one thread at a time.
///
/// Rates are changed by a filter of linear phase that adds no delay: the first frame out is the first frame in. Samples
/// pass as 32-bit floats where the rate or the channels change, and unchanged or in double precision elsewhere; nothing
/// is limited or dithered. Coded formats can't be converted: write or read an `AVAudioFile`.
open class AVAudioConverter: NSObject {
  public let inputFormat: AVAudioFormat
  public let outputFormat: AVAudioFormat

  private let rates: (from: Int, to: Int)
  private let forms: (from: SampleFormat, to: SampleFormat)
  private var converter: FormatConverter?
  /// Made, interleaved in the output's form, and not given yet.
  private var pending: [UInt8] = []
  private var head = 0
  private var hasEnded = false
  private var map: [Int]
  private var quality = AVAudioQuality.medium.rawValue

  /// Nil when one of the formats is coded, or has no whole number of samples a second.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    guard let from = fromFormat.wholeRate, let to = toFormat.wholeRate, let source = fromFormat.sampleFormat,
      let target = toFormat.sampleFormat, AudioFormat.channelCounts.contains(Int(fromFormat.channelCount)),
      AudioFormat.channelCounts.contains(Int(toFormat.channelCount))
    else { return nil }
    inputFormat = fromFormat
    outputFormat = toFormat
    rates = (from, to)
    forms = (source, target)
    map = Self.usualMap(Int(fromFormat.channelCount), Int(toFormat.channelCount))
    super.init()
    guard (try? prepare()) != nil else { return nil }
  }

  /// One channel goes into all; else each into its own, and what is left over is silence, or left out.
  private static func usualMap(_ inputs: Int, _ outputs: Int) -> [Int] {
    (0..<outputs).map { inputs == 1 ? 0 : $0 < inputs ? $0 : -1 }
  }

  // MARK: Settings

  /// The input's channel for each of the output's; −1 is silence. Without a wish of the app's one channel goes into all,
  /// and others into those of the same number. Without effect while `downmix` is on.
  /// - Precondition: it is set to as many numbers as the output has channels, each −1 or a channel of the input.
  open var channelMap: [NSNumber] {
    get { map.map { NSNumber(value: $0) } }
    set {
      let numbers = newValue.map(\.intValue)
      AudioMisuse.check(
        numbers.count == Int(outputFormat.channelCount)
          && numbers.allSatisfy { (-1..<Int(inputFormat.channelCount)).contains($0) },
        "an input channel, or −1, for each channel of the output")
      map = numbers
      restart()
    }
  }

  /// Channels are mixed by what they are for instead of being chosen. Default false.
  open var downmix = false { didSet { if downmix != oldValue { restart() } } }

  /// Kept, without effect: nothing is dithered.
  open var dither = false

  /// An `AVAudioQuality` of the change of rate.
  open var sampleRateConverterQuality: Int {
    get { quality }
    set {
      guard newValue != quality else { return }
      quality = newValue
      restart()
    }
  }

  /// Kept, without effect: the filter has linear phase, as the normal one does.
  open var sampleRateConverterAlgorithm: String? = AVSampleRateConverterAlgorithm_Normal

  /// Kept, without effect: see `primeInfo`.
  open var primeMethod = AVAudioConverterPrimeMethod.normal

  /// Nothing: what lies before the first frame and behind the last is taken for their mirror image and for silence.
  open var primeInfo: AVAudioConverterPrimeInfo {
    get { AVAudioConverterPrimeInfo() }
    set {}
  }

  /// Nil: the formats are not coded.
  open var magicCookie: Data? {
    get { nil }
    set {}
  }

  // MARK: Converting

  /// Forgets what is inside: what comes next begins anew, also after the end of a stream.
  open func reset() { restart() }

  private func restart() {
    pending.removeAll()
    head = 0
    hasEnded = false
    do throws(MediaError) { try prepare() } catch {
      converter = nil
      Log.app.warning("\(error)")
    }
  }

  private var isDirect: Bool {
    rates.from == rates.to && !downmix && map == Array(0..<Int(inputFormat.channelCount))
  }

  private func prepare() throws(MediaError) {
    converter = nil
    guard !isDirect else { return }
    func device(_ format: AVAudioFormat, _ rate: Int) -> AudioDeviceFormat {
      AudioDeviceFormat(
        sampleRate: rate, channelCount: Int(format.channelCount), channelMask: format.channelMask)
    }
    let filter: Int? =
      switch quality {
      case ..<AVAudioQuality.low.rawValue: 8
      case ..<AVAudioQuality.medium.rawValue: 16
      case ..<AVAudioQuality.high.rawValue: nil
      case ..<AVAudioQuality.max.rawValue: 64
      default: 128
      }
    converter = try FormatConverter(
      from: device(inputFormat, rates.from), to: device(outputFormat, rates.to),
      channels: downmix ? .mixed : .chosen(map), filter: filter)
  }

  private var frameSize: Int { forms.to.byteCount * Int(outputFormat.channelCount) }
  private var pendingFrames: Int { (pending.count - head) / frameSize }

  /// Converts a whole buffer into another at once.
  /// - Precondition: the buffers have the converter's formats.
  /// - Throws: when the rates differ, or the output has no room for all frames (`NSOSStatusErrorDomain` −50).
  open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    AudioMisuse.check(outputBuffer.format == outputFormat, "an output buffer of the converter's output format")
    AudioMisuse.check(inputBuffer.format == inputFormat, "an input buffer of the converter's input format")
    guard rates.from == rates.to else {
      throw NSError.audioParameter("The rate can be changed only by convert(to:error:withInputFrom:).")
    }
    guard inputBuffer.frameLength <= outputBuffer.frameCapacity else {
      throw NSError.audioParameter("The output buffer has no room for \(inputBuffer.frameLength) frames.")
    }
    let frames = inputBuffer.frameLength
    guard let source = inputBuffer.planes, let target = outputBuffer.planes else {
      throw NSError.audioParameter("The samples have a form that can't be converted.")
    }
    outputBuffer.frameLength = frames
    if isDirect { return source.copy(to: target, frames: Int(frames)) }
    do throws(MediaError) {
      let made = try process(source, Int(frames), isEnd: false)
      Self.copy(made, to: target, channels: Int(outputFormat.channelCount), frames: Int(frames))
    } catch {
      outputBuffer.frameLength = 0
      throw error.audioError(AudioErrorDomain.audio, call: "AudioConverterConvertComplexBuffer")
    }
  }

  /// Fills a buffer, taking input from a block as it is needed.
  ///
  /// `.haveData`: there are frames. `.inputRanDry`: the block has nothing now; what could be made is in the buffer.
  /// `.endOfStream`: the block has said so before, and everything has been given; `reset()` begins anew.
  /// - Precondition: the buffers have the converter's formats.
  open func convert(
    to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
    withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    guard let output = outputBuffer as? AVAudioPCMBuffer, output.format == outputFormat, let target = output.planes
    else { AudioMisuse.failed("an output buffer of the converter's output format") }
    output.frameLength = 0
    let wanted = Int(output.frameCapacity)
    var isDry = false
    do throws(MediaError) {
      while pendingFrames < wanted, !hasEnded, !isDry {
        isDry = try take(wanted - pendingFrames, inputBlock)
      }
    } catch {
      outError?.pointee = error.audioError(AudioErrorDomain.audio, call: "AudioConverterFillComplexBuffer")
      return .error
    }
    let frames = min(wanted, pendingFrames)
    give(frames, to: target)
    output.frameLength = AVAudioFrameCount(frames)
    if frames > 0, frames == wanted || !isDry { return .haveData }
    if isDry { return .inputRanDry }
    return hasEnded && pendingFrames == 0 ? .endOfStream : .haveData
  }

  /// Asks for the input of so many frames of output.
  /// - Returns: whether there is none now.
  private func take(_ frames: Int, _ block: AVAudioConverterInputBlock) throws(MediaError) -> Bool {
    let wanted = (Double(frames) * Double(rates.from) / Double(rates.to)).rounded(.up)
    var status = AVAudioConverterInputStatus.noDataNow
    let buffer = block(AVAudioPacketCount(min(max(wanted, 1), Double(UInt32.max))), &status)
    if status == .noDataNow { return true }
    var input: (planes: SamplePlanes, frames: Int)?
    if status == .haveData, let buffer {
      guard let buffer = buffer as? AVAudioPCMBuffer, buffer.format == inputFormat, let planes = buffer.planes else {
        AudioMisuse.failed("input buffers of the converter's input format")
      }
      if buffer.frameLength > 0 { input = (planes, Int(buffer.frameLength)) }
    }
    hasEnded = status == .endOfStream
    // A buffer without frames ends nothing, and would be asked for for ever.
    guard input != nil || hasEnded else { return true }
    if let input {
      try append(input.planes, input.frames)
    } else if converter != nil {
      try append(process(nil, 0, isEnd: true))
    }
    return false
  }

  private func append(_ planes: SamplePlanes, _ frames: Int) throws(MediaError) {
    guard isDirect else { return append(try process(planes, frames, isEnd: false)) }
    let start = grow(by: frames)
    pending.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      planes.copy(to: made(at: base + start), frames: frames)
    }
  }

  private func append(_ samples: [Float]) {
    let channels = Int(outputFormat.channelCount)
    let frames = samples.count / channels
    let start = grow(by: frames)
    pending.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      Self.copy(samples, to: made(at: base + start), channels: channels, frames: frames)
    }
  }

  private func made(at base: UnsafeMutableRawPointer) -> SamplePlanes {
    SamplePlanes(interleaved: base, format: forms.to, channelCount: Int(outputFormat.channelCount))
  }

  /// - Returns: where the new bytes begin.
  private func grow(by frames: Int) -> Int {
    if head > 0 {
      pending.removeFirst(head)
      head = 0
    }
    let start = pending.count
    pending.append(contentsOf: repeatElement(0, count: frames * frameSize))
    return start
  }

  private func give(_ frames: Int, to target: SamplePlanes) {
    pending.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      made(at: base + head).copy(to: target, frames: frames)
    }
    head += frames * frameSize
    if head == pending.count {
      pending.removeAll(keepingCapacity: true)
      head = 0
    }
  }

  private func process(_ planes: SamplePlanes?, _ frames: Int, isEnd: Bool) throws(MediaError) -> [Float] {
    guard let converter else {
      throw MediaError(.conversionFailed, "The converter could not be set up. Choose other formats.")
    }
    let channels = Int(inputFormat.channelCount)
    var samples = [Float](repeating: 0, count: frames * channels)
    if let planes {
      samples.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        planes.copy(to: SamplePlanes(interleaved: base, format: .float32, channelCount: channels), frames: frames)
      }
    }
    var output: [Float] = []
    try converter.process(samples, isEnd: isEnd, into: &output)
    return output
  }

  private static func copy(_ samples: [Float], to target: SamplePlanes, channels: Int, frames: Int) {
    samples.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      SamplePlanes(
        interleaved: UnsafeMutableRawPointer(mutating: base), format: .float32, channelCount: channels
      ).copy(to: target, frames: min(frames, samples.count / max(channels, 1)))
    }
  }
}
