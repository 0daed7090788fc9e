import MediaEngine
import MediaIO
import MediaRuntime

/// All that is looked at of one track while its packets come.
struct TrackWatch {
  let track: MediaTrack
  private(set) var times: PacketTimes
  private var keyframes: KeyframeWatch
  private var damaged = Occurrences()
  private var isLastDamaged = false
  private var decoding: TrackDecoding?
  /// Why there is no decoder.
  private(set) var refusal: MediaError?

  init(_ track: MediaTrack, backend: any MediaBackend, scheduler: any Scheduler) {
    self.track = track
    times = PacketTimes(track)
    keyframes = KeyframeWatch(track)
    do throws(MediaError) {
      decoding = try TrackDecoding(track, backend: backend, scheduler: scheduler)
    } catch {
      refusal = error
    }
  }

  /// Before its first key frame a picture can't be, and that it is missing is told by itself.
  private var canBeRight: Bool { track.kind != .video || keyframes.keyframes > 0 }

  var isPlayed: Bool { track.kind == .video || track.kind == .audio }
  /// Where the track ends, in seconds: what was decoded tells better than the packets.
  var end: Double? { decoding?.end ?? times.end }
  var isEndKnown: Bool { decoding?.end != nil || times.isEndKnown }
  var lackedMemory: Bool { decoding?.lackedMemory == true }

  /// - Parameter isWhole: false for the part of a packet that a cut left.
  mutating func note(_ packet: MediaPacket, isWhole: Bool) {
    times.note(packet)
    if track.kind == .video { keyframes.note(packet, at: times.last) }
    guard isWhole else { return }
    isLastDamaged = packet.isDamaged
    if packet.isDamaged { damaged.add(at: times.last) }
    let canBeRight = canBeRight
    decoding?.decode(packet, at: times.last, countsDamage: canBeRight)
  }

  mutating func finish() {
    keyframes.finish()
    let canBeRight = canBeRight
    decoding?.finish(at: times.last, countsDamage: canBeRight)
  }

  func findings(isCut: Bool) -> [Finding] {
    guard isPlayed else { return [] }
    var found = times.findings
    if track.kind == .video { found += keyframes.findings }
    // Whole files end in the middle of a packet too, by some bytes that their writers counted otherwise.
    if damaged.count > (isLastDamaged ? 1 : 0) {
      found.append(
        Finding(
          .damagedPackets, track: track.id,
          "\(damaged.count) of \(times.packets) packets of \(Wording.name(of: track)) lack parts, the first at \(Wording.time(damaged.first)).",
          damaged.evidence))
    }
    if times.packets == 0, !isCut, refusal == nil {
      found.append(Finding(.emptyTrack, track: track.id, "\(Wording.name(of: track).capitalizedFirst) has no samples."))
    }
    return found + (decoding?.findings(isCut: isCut) ?? [])
  }
}
