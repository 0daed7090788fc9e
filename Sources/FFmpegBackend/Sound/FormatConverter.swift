package import MediaEngine
package import MediaRuntime

/// Interleaved floats of one rate and layout to another, without the limiter of what goes to a device: nothing is changed
/// but what was asked for. Used on one thread at a time.
package final class FormatConverter {
  /// How channels become others.
  package enum Channels: Hashable, Sendable {
    /// The input's channel for each of the output's; −1 is silence.
    case chosen([Int])
    /// Mixed as for a device.
    case mixed
  }

  private let inputs: Int
  private let outputs: Int
  private let gains: [Float]
  private let isIdentity: Bool
  private let rates: (from: Int, to: Int)
  private let filter: Int
  private var resampler: Resampler?

  /// - Parameter filter: taps of the resampler's filter; nil is the usual number.
  package init(from: AudioDeviceFormat, to: AudioDeviceFormat, channels: Channels, filter: Int? = nil)
    throws(MediaError)
  {
    inputs = from.channelCount
    outputs = to.channelCount
    rates = (from.sampleRate, to.sampleRate)
    self.filter = filter ?? Resampler.usualFilter
    var gains = [Float](repeating: 0, count: inputs * outputs)
    switch channels {
    case .chosen(let map):
      for (output, input) in map.prefix(outputs).enumerated() where (0..<inputs).contains(input) {
        gains[output * inputs + input] = 1
      }
    case .mixed:
      let format = AudioFormat(
        sampleRate: from.sampleRate, channelCount: from.channelCount, channelMask: from.channelMask)
      gains = MixMatrix(from: format, to: to, levels: MixMatrix.Levels()).gains
    }
    self.gains = gains
    let (inputs, outputs) = (inputs, outputs)
    isIdentity =
      inputs == outputs && gains.indices.allSatisfy { gains[$0] == ($0 / inputs == $0 % inputs ? 1 : 0) }
    try reset()
  }

  /// Forgets what is inside.
  package func reset() throws(MediaError) {
    resampler =
      rates.from == rates.to
      ? nil : try Resampler(channels: outputs, from: rates.from, to: rates.to, filter: filter)
  }

  /// Appends what comes of some frames; at the end also what is still inside.
  package func process(_ samples: [Float], isEnd: Bool, into output: inout [Float]) throws(MediaError) {
    let mixed = isIdentity ? samples : mix(samples)
    guard let resampler else { return output += mixed }
    var made: [Float] = []
    if !mixed.isEmpty { try pass(mixed, resampler, isEnd: false, &made) }
    if isEnd { try pass([], resampler, isEnd: true, &made) }
    output += made
  }

  private func pass(_ samples: [Float], _ resampler: Resampler, isEnd: Bool, _ made: inout [Float]) throws(MediaError) {
    var got: [Float] = []
    let outcome: Result<Void, MediaError> = samples.withUnsafeBufferPointer { samples in
      Result { () throws(MediaError) in
        try resampler.process(samples, isEnd: isEnd) { part in got.append(contentsOf: part) }
      }
    }
    try outcome.get()
    made += got
  }

  private func mix(_ samples: [Float]) -> [Float] {
    guard inputs > 0 else { return [] }
    let frames = samples.count / inputs
    var mixed = [Float](repeating: 0, count: frames * outputs)
    for output in 0..<outputs {
      for input in 0..<inputs where gains[output * inputs + input] != 0 {
        let gain = gains[output * inputs + input]
        for frame in 0..<frames { mixed[frame * outputs + output] += samples[frame * inputs + input] * gain }
      }
    }
    return mixed
  }
}
