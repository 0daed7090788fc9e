import Foundation
import MediaEngine

/// The loudest sample of a sound track.
struct SoundMeter: Sendable {
  /// −80 dB of full scale: below lies nothing that is heard.
  private static let silence: Float = 0.0001

  private let track: MediaTrack
  private var peak: Float = 0
  private var samples: Int64 = 0
  private var buffer: [Float] = []
  private var rate = 0

  init(_ track: MediaTrack) { self.track = track }

  mutating func note(_ block: AudioBlock) {
    samples += Int64(block.sampleCount)
    rate = block.format.sampleRate
    // Once it is known that there is sound, nothing more is asked.
    guard peak < Self.silence else { return }
    let count = block.sampleCount * block.format.channelCount
    guard count > 0 else { return }
    if buffer.count < count { buffer = [Float](repeating: 0, count: count) }
    buffer.withUnsafeMutableBufferPointer { all in
      let part = UnsafeMutableBufferPointer(rebasing: all[..<count])
      block.storage.copyInterleaved(part)
      peak = part.reduce(peak) { max($0, abs($1)) }
    }
  }

  var findings: [Finding] {
    guard samples > 0, peak < Self.silence else { return [] }
    let length = Double(samples) / Double(max(rate, 1))
    let level =
      peak > 0 ? "never louder than \(Int((20 * log10(Double(peak))).rounded())) dB" : "all of its samples are zero"
    var evidence: [String: Evidence] = ["samples": Evidence(samples), "peak": Evidence(seconds: Double(peak))]
    if peak > 0 { evidence["decibels"] = Evidence(seconds: (20 * log10(Double(peak)) * 10).rounded() / 10) }
    return [
      Finding(
        .silentSound, track: track.id,
        "\(Wording.name(of: track).capitalizedFirst) is silent for all of its \(Wording.length(length)): \(level).",
        evidence)
    ]
  }
}
