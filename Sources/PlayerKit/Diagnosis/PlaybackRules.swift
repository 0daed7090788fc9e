import AVFoundation

/// From what is seen to what it means. Pure.
struct PlaybackRules {
  /// Seconds between two snapshots from which they tell whether something goes on.
  private static let least = 0.5
  /// Seconds at the end that count as the end.
  private static let endSlack = 0.05

  let now: PlaybackSnapshot
  let earlier: PlaybackSnapshot?
  let findings: [MediaFinding]

  // MARK: It does not play

  /// Why nothing plays at all; nil when the item is not failed.
  var failure: PlaybackDiagnosis? {
    let isFailed = now.itemStatus == .failed || now.playerStatus == .failed
    guard isFailed else { return nil }
    // The file's own finding says more than the error that came of it.
    if let finding = findings.first(where: { $0.severity == .fault }), let cause = FindingCauses.cause(of: finding) {
      return PlaybackDiagnosis(.doesNotPlay, cause, finding)
    }
    let failure = now.itemFailure ?? now.playerFailure
    let cause = failure.flatMap(FailureCauses.cause) ?? .failed
    return PlaybackDiagnosis(.doesNotPlay, cause, message: failure?.message)
  }

  var idle: [PlaybackDiagnosis] {
    guard now.hasItem else { return [PlaybackDiagnosis(.doesNotPlay, .noItem)] }
    guard now.itemStatus == .readyToPlay else {
      guard let finding = finding("index-at-end") else { return [PlaybackDiagnosis(.doesNotPlay, .loading)] }
      return [PlaybackDiagnosis(.doesNotPlay, .indexAtEnd, finding)]
    }
    guard now.control == .paused else { return [] }
    if let time = now.time, let duration = now.duration, time >= duration - Self.endSlack {
      return [PlaybackDiagnosis(.doesNotPlay, .ended)]
    }
    return [PlaybackDiagnosis(.doesNotPlay, .paused)]
  }

  // MARK: It stands

  var transport: [PlaybackDiagnosis] {
    guard isReady else { return [] }
    if now.control == .waiting {
      let finding = finding("wide-interleave")
      return [PlaybackDiagnosis(.stands, finding == nil ? .waitingForData : .wideInterleave, finding)]
    }
    guard now.control == .playing, let advance, advance.time == 0 else { return [] }
    return [PlaybackDiagnosis(.stands, .timeStands)]
  }

  // MARK: Nothing is seen

  var picture: [PlaybackDiagnosis] {
    guard isReady else { return [] }
    let tracks = now.tracks.filter { $0.kind == .video }
    guard let track = tracks.first(where: \.isEnabled) ?? tracks.first else {
      return now.wantsView ? [PlaybackDiagnosis(.noPicture, .noPictureTrack, finding("no-picture"))] : []
    }
    if let found = undecodable(track) { return [PlaybackDiagnosis(.noPicture, found.cause, found.finding)] }
    guard track.isEnabled else { return [PlaybackDiagnosis(.noPicture, .pictureTrackOff)] }
    if now.wantsView {
      guard let view = now.view else { return [PlaybackDiagnosis(.noPicture, .viewAbsent)] }
      guard view.showsPlayer else { return [PlaybackDiagnosis(.noPicture, .viewOfAnotherPlayer)] }
      guard view.width > 0, view.height > 0 else { return [PlaybackDiagnosis(.noPicture, .viewWithoutSize)] }
    }
    return frozen(track)
  }

  private func frozen(_ track: PlaybackSnapshot.Track) -> [PlaybackDiagnosis] {
    guard now.control == .playing, let advance, advance.time > 0, track.pictureRate == 0 else { return [] }
    let reasons: [(String, PlaybackCause)] = [
      ("no-keyframes", .keyframes), ("late-keyframe", .keyframes), ("decode-errors", .damagedMedia),
      ("times-gap", .timestamps), ("times-back", .timestamps),
    ]
    for (id, cause) in reasons {
      if let finding = finding(id, of: track) { return [PlaybackDiagnosis(.noPicture, cause, finding)] }
    }
    return [PlaybackDiagnosis(.noPicture, .pictureFrozen)]
  }

  // MARK: Nothing is heard

  var sound: [PlaybackDiagnosis] {
    guard isReady else { return [] }
    let tracks = now.tracks.filter { $0.kind == .audio }
    guard !tracks.isEmpty else { return [PlaybackDiagnosis(.noSound, .noSoundTrack, finding("no-sound"))] }
    let enabled = tracks.filter(\.isEnabled)
    guard let track = enabled.first else { return [PlaybackDiagnosis(.noSound, .soundTrackOff)] }
    var found: [PlaybackDiagnosis] = []
    if let reason = undecodable(track) { found.append(PlaybackDiagnosis(.noSound, reason.cause, reason.finding)) }
    if let silent = finding("silent-sound", of: track) {
      found.append(PlaybackDiagnosis(.noSound, .silentTrack, silent))
    }
    if now.isMuted { found.append(PlaybackDiagnosis(.noSound, .muted)) }
    if now.volume == 0 { found.append(PlaybackDiagnosis(.noSound, .volumeZero)) }
    return found
  }

  // MARK: It plays, but not well

  var media: [PlaybackDiagnosis] {
    guard isReady else { return [] }
    var told: Set<PlaybackCause> = Set((transport + picture + sound).map(\.cause))
    return findings.compactMap { finding in
      guard finding.severity != .note, let cause = FindingCauses.cause(of: finding), told.insert(cause).inserted else {
        return nil
      }
      return PlaybackDiagnosis(.disturbed, cause, finding)
    }
  }

  // MARK: Reading

  private var isReady: Bool { now.hasItem && now.itemStatus == .readyToPlay }

  /// How far the host's clock and the item's time went on; nil when the snapshots are no pair.
  private var advance: (host: Double, time: Double)? {
    guard let earlier, earlier.control == .playing, let before = earlier.time, let time = now.time,
      now.hostTime - earlier.hostTime >= Self.least
    else { return nil }
    return (now.hostTime - earlier.hostTime, time - before)
  }

  private func finding(_ id: String) -> MediaFinding? { findings.first { $0.id == id } }

  /// One about this track, or about no track in particular.
  private func finding(_ id: String, of track: PlaybackSnapshot.Track) -> MediaFinding? {
    findings.first { $0.id == id && ($0.track == nil || $0.track == track.id) }
  }

  private func undecodable(_ track: PlaybackSnapshot.Track) -> (cause: PlaybackCause, finding: MediaFinding)? {
    let ids = ["protected", "no-decoder", "codec-unknown", "decoder-refuses", "nothing-decoded"]
    for id in ids {
      if let finding = findings.first(where: { $0.id == id && $0.track == track.id }),
        let cause = FindingCauses.cause(of: finding)
      {
        return (cause, finding)
      }
    }
    return nil
  }
}

/// What a finding about a file means for playing it.
enum FindingCauses {
  private static let causes: [String: PlaybackCause] = [
    "missing": .fileMissing, "is-folder": .notMedia, "not-a-file": .notMedia, "bad-address": .fileMissing,
    "no-permission": .noPermission, "empty": .fileEmpty, "read-failed": .fileUnreadable,
    "changed-while-read": .fileUnreadable, "web-page": .notMedia, "playlist": .notMedia, "archive": .notMedia,
    "container-unknown": .containerUnknown, "container-damaged": .containerDamaged,
    "container-errors": .containerDamaged,
    "no-tracks": .notMedia, "truncated": .fileTruncated, "index-missing": .indexMissing, "lone-segment": .fileSplit,
    "init-only": .fileSplit, "protected": .protected, "index-at-end": .indexAtEnd, "large-index": .indexAtEnd,
    "wide-interleave": .wideInterleave, "times-missing": .timestamps, "times-back": .timestamps,
    "times-duplicate": .timestamps, "times-gap": .timestamps, "times-negative": .timestamps, "no-keyframes": .keyframes,
    "late-keyframe": .keyframes, "codec-unknown": .codecMissing, "no-decoder": .codecMissing,
    "decoder-refuses": .codecMissing, "nothing-decoded": .damagedMedia, "decode-errors": .damagedMedia,
    "damaged-packets": .damagedMedia, "silent-sound": .silentTrack,
  ]

  static func cause(of finding: MediaFinding) -> PlaybackCause? { causes[finding.id] }
}

/// What an error of a player or item means, by domain and code.
enum FailureCauses {
  static func cause(_ failure: PlaybackSnapshot.Failure) -> PlaybackCause? {
    cause(failure.domain, failure.code)
      ?? failure.underlyingDomain.flatMap { domain in failure.underlyingCode.flatMap { cause(domain, $0) } }
  }

  private static func cause(_ domain: String, _ code: Int) -> PlaybackCause? {
    switch domain {
    case AVFoundationErrorDomain: media[code]
    case NSURLErrorDomain: address[code]
    case NSCocoaErrorDomain:
      switch CocoaError.Code(rawValue: code) {
      case .fileNoSuchFile, .fileReadNoSuchFile: .fileMissing
      case .fileReadNoPermission: .noPermission
      case .fileReadCorruptFile, .fileReadUnknown: .fileUnreadable
      default: nil
      }
    case NSPOSIXErrorDomain:
      switch POSIXErrorCode(rawValue: Int32(clamping: code)) {
      case .ENOENT, .ENOTDIR: .fileMissing
      case .EACCES, .EPERM: .noPermission
      case .EIO: .fileUnreadable
      default: nil
      }
    default: nil
    }
  }

  private static let media: [Int: PlaybackCause] = [
    AVError.Code.fileFormatNotRecognized.rawValue: .containerUnknown,
    AVError.Code.fileFailedToParse.rawValue: .containerDamaged, AVError.Code.failedToParse.rawValue: .containerDamaged,
    AVError.Code.contentIsProtected.rawValue: .protected, AVError.Code.contentIsNotAuthorized.rawValue: .protected,
    AVError.Code.decoderNotFound.rawValue: .codecMissing,
    AVError.Code.decoderTemporarilyUnavailable.rawValue: .codecMissing,
    AVError.Code.decodeFailed.rawValue: .damagedMedia, AVError.Code.undecodableMediaData.rawValue: .damagedMedia,
    AVError.Code.failedToLoadMediaData.rawValue: .fileUnreadable,
  ]

  private static let address: [Int: PlaybackCause] = [
    URLError.Code.fileDoesNotExist.rawValue: .fileMissing, URLError.Code.fileIsDirectory.rawValue: .notMedia,
    URLError.Code.noPermissionsToReadFile.rawValue: .noPermission, URLError.Code.badURL.rawValue: .fileMissing,
  ]
}
