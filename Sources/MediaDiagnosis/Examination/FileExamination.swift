import CoreMedia
package import Foundation
package import MediaEngine
import MediaIO
import MediaRuntime

/// Examines one file: opens it, reads all of it, decodes all of it once, in small steps.
///
/// Packets are looked at as they come and not kept, so memory does not grow with the file. `step` is called on one queue
/// at a time and may wait there for slow media.
package final class FileExamination {
  package enum Progress {
    /// The part that is done, 0 to 1; nil while it can't be told.
    case goesOn(Double?)
    case done(Diagnosis)
  }

  /// Packets of one step.
  private static let stepLength = 32

  private let url: URL
  private let address: String
  private let isQuick: Bool
  private let limits: ExaminationLimits
  private let environment: EngineEnvironment
  private let began: HostTime

  private var source: (any ByteSource)?
  private var demuxer: (any Demuxer)?
  private var media: MediaDescription?
  private var stated: Double?
  private var tracks: [Int: TrackWatch] = [:]
  private var interleave = InterleaveWatch(byteRate: 0)
  private var packets = 0
  private var farthest: Int64 = 0

  /// - Parameters:
  ///   - address: as the user gave it.
  ///   - isQuick: the header and index alone.
  package init(
    _ url: URL, address: String, isQuick: Bool = false, limits: ExaminationLimits = ExaminationLimits(),
    environment: EngineEnvironment
  ) {
    self.url = url
    self.address = address
    self.isQuick = isQuick
    self.limits = limits
    self.environment = environment
    began = environment.scheduler.now
  }

  deinit { close() }

  package func step() -> Progress {
    do throws(MediaError) {
      guard let demuxer else { return try open() }
      for _ in 0..<Self.stepLength {
        switch try demuxer.read(.first) {
        case .packet(let packet): note(packet)
        case .description(let description): learn(description)
        case .end: return .done(concluded(.whole, []))
        }
      }
    } catch {
      return .done(ended(by: error))
    }
    let isTooLong = environment.scheduler.now - began > limits.time(forBytes: source?.length)
    guard !isTooLong, packets < limits.packets else { return .done(concluded(.part, [unfinished])) }
    return .goesOn(fraction)
  }

  // MARK: Opening

  private func open() throws(MediaError) -> Progress {
    let source = try environment.sources.source(for: url, options: SourceOptions(), scheduler: environment.scheduler)
    self.source = source
    source.want(.first)
    try source.open(.first)
    let demuxer = environment.backend.demuxer(source, hints: SourceHints(pathExtension: pathExtension))
    self.demuxer = demuxer
    let media = try demuxer.open(.first)
    let duration = media.duration.isNumeric ? media.duration.seconds : nil
    stated = media.isDurationPrecise || media.isCutShort ? duration : nil
    if let bytes = source.length, let duration, duration > 0 {
      interleave = InterleaveWatch(byteRate: Double(bytes) / duration)
    }
    learn(media)
    return isQuick ? .done(concluded(.header, [])) : .goesOn(0)
  }

  private var pathExtension: String? {
    let name = url.pathExtension.lowercased()
    return name.isEmpty ? nil : name
  }

  private func learn(_ description: MediaDescription) {
    media = description
    for track in description.tracks where tracks[track.index] == nil {
      tracks[track.index] = TrackWatch(track, backend: environment.backend, scheduler: environment.scheduler)
    }
  }

  // MARK: Reading

  private func note(_ packet: MediaPacket) {
    packets += 1
    if let offset = packet.offset { farthest = max(farthest, offset) }
    guard tracks[packet.track] != nil else { return }
    tracks[packet.track]?.note(packet, isWhole: isWhole(packet))
    if let watch = tracks[packet.track], watch.isPlayed { interleave.note(packet, at: watch.times.last) }
  }

  /// What reaches to the end of a file that was cut off is most likely a part of a packet.
  private func isWhole(_ packet: MediaPacket) -> Bool {
    guard media?.isCutShort == true, let length = source?.length, let offset = packet.offset else { return true }
    return offset + Int64(packet.size) < length
  }

  private var fraction: Double? {
    guard let length = source?.length, length > 0 else { return nil }
    return min(Double(farthest) / Double(length), 1)
  }

  private var unfinished: Finding {
    let reached = tracks.values.compactMap { $0.times.last }.max()
    return Finding(
      .notExamined,
      "The examination was ended after \(packets) packets, at \(Wording.time(reached)): it took too long.",
      ["packets": Evidence(packets), "reached": Evidence(seconds: reached ?? .nan)])
  }

  // MARK: Concluding

  private func ended(by error: MediaError) -> Diagnosis {
    guard media != nil else {
      let start = firstBytes()
      let finding = OpeningFindings.finding(for: error, start: start, length: source?.length)
      return diagnosis(.none, [finding])
    }
    // A cut movie says so at its end; how much is missing is told from what came.
    guard error.code != .containerTruncated else {
      media?.isCutShort = true
      return concluded(.whole, [])
    }
    return concluded(.part, [OpeningFindings.finding(for: error, start: [], length: source?.length)])
  }

  private func concluded(_ extent: Diagnosis.Extent, _ found: [Finding]) -> Diagnosis {
    guard var media else { return diagnosis(extent, found) }
    // Matroska says at its end alone that it was cut, where its header promises nothing.
    if extent == .whole, demuxer?.complaints.first?.contains("ended prematurely") == true { media.isCutShort = true }
    self.media = media
    if let kind = contentInstead(media) { return diagnosis(extent, [kind]) }
    for index in tracks.keys { tracks[index]?.finish() }
    let watches = media.tracks.compactMap { tracks[$0.index] }
    var refusals: [Int: MediaError] = [:]
    for watch in watches { refusals[watch.track.index] = watch.refusal }
    var findings = found + LayoutFindings.findings(media, pathExtension: pathExtension)
    findings += LayoutFindings.undecodable(media, refusals: refusals)
    if isQuick {
      if media.isCutShort {
        findings += EndFindings(media: media, tracks: [], stated: stated, bytes: source?.length).findings
      }
      return diagnosis(extent, findings)
    }
    if extent == .whole {
      findings += EndFindings(media: media, tracks: watches, stated: stated, bytes: source?.length).findings
    }
    findings += interleave.findings
    for watch in watches { findings += watch.findings(isCut: media.isCutShort || extent == .part) }
    findings += containerErrors(findings)
    if watches.contains(where: \.lackedMemory) {
      findings.append(Finding(.outOfMemory, "There was not enough memory to decode everything."))
    }
    return diagnosis(extent, findings)
  }

  /// Lists and pages are read as lyrics by the one or other demuxer of text.
  private func contentInstead(_ media: MediaDescription) -> Finding? {
    guard !media.tracks.contains(where: { $0.kind == .video || $0.kind == .audio }),
      let kind = ContentKind(firstBytes())
    else { return nil }
    return Finding(kind.finding, "The file is \(kind.words), not media.", ["content": Evidence(kind.words)])
  }

  /// What the demuxer complained of, unless it is known why.
  private func containerErrors(_ findings: [Finding]) -> [Finding] {
    guard let complaints = demuxer?.complaints, complaints.count > 0, media?.isCutShort != true,
      !findings.contains(where: { $0.kind == .containerDamaged || $0.severity == .fault && $0.layer == .file })
    else { return [] }
    var evidence: [String: Evidence] = ["count": Evidence(complaints.count)]
    if let words = complaints.first { evidence["said"] = Evidence(words) }
    return [
      Finding(
        .containerErrors, "The container is damaged in \(complaints.count) places; reading went on behind them.",
        evidence)
    ]
  }

  private func diagnosis(_ extent: Diagnosis.Extent, _ findings: [Finding]) -> Diagnosis {
    var diagnosis = Diagnosis(address, examined: extent, findings: findings)
    diagnosis.container = media?.container
    diagnosis.duration = media.flatMap { $0.duration.isNumeric ? $0.duration.seconds : nil }
    diagnosis.bytes = source?.length
    diagnosis.codecs = media?.tracks.map(\.codec.name) ?? []
    close()
    return diagnosis
  }

  /// For a file that no container reader took.
  private func firstBytes() -> [UInt8] {
    guard let source, source.isSeekable else { return [] }
    var bytes = [UInt8](repeating: 0, count: ContentKind.length)
    let count = bytes.withUnsafeMutableBytes { buffer -> Int in
      do throws(MediaError) { return try source.read(buffer, at: 0, .first) } catch { return 0 }
    }
    return Array(bytes.prefix(count))
  }

  private func close() {
    demuxer?.close()
    source?.close()
    demuxer = nil
    source = nil
  }
}
