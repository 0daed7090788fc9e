import CFFmpeg
package import CoreMedia
package import MediaEngine

extension FFmpegDemuxer {
  /// Only of containers whose index states all key frames before they are read.
  package func keyframes(around target: CMTime, of track: Int) -> KeyframeNeighbours? {
    guard let context, clocks.indices.contains(track), track < Int(context.pointee.nb_streams),
      let stream = context.pointee.streams[track], let wanted = TimeBase(clocks[track].timeBase).ticks(target),
      avformat_index_get_entries_count(stream) > 0
    else { return nil }
    let name = String(c: context.pointee.iformat?.pointee.name) ?? ""
    guard name.hasPrefix("mov,") || name.hasPrefix("matroska") || name == "avi" else { return nil }
    let clock = clocks[track]
    func time(_ entry: UnsafePointer<AVIndexEntry>?) -> CMTime? {
      guard let ticks = entry.flatMap({ clock.itemTicks($0.pointee.timestamp) }), MediaPacket.ticks.contains(ticks)
      else {
        return nil
      }
      return TimeBase(clock.timeBase).time(ticks)
    }
    let timestamp = wanted &+ clock.origin
    return KeyframeNeighbours(
      before: time(avformat_index_get_entry_from_timestamp(stream, timestamp, AVSEEK_FLAG_BACKWARD)),
      after: time(avformat_index_get_entry_from_timestamp(stream, timestamp &+ 1, 0)))
  }
}
