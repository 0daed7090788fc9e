internal import CoreMedia
internal import MediaIO
internal import MediaRuntime

/// One audio track from packets to a line of samples in the device's format. Used only on the audio renderer's queue.
final class AudioFeeder: @unchecked Sendable {
  // Sendable because all of it but `track`, `buffer`, `item` is touched on the renderer's queue only.

  let item: ItemID
  let track: MediaTrack
  let buffer: PacketBuffer
  private let backend: any MediaBackend
  private var format: AudioDeviceFormat?
  private var decoder: (any AudioDecoder)?
  private var converter: (any AudioConverter)?
  private var converterFormat: AudioFormat?
  private var generation: Generation
  private var skipsBefore: CMTime?
  /// What is decoded first is not heard.
  private var isLeadIn = false
  private var isFinishing = false
  private var behindGap: BehindGap?
  /// Nothing before this sample is wanted.
  private var wantedFrom = Int64.min
  /// Where the first block should be, or before.
  private var expected: Int64 = 0
  private var failuresInARow = 0
  private let live = LiveObject(.audioDecoding)

  /// What becomes of the pitch at other speeds.
  var pitch = PitchAlgorithm.timeDomain
  /// How loud the track is over the item's time.
  var volume = VolumeCurve()
  /// What the app wants of the way to the device's format; fixed before the first sound.
  private let processing: SoundProcessing

  private var sound = TappedLine()
  private(set) var epoch: UInt64 = 0
  /// Everything is decoded; the line ends where the sound ends.
  private(set) var hasEnded = false
  private(set) var failure: MediaError?

  /// Sound decoded before a target, so that a new decoder and the resampler have found their feet: AAC needs two packets,
  /// MP3 three; Opus is off by 0.02 after the 80 ms of RFC 7845, by less than 0.0001 after these 300.
  static let preroll = CMTime(value: 3, timescale: 10)

  init(
    item: ItemID, track: MediaTrack, buffer: PacketBuffer, backend: any MediaBackend, processing: SoundProcessing,
    generation: Generation
  ) {
    self.processing = processing
    self.item = item
    self.track = track
    self.buffer = buffer
    self.backend = backend
    self.generation = generation
  }

  /// A block that lies behind a gap, also before the first one: the silence before it comes piece by piece, however
  /// long it is.
  private struct BehindGap {
    var block: AudioBlock
    var start: Int64
    /// The block after it, once the gap is known to be one; until then the block's time may be damaged.
    var next: AudioBlock?
    var isCertain: Bool
  }

  /// A gap of so many seconds is believed when the block after it lies behind it too.
  private static let doubtfulGap: Int64 = 1

  enum Progress: Sendable {
    /// The line reaches as far as was asked.
    case ready
    /// More can be decoded at once, in another step.
    case more
    /// Packets are missing.
    case starved
    case ended
  }

  /// Begins anew at a target: what follows decodes from a place held, or from packets of a newer generation.
  func restart(
    at target: CMTime, fromBuffer: Bool, generation: Generation, epoch: UInt64, format: AudioDeviceFormat
  ) {
    self.epoch = epoch
    self.generation = generation
    self.format = format
    if fromBuffer, let place = buffer.soundPlace(for: target, preroll: Self.preroll) { _ = buffer.move(to: place) }
    decoder = nil
    converter = nil
    converterFormat = nil
    isFinishing = false
    behindGap = nil
    hasEnded = false
    failure = nil
    failuresInARow = 0
    sound.restart(format)
    skipsBefore = target > Self.preroll ? target - Self.preroll : nil
    isLeadIn = skipsBefore != nil
    wantedFrom = sample(at: target - Self.preroll)
    expected = sample(at: target)
  }

  /// Decodes until the line reaches a sample, at most `packets` packets in this step.
  func decode(until end: Int64, packets: Int) -> Progress {
    var left = packets
    while !hasEnded {
      if line.isPlaced, line.end >= end { return .ready }
      if left <= 0 { return .more }
      do throws(MediaError) {
        guard try decodeOne(&left) else { return .starved }
      } catch {
        failure = error
        finishLine()
      }
    }
    return line.end >= end && line.isPlaced ? .ready : .ended
  }

  /// The samples at hand, as they go to the device, but for its volume.
  var line: AudioLine { sound.line }

  func trim(before sample: Int64) { sound.trim(before: sample) }

  /// An app's tap takes part from a sample on.
  /// - Returns: whether it is another one than before.
  @discardableResult func setTap(_ tap: (any SoundTap)?, from sample: Int64) -> Bool {
    sound.setTap(tap, from: sample)
  }

  /// Of the line.
  var sampleRate: Int { format?.sampleRate ?? 48_000 }

  /// What makes its sound longer or shorter with the pitch kept; nil where it is to follow the speed, or must: far
  /// beyond every speed, and for want of a library.
  func stretcher(rate: Double) -> (any AudioStretcher)? {
    guard rate != 1, PitchAlgorithm.keptRates.contains(rate), pitch != .varispeed, let format else { return nil }
    do throws(MediaError) {
      return try backend.audioStretcher(format, rate: rate, algorithm: pitch)
    } catch {
      Log.engine.warning("Pitch follows the rate: \(error)")
      return nil
    }
  }

  /// Lets go of packets that nobody will decode: sound for a target is going to be wanted, but not now.
  func passOver(to target: CMTime) {
    guard let place = buffer.soundPlace(for: target, preroll: Self.preroll), place.isAhead else { return }
    _ = buffer.move(to: place)
  }

  func close() {
    decoder = nil
    converter = nil
    behindGap = nil
    sound.close()
    hasEnded = true
  }

  /// The sample of an item time.
  func sample(at time: CMTime) -> Int64 { Self.sample(at: time, format?.sampleRate ?? 48_000) }

  static func sample(at time: CMTime, _ rate: Int) -> Int64 {
    let scaled = CMTimeConvertScale(time, timescale: Int32(clamping: max(rate, 1)), method: .roundHalfAwayFromZero)
    return scaled.isNumeric ? scaled.value : 0
  }

  // MARK: Decoding

  /// False when packets are missing.
  private func decodeOne(_ left: inout Int) throws(MediaError) -> Bool {
    if let behindGap, behindGap.isCertain {
      try fillGap(before: behindGap)
      return true
    }
    let decoder: any AudioDecoder
    if let open = self.decoder { decoder = open } else { decoder = try open() }
    switch try receive(decoder) {
    case .output(let block):
      failuresInARow = 0
      if let behindGap { try judge(behindGap, by: Self.bounded(block)) } else { try append(Self.bounded(block)) }
      return true
    case .end:
      end()
      return true
    case .needsInput:
      break
    }
    switch buffer.take(generation) {
    case .packet(let packet):
      if isBeforePreroll(packet) { return true }
      left -= 1
      do {
        try decoder.send(packet)
      } catch {
        try tolerate(error)
      }
      return true
    case .end:
      if isFinishing {
        end()
        return true
      }
      isFinishing = true
      decoder.finish()
      return true
    case .wait:
      return false
    }
  }

  private func receive(_ decoder: any AudioDecoder) throws(MediaError) -> Decoded<AudioBlock> {
    do {
      return try decoder.receive()
    } catch {
      try tolerate(error)
      return .needsInput
    }
  }

  private func tolerate(_ error: MediaError) throws(MediaError) {
    failuresInARow += 1
    if !error.isTolerable(inARow: failuresInARow, limit: 500) { throw error }
  }

  private func open() throws(MediaError) -> any AudioDecoder {
    let decoder = try backend.audioDecoder(for: track, generation)
    self.decoder = decoder
    return decoder
  }

  private func isBeforePreroll(_ packet: MediaPacket) -> Bool {
    guard let skipsBefore, let end = packet.endTicks else { return false }
    if track.timeBase.time(end) <= skipsBefore, packet.duration > 0 { return true }
    self.skipsBefore = nil
    return false
  }

  // MARK: The line

  /// - Parameter isCertain: its time is not to be doubted.
  private func append(_ block: AudioBlock, isCertain: Bool = false) throws(MediaError) {
    guard let format, block.sampleCount > 0 else { return }
    if isLeadIn, !line.isPlaced, converter == nil, let late = block.aligned(to: format.sampleRate) {
      if late.sampleCount > 0 { try append(late, isCertain: isCertain) }
      return
    }
    let start = Self.rescale(block.startSample, block.format.sampleRate, format.sampleRate)
    let doubtful = Self.doubtfulGap * Int64(format.sampleRate)
    if !line.isPlaced, !isCertain, start - expected >= doubtful {
      behindGap = BehindGap(block: block, start: start, isCertain: false)
      return
    }
    if converterFormat.map({ $0.differs(from: block.format) }) ?? true { try change(to: block.format, format) }
    guard let converter else { return }
    if !line.isPlaced { sound.place(at: start) }
    let gap = start - (line.end + Int64(converter.delayFrames))
    let tolerance = Int64(format.sampleRate / 100)
    var output: [Float] = []
    if gap > tolerance {
      try converter.finish(into: &output)
      sound.append(output)
      self.converter = nil
      behindGap = BehindGap(block: block, start: start, isCertain: isCertain || gap < doubtful)
      return
    }
    output.reserveCapacity((block.sampleCount + 64) * format.channelCount * 2)
    try converter.convert(block, into: &output)
    let overlap = gap < -tolerance ? -gap : 0
    if overlap > 0 {
      output.removeFirst(min(output.count, Int(min(overlap, 1 << 24)) * format.channelCount))
    }
    sound.append(output)
  }

  /// Where the next block goes on before the gap, it was one damaged time: its block belongs where the line ends.
  private func judge(_ held: BehindGap, by next: AudioBlock) throws(MediaError) {
    guard let format else { return }
    if Self.rescale(next.startSample, next.format.sampleRate, format.sampleRate) >= held.start {
      behindGap?.isCertain = true
      behindGap?.next = next
      return
    }
    behindGap = nil
    converterFormat = nil
    var block = held.block
    if line.isPlaced {
      block.startSample = Self.rescale(line.end, format.sampleRate, block.format.sampleRate)
    } else {
      block.startSample = next.startSample - Int64(block.sampleCount)
    }
    try append(block)
    try append(next)
  }

  /// Nothing follows that could cast doubt on a gap.
  private func end() {
    if behindGap == nil { finishLine() } else { behindGap?.isCertain = true }
  }

  /// A second of silence at most; then the block itself, and the one after it.
  private func fillGap(before held: BehindGap) throws(MediaError) {
    guard let format else { return behindGap = nil }
    guard line.isPlaced else {
      behindGap = nil
      try append(held.block, isCertain: true)
      if let next = held.next { try append(next) }
      return
    }
    if line.end < min(wantedFrom, held.start) { sound.jump(to: min(wantedFrom, held.start)) }
    sound.appendSilence(min(held.start - line.end, Int64(format.sampleRate)))
    guard line.end >= held.start else { return }
    behindGap = nil
    converterFormat = nil
    try append(held.block)
    if let next = held.next { try append(next) }
  }

  /// Within 136 years of the start, whatever a damaged file says: at any device's rate, and at the slowest playing
  /// speed, that is far from the edges of 64 bits.
  private static func bounded(_ block: AudioBlock) -> AudioBlock {
    var block = block
    let edge = Int64(min(max(block.format.sampleRate, 1), 1 << 24)) << 32
    block.startSample = min(max(block.startSample, -edge), edge)
    return block
  }

  private func change(to new: AudioFormat, _ format: AudioDeviceFormat) throws(MediaError) {
    if let converter {
      var output: [Float] = []
      try converter.finish(into: &output)
      sound.append(output)
    }
    converter = try makeConverter(from: new, to: format)
    converterFormat = new
  }

  /// Sound that can't be processed as it should be is better than none.
  private func makeConverter(from new: AudioFormat, to format: AudioDeviceFormat) throws(MediaError)
    -> any AudioConverter
  {
    do throws(MediaError) {
      return try backend.audioConverter(from: new, to: format, processing)
    } catch {
      guard processing.evensLoudness else { throw error }
      Log.engine.warning("Loudness is left as it is: \(error)")
      var plain = processing
      plain.evensLoudness = false
      return try backend.audioConverter(from: new, to: format, plain)
    }
  }

  private func finishLine() {
    if let converter {
      var output: [Float] = []
      if (try? converter.finish(into: &output)) != nil { sound.append(output) }
    }
    converter = nil
    decoder = nil
    hasEnded = true
  }

  static func rescale(_ sample: Int64, _ from: Int, _ to: Int) -> Int64 {
    guard from != to, from > 0 else { return sample }
    let (product, overflow) = sample.multipliedReportingOverflow(by: Int64(to))
    guard !overflow else { return sample / Int64(from) * Int64(to) }
    let half = Int64(from) / 2
    return (product + (product < 0 ? -half : half)) / Int64(from)
  }
}

extension AudioFormat {
  /// Whether another converter is needed.
  fileprivate func differs(from other: AudioFormat) -> Bool {
    sampleRate != other.sampleRate || channelCount != other.channelCount || channelMask != other.channelMask
  }
}
