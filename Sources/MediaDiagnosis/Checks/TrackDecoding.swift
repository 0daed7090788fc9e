import CoreMedia
import MediaEngine
import MediaIO
import MediaRuntime

/// Decodes a track for what that shows: damage, silence, how long the pictures last.
///
/// With several threads a decoder complains a few pictures late; then the first damage is told so much later.
struct TrackDecoding {
  /// Failures of one packet after which its decoder is given up for the packet.
  private static let patience = 256

  private enum Decoder {
    case video(any VideoDecoder)
    case audio(any AudioDecoder)

    var complaints: Complaints {
      switch self {
      case .video(let decoder): decoder.complaints
      case .audio(let decoder): decoder.complaints
      }
    }
  }

  private let track: MediaTrack
  private let decoder: Decoder
  private let lease: DecoderThreadBudget.Lease?
  private var rate: FrameRateWatch
  private var meter: SoundMeter
  private(set) var sent = 0
  private(set) var outputs = 0
  /// Where what came out ends, in seconds; nil while nothing did, or its last picture has no duration.
  private(set) var end: Double?
  private var damage = Occurrences()
  private var told = 0
  private var firstFailure: String?
  /// The damage of the packet that was sent last: what a cut leaves of it.
  private var isLastDamaged = false
  private(set) var lackedMemory = false

  /// Nil for tracks that are not played.
  /// - Throws: what the decoder says against the track.
  init?(_ track: MediaTrack, backend: any MediaBackend, scheduler: any Scheduler) throws(MediaError) {
    self.track = track
    rate = FrameRateWatch(track)
    meter = SoundMeter(track)
    switch track.kind {
    case .video:
      let isSmall = (track.video?.height ?? 0) <= 240
      let lease = DecoderThreadBudget.shared.lease(isSmall ? 1 : RealScheduler.coreCount, for: scheduler)
      self.lease = lease
      decoder = .video(try backend.videoDecoder(for: track, threads: lease.threads, .first))
    case .audio:
      lease = nil
      decoder = .audio(try backend.audioDecoder(for: track, .first))
    default: return nil
    }
  }

  mutating func decode(_ packet: MediaPacket, at time: Double?, countsDamage: Bool) {
    sent += 1
    isLastDamaged = false
    do throws(MediaError) {
      switch decoder {
      case .video(let decoder): try decoder.send(packet, skippingNonReference: false)
      case .audio(let decoder): try decoder.send(packet)
      }
    } catch {
      failed(error)
    }
    collect()
    if countsDamage, isLastDamaged || decoder.complaints.count > told { noteDamage(at: time) }
    told = decoder.complaints.count
  }

  mutating func finish(at time: Double?, countsDamage: Bool) {
    switch decoder {
    case .video(let decoder): decoder.finish()
    case .audio(let decoder): decoder.finish()
    }
    let before = isLastDamaged
    isLastDamaged = false
    collect()
    if countsDamage, isLastDamaged || decoder.complaints.count > told { noteDamage(at: time) }
    isLastDamaged = isLastDamaged || before
  }

  private mutating func noteDamage(at time: Double?) {
    isLastDamaged = true
    damage.add(at: time)
  }

  private mutating func failed(_ error: MediaError) {
    isLastDamaged = true
    if error.code == .outOfMemory { lackedMemory = true }
    if firstFailure == nil { firstFailure = error.cause.map { "\($0)" } ?? error.message }
  }

  private mutating func collect() {
    var failures = 0
    while failures < Self.patience {
      do throws(MediaError) {
        switch decoder {
        case .video(let decoder):
          guard case .output(let frame) = try decoder.receive() else { return }
          outputs += 1
          rate.note(frame)
          let ends = frame.timeBase.time(frame.presentationTime &+ frame.duration)
          end = frame.duration > 0 && ends.isNumeric ? ends.seconds : nil
        case .audio(let decoder):
          guard case .output(let block) = try decoder.receive() else { return }
          outputs += 1
          meter.note(block)
          end = block.time.seconds + Double(block.sampleCount) / Double(max(block.format.sampleRate, 1))
        }
      } catch {
        failures += 1
        failed(error)
      }
    }
  }

  /// - Parameter isCut: the file ends too early, so its last packet may be a part of one.
  func findings(isCut: Bool) -> [Finding] {
    let name = Wording.name(of: track)
    guard outputs > 0 else {
      guard sent > 0, !isCut else { return [] }
      let words = decoder.complaints.first ?? firstFailure
      var evidence: [String: Evidence] = ["packets": Evidence(sent), "codec": Evidence(track.codec.name)]
      if let words { evidence["said"] = Evidence(words) }
      return [
        Finding(
          .nothingDecoded, track: track.id,
          "None of the \(sent) packets of \(name) (\(track.codec.name)) could be decoded.",
          evidence)
      ]
    }
    var found = rate.findings + meter.findings
    let count = damage.count - (isCut && isLastDamaged ? 1 : 0)
    if count > 0 {
      var evidence = damage.evidence
      evidence["count"] = Evidence(count)
      evidence["packets"] = Evidence(sent)
      if let words = decoder.complaints.first ?? firstFailure { evidence["said"] = Evidence(words) }
      found.append(
        Finding(
          .decodeErrors, track: track.id,
          "\(count) of \(sent) packets of \(name) (\(track.codec.name)) are damaged, the first at about \(Wording.time(damage.first)).",
          evidence))
    }
    return found
  }
}
