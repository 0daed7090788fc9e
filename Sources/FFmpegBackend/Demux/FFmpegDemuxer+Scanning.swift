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
    var ends: [Int: Int64] = [:]
    while let packet = try next(generation) {
      guard let time = packet.presentationTime ?? packet.decodeTime ?? ends[packet.track] else { continue }
      ends[packet.track] = max(ends[packet.track] ?? .min, time &+ packet.duration)
    }
    scannedEnds = ends
    return try describe()
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
