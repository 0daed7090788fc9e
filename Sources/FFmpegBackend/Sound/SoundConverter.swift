import CFFmpeg
package import MediaEngine
package import MediaRuntime

/// Sound of any format to the device's: mixed, resampled, evened where asked for, limited. At equal rates as many frames come out as go in.
///
/// `@unchecked Sendable`: the engine calls it on one queue at a time.
package final class SoundConverter: AudioConverter, @unchecked Sendable {
  private let device: AudioDeviceFormat
  private var format: AudioFormat
  private var matrix: MixMatrix
  private var levels = MixMatrix.Levels()
  private var resampler: Resampler?
  private let processing: SoundProcessing
  private let evener: LoudnessEvener?
  private var limiter: Limiter
  private var samples: [Float] = []
  private var mixed: [Float] = []

  init(from: AudioFormat, to: AudioDeviceFormat, _ processing: SoundProcessing) throws(MediaError) {
    guard to.sampleRate > 0, to.channelCount > 0, to.channelCount <= 64 else {
      throw MediaError(.conversionFailed, "The output device has no usable format. Choose another output device.")
    }
    device = to
    format = from
    self.processing = processing
    evener = processing.evensLoudness ? try LoudnessEvener(to) : nil
    if let gain = processing.dialogueGain { levels.center = gain }
    matrix = MixMatrix(from: from, to: to, levels: levels)
    limiter = Limiter(channels: to.channelCount, sampleRate: to.sampleRate)
    resampler = try Self.resampler(from: from, to: to)
  }

  package func convert(_ block: AudioBlock, into output: inout [Float]) throws(MediaError) {
    guard block.sampleCount > 0, block.format.channelCount > 0, block.format.sampleRate > 0 else { return }
    var stated = Self.levels(of: block)
    if let gain = processing.dialogueGain { stated.center = gain }
    if block.format.sampleRate != format.sampleRate {
      try flushResampler(into: &output)
      resampler = try Self.resampler(from: block.format, to: device)
    }
    if block.format.channelCount != format.channelCount || block.format.channelMask != format.channelMask
      || stated != levels
    {
      levels = stated
      matrix = MixMatrix(from: block.format, to: device, levels: stated)
    }
    format = block.format
    mix(block)
    try pass(isEnd: false, into: &output)
  }

  package func finish(into output: inout [Float]) throws(MediaError) {
    try flushResampler(into: &output)
    resampler = try Self.resampler(from: format, to: device)
    if let evener { try limit(evener.finish(), into: &output) }
    limiter.drain(into: &output)
  }

  package var delayFrames: Int { limiter.pending + (evener?.pending ?? 0) + (resampler?.delay ?? 0) }

  private static func resampler(from: AudioFormat, to: AudioDeviceFormat) throws(MediaError) -> Resampler? {
    guard from.sampleRate > 0, from.sampleRate != to.sampleRate else { return nil }
    return try Resampler(channels: to.channelCount, from: from.sampleRate, to: to.sampleRate)
  }

  private func flushResampler(into output: inout [Float]) throws(MediaError) {
    guard resampler != nil else { return }
    mixed.removeAll(keepingCapacity: true)
    try pass(isEnd: true, into: &output)
  }

  /// From `mixed` to `output`.
  private func pass(isEnd: Bool, into output: inout [Float]) throws(MediaError) {
    guard let resampler else { return try even(mixed, into: &output) }
    var made: [Float] = []
    let input = mixed
    let outcome: Result<Void, MediaError> = input.withUnsafeBufferPointer { samples in
      Result { () throws(MediaError) in
        try resampler.process(samples, isEnd: isEnd) { result in made.append(contentsOf: result) }
      }
    }
    try outcome.get()
    try even(made, into: &output)
  }

  private func even(_ samples: [Float], into output: inout [Float]) throws(MediaError) {
    if let evener { limit(try evener.process(samples), into: &output) } else { limit(samples, into: &output) }
  }

  private func limit(_ samples: [Float], into output: inout [Float]) {
    samples.withUnsafeBufferPointer { limiter.process($0, into: &output) }
  }

  private func mix(_ block: AudioBlock) {
    let count = block.sampleCount
    let inputs = block.format.channelCount
    let outputs = device.channelCount
    resize(&samples, to: count * inputs)
    samples.withUnsafeMutableBufferPointer { block.storage.copyInterleaved($0) }
    if matrix.isIdentity {
      swap(&samples, &mixed)
      return
    }
    resize(&mixed, to: count * outputs)
    samples.withUnsafeBufferPointer { source in
      mixed.withUnsafeMutableBufferPointer { target in
        matrix.gains.withUnsafeBufferPointer { gains in
          for frame in 0..<count {
            for output in 0..<outputs {
              var sum: Float = 0
              for input in 0..<inputs { sum += source[frame * inputs + input] * gains[output * inputs + input] }
              target[frame * outputs + output] = sum
            }
          }
        }
      }
    }
  }

  private func resize(_ array: inout [Float], to count: Int) {
    if array.count > count { array.removeLast(array.count - count) }
    if array.count < count { array.append(contentsOf: repeatElement(0, count: count - array.count)) }
  }

  /// The mix that the stream itself asks for (AC-3 and others state it per frame).
  private static func levels(of block: AudioBlock) -> MixMatrix.Levels {
    var levels = MixMatrix.Levels()
    guard let frame = (block.storage as? FrameSamples)?.box.frame,
      let side = av_frame_get_side_data(frame, AV_FRAME_DATA_DOWNMIX_INFO), let data = side.pointee.data,
      side.pointee.size >= MemoryLayout<AVDownmixInfo>.size
    else { return levels }
    let info = UnsafeRawPointer(data).load(as: AVDownmixInfo.self)
    if info.center_mix_level > 0, info.center_mix_level <= 2 { levels.center = Float(info.center_mix_level) }
    if info.surround_mix_level >= 0, info.surround_mix_level <= 2 { levels.surround = Float(info.surround_mix_level) }
    return levels
  }
}
