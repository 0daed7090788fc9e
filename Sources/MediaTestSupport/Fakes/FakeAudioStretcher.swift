import MediaEngine
import MediaRuntime

/// Leaves samples out, or repeats them: what comes out at n is exactly what went in at n · rate.
final class FakeAudioStretcher: AudioStretcher, @unchecked Sendable {
  // Sendable because the engine calls it on one queue at a time.

  let leadIn = 0
  private let channels: Int
  private let rate: Double
  private var taken = 0
  private var given = 0

  private let failure: MediaError?

  init(_ format: AudioDeviceFormat, rate: Double, failure: MediaError?) {
    channels = format.channelCount
    self.rate = rate
    self.failure = failure
  }

  func stretch(_ samples: [Float], into output: inout [Float]) throws(MediaError) {
    if let failure { throw failure }
    let count = samples.count / channels
    while true {
      let place = Int(Double(given) * rate) - taken
      guard place < count else { break }
      output.append(contentsOf: samples[place * channels..<(place + 1) * channels])
      given += 1
    }
    taken += count
  }

  func finish(into output: inout [Float]) throws(MediaError) {}
}
