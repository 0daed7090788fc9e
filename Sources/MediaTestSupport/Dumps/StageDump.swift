package import MediaEngine
internal import MediaRuntime

/// One line per thing that passes a stage: packets, frames, sound, events. The lines hold no address and no wall time.
package enum StageDump {
  package static func line(_ packet: MediaPacket) -> String {
    let flags = (packet.isKeyframe ? "K" : "-") + (packet.isDisposable ? "D" : "-")
    return "packet \(packet.track) pts=\(text(packet.presentationTime)) dts=\(text(packet.decodeTime)) "
      + "dur=\(packet.duration) size=\(packet.size) \(flags)"
  }

  package static func line(_ frame: VideoFrame) -> String {
    "frame \(frame.presentationTime) dur=\(frame.duration) \(frame.timeBase.numerator)/\(frame.timeBase.denominator) "
      + "\(frame.isKeyframe ? "K" : "-") \(String(frame.picture.checksum(), radix: 16))"
  }

  package static func line(_ entry: DriverBench.Entry) -> String {
    "\(entry.time.count / 1_000) \(entry.event.line)"
  }

  /// The sound that a device played, as a checksum per stretch of a tenth of a second.
  package static func sound(_ played: [Float], format: AudioDeviceFormat) -> [String] {
    let stretch = max(format.sampleRate / 10 * format.channelCount, 1)
    return stride(from: 0, to: played.count - played.count % stretch, by: stretch).map { start in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      var peak: Float = 0
      for sample in played[start..<start + stretch] {
        peak = max(peak, abs(sample))
        hash = (hash ^ UInt64((sample * 32_768).rounded().bitPattern)) &* 0x100_0000_01b3
      }
      return "sound \(start / format.channelCount) peak=\((peak * 1000).rounded() / 1000) \(String(hash, radix: 16))"
    }
  }

  private static func text(_ ticks: Int64?) -> String { ticks.map(String.init) ?? "-" }
}
