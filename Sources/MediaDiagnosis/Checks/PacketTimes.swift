import MediaEngine

/// Judges the times of a track's packets, one after the other in reading order.
struct PacketTimes: Sendable {
  /// Seconds of silence that a listener may notice.
  private static let soundGap = 0.1
  /// Times before the beginning that writers leave beside what the container declares as priming, in seconds.
  private static let leadSlack = 0.1
  /// Codecs whose hidden pictures share the time of the one that is shown.
  private static let withHiddenPictures: Set = ["vp8", "vp9", "av1"]

  private let track: MediaTrack
  private let lead: Double
  private let isVideo: Bool
  private(set) var packets = 0
  /// Presentation times, in seconds.
  private(set) var first: Double?
  private(set) var end: Double?
  private(set) var last: Double?
  /// Whether `end` is more than the beginning of the last packet.
  var isEndKnown: Bool { lastEnd != nil }
  private var missing = Occurrences()
  private var back = Occurrences()
  private var duplicate = Occurrences()
  private var gap = Occurrences()
  private var negative = Occurrences()
  private var lastPresentation: Int64?
  private var lastDecode: Int64?
  private var lastEnd: Int64?
  /// The longest step from one packet to the next that is no gap: where containers state no durations, the last packet
  /// lasts so long.
  private var longestStep: Int64 = 0

  init(_ track: MediaTrack) {
    self.track = track
    isVideo = track.kind == .video
    let audio = track.audio
    let priming = audio.map { Double($0.primingSamples) / Double(max($0.sampleRate, 1)) } ?? 0
    lead = priming + Self.leadSlack
  }

  mutating func note(_ packet: MediaPacket) {
    packets += 1
    guard let presentation = packet.presentationTime ?? packet.decodeTime else {
      missing.add(at: last)
      return
    }
    let time = seconds(presentation)
    let before = last
    if let lastPresentation, packet.duration == 0 {
      let step = presentation &- lastPresentation
      if longestStep == 0 || seconds(step) <= Self.soundGap { longestStep = max(longestStep, step) }
    }
    let end = presentation &+ (packet.duration > 0 ? packet.duration : longestStep)
    last = time
    first = min(first ?? time, time)
    self.end = max(self.end ?? -.infinity, seconds(end))
    // What an edit list leaves out lies before the beginning by intent.
    if track.segments.isEmpty, seconds(end) < -lead { negative.add(at: time, size: -time) }
    if let decode = packet.decodeTime {
      if let lastDecode, decode < lastDecode { back.add(at: before, size: seconds(lastDecode &- decode)) }
      lastDecode = decode
    }
    if isVideo, packet.presentationTime != nil, packet.presentationTime == lastPresentation,
      !Self.withHiddenPictures.contains(track.codec.name)
    {
      duplicate.add(at: time)
    }
    // Where durations are unknown, packets of very different lengths may follow one another.
    let patience = packet.duration > 0 ? Self.soundGap : max(Self.soundGap, 3 * seconds(longestStep))
    if track.kind == .audio, let lastEnd, seconds(presentation &- lastEnd) > patience {
      gap.add(at: seconds(lastEnd), size: seconds(presentation &- lastEnd))
    }
    lastPresentation = packet.presentationTime
    lastEnd = end > presentation ? end : nil
  }

  private func seconds(_ ticks: Int64) -> Double {
    Double(ticks) * Double(track.timeBase.numerator) / Double(track.timeBase.denominator)
  }

  var findings: [Finding] {
    var found: [Finding] = []
    func add(_ kind: FindingKind, _ occurrences: Occurrences, _ message: String) {
      guard occurrences.count > 0 else { return }
      found.append(Finding(kind, track: track.id, message, occurrences.evidence))
    }
    let name = Wording.name(of: track)
    // A stream without a container has no times at all: decoders count pictures and samples.
    // Single ones without a time stand at the joints of streams.
    if missing.count < packets, missing.count > 1, missing.count > packets / 100 {
      add(.timesMissing, missing, "\(missing.count) of \(packets) samples of \(name) have no time.")
    }
    add(
      .timesBack, back,
      "The times of \(name) jump back \(Wording.times(back.count)), first at \(Wording.time(back.first)), by up to \(Wording.length(back.largest))."
    )
    // Stills kept as a film are all at one time by intent.
    add(
      .timesDuplicate, duplicate.count == packets - 1 ? Occurrences() : duplicate,
      "\(duplicate.count) samples of \(name) have the time of the one before, first at \(Wording.time(duplicate.first))."
    )
    add(
      .timesGap, gap,
      "\(name.capitalizedFirst) has \(gap.count == 1 ? "a gap" : "\(gap.count) gaps"), first at \(Wording.time(gap.first)), of up to \(Wording.length(gap.largest))."
    )
    add(
      .timesNegative, negative,
      "\(negative.count) samples of \(name) lie before the beginning, by up to \(Wording.length(negative.largest)).")
    return found
  }
}
