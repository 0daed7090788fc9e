import CFFmpeg
import MediaEngine
import MediaIO
import MediaRuntime

extension FFmpegDemuxer {
  /// Reads every packet to learn where each stream really ends; leaves the position at the end.
  func scan(_ generation: Generation) throws(MediaError) -> MediaDescription {
    let wanted = selection
    selection = nil
    applySelection()
    defer {
      selection = wanted
      applySelection()
    }
    try rewind(generation)
    scannedEnds = [:]
    var ends: [Int: Int64] = [:]
    while let packet = try next(generation) {
      if let duration = adtsDuration(packet) {
        ends[packet.track] = (ends[packet.track] ?? 0) &+ duration
        continue
      }
      guard let time = packet.presentationTime ?? packet.decodeTime ?? ends[packet.track] else { continue }
      ends[packet.track] = max(ends[packet.track] ?? .min, time &+ packet.duration)
    }
    _ = try learnsOfCut(generation)
    scannedEnds = ends
    return try describe()
  }

  /// What a packet's own ADTS header (ISO 13818-7, 6.2) says; libavformat takes the first header's rate for all.
  private func adtsDuration(_ packet: MediaPacket) -> Int64? {
    guard packet.track < clocks.count, clocks[packet.track].timeBase.isOfRawSound, packet.size >= 7,
      let data = (packet.payload as? PacketBox)?.packet.pointee.data, data[0] == 0xff, data[1] & 0xf6 == 0xf0
    else { return nil }
    let rates: [Int64] = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    let index = Int(data[2] >> 2 & 0xf)
    guard index < rates.count else { return nil }
    return 1_024 * (Int64(data[6] & 3) + 1) * Int64(clocks[packet.track].timeBase.den) / rates[index]
  }

  /// Back to the first packet; opens the container anew where it can't go back.
  func rewind(_ generation: Generation) throws(MediaError) {
    pending.removeAll()
    forgetEnd()
    guard let reader else { throw .closed(source.address) }
    reader.begin(generation)
    reader.forgetEnd()
    closeContext()
    try openContext(generation)
  }
}
