import AVFoundation
import Foundation
import MediaTestSupport
import PlayerKit
import Testing

@Suite struct PlaybackDiagnosisTests {
  /// A player that shows a film with sound, all in order.
  private func playing(_ change: (inout PlaybackSnapshot) -> Void = { _ in }) -> PlaybackSnapshot {
    var snapshot = PlaybackSnapshot()
    snapshot.hostTime = 100
    snapshot.hasItem = true
    snapshot.playerStatus = .readyToPlay
    snapshot.itemStatus = .readyToPlay
    snapshot.control = .playing
    snapshot.rate = 1
    snapshot.time = 20
    snapshot.duration = 60
    snapshot.loadedRanges = [0...60]
    snapshot.tracks = [.init(kind: .video, id: 1, pictureRate: 25), .init(kind: .audio, id: 2)]
    snapshot.wantsView = true
    snapshot.view = .init(width: 640, height: 360)
    change(&snapshot)
    return snapshot
  }

  private func earlier(_ change: (inout PlaybackSnapshot) -> Void = { _ in }) -> PlaybackSnapshot {
    playing {
      $0.hostTime = 99
      $0.time = 19
      change(&$0)
    }
  }

  private func failed(_ domain: String, _ code: Int, below: (String, Int)? = nil) -> PlaybackSnapshot {
    playing {
      $0.itemStatus = .failed
      $0.control = .paused
      $0.itemFailure = .init(
        domain: domain, code: code, message: "", underlyingDomain: below?.0, underlyingCode: below?.1)
    }
  }

  private func finding(_ id: String, _ severity: MediaFinding.Severity, track: Int? = nil) -> MediaFinding {
    MediaFinding(id: id, severity: severity, track: track, message: "found: \(id)", remedy: "remedy of \(id)")
  }

  private func causes(
    _ snapshot: PlaybackSnapshot, since earlier: PlaybackSnapshot? = nil, _ findings: [MediaFinding] = []
  ) -> [PlaybackCause] {
    PlaybackDiagnosis.causes(of: snapshot, since: earlier, findings: findings).map(\.cause)
  }

  @Test func allIsWell() {
    #expect(causes(playing(), since: earlier()).isEmpty)
    let notes = [finding("index-at-end", .note), finding("variable-frame-rate", .note), finding("no-sound", .note)]
    #expect(causes(playing(), since: earlier(), notes).isEmpty)
  }

  // MARK: Errors

  @Test(arguments: [
    (NSURLErrorDomain, URLError.Code.fileDoesNotExist.rawValue, PlaybackCause.fileMissing),
    (NSPOSIXErrorDomain, 2, .fileMissing),
    (NSCocoaErrorDomain, CocoaError.Code.fileReadNoSuchFile.rawValue, .fileMissing),
    (NSURLErrorDomain, URLError.Code.noPermissionsToReadFile.rawValue, .noPermission),
    (NSCocoaErrorDomain, CocoaError.Code.fileReadNoPermission.rawValue, .noPermission),
    (NSPOSIXErrorDomain, 13, .noPermission),
    (NSPOSIXErrorDomain, 5, .fileUnreadable), (NSURLErrorDomain, URLError.Code.fileIsDirectory.rawValue, .notMedia),
    (AVFoundationErrorDomain, AVError.Code.fileFormatNotRecognized.rawValue, .containerUnknown),
    (AVFoundationErrorDomain, AVError.Code.fileFailedToParse.rawValue, .containerDamaged),
    (AVFoundationErrorDomain, AVError.Code.contentIsProtected.rawValue, .protected),
    (AVFoundationErrorDomain, AVError.Code.decoderNotFound.rawValue, .codecMissing),
    (AVFoundationErrorDomain, AVError.Code.decodeFailed.rawValue, .damagedMedia), ("com.example", 7, .failed),
  ])
  func anError_isACause(domain: String, code: Int, cause: PlaybackCause) {
    #expect(causes(failed(domain, code)) == [cause])
  }

  @Test func theErrorBelow_counts_whereTheUpperOneSaysNothing() {
    let snapshot = failed(AVFoundationErrorDomain, AVError.Code.unknown.rawValue, below: (NSPOSIXErrorDomain, 2))
    #expect(causes(snapshot) == [.fileMissing])
  }

  @Test func aFailedPlayer_isTold() {
    let snapshot = playing {
      $0.playerStatus = .failed
      $0.playerFailure = .init(domain: "com.example", code: 1, message: "The player broke.")
    }
    let found = PlaybackDiagnosis.causes(of: snapshot)
    #expect(found.map(\.cause) == [.failed] && found.first?.explanation == "The player broke.")
  }

  @Test(arguments: [
    ("missing", PlaybackCause.fileMissing), ("no-permission", .noPermission), ("empty", .fileEmpty),
    ("truncated", .fileTruncated), ("index-missing", .indexMissing), ("lone-segment", .fileSplit),
    ("init-only", .fileSplit),
    ("protected", .protected), ("web-page", .notMedia), ("container-unknown", .containerUnknown),
    ("container-damaged", .containerDamaged), ("no-decoder", .codecMissing), ("codec-unknown", .codecMissing),
    ("read-failed", .fileUnreadable), ("nothing-decoded", .damagedMedia),
  ])
  func theFilesFinding_saysMoreThanItsError(id: String, cause: PlaybackCause) {
    let snapshot = failed(AVFoundationErrorDomain, AVError.Code.unknown.rawValue)
    let found = PlaybackDiagnosis.causes(of: snapshot, findings: [finding("index-at-end", .note), finding(id, .fault)])
    #expect(found.map(\.cause) == [cause])
    #expect(found.first?.explanation == "found: \(id)" && found.first?.remedy == "remedy of \(id)")
    #expect(found.first?.symptom == .doesNotPlay)
  }

  // MARK: Nothing moves

  @Test func withoutAnItem() {
    #expect(causes(PlaybackSnapshot()) == [.noItem])
  }

  @Test func whileItIsOpened_theIndexAtTheEndIsTheReason() {
    let snapshot = playing {
      $0.itemStatus = .unknown
      $0.control = .waiting
      $0.tracks = []
    }
    #expect(causes(snapshot) == [.loading])
    #expect(causes(snapshot, [finding("index-at-end", .note)]) == [.indexAtEnd])
  }

  @Test func pausedAndEnded() {
    #expect(causes(playing { $0.control = .paused }) == [.paused])
    let snapshot = playing {
      $0.control = .paused
      $0.time = 60
    }
    #expect(causes(snapshot) == [.ended])
  }

  @Test func waiting() {
    let snapshot = playing { $0.control = .waiting }
    #expect(causes(snapshot) == [.waitingForData])
    #expect(causes(snapshot, [finding("wide-interleave", .warning)]) == [.wideInterleave])
  }

  @Test func timeThatStands() {
    #expect(causes(playing(), since: earlier { $0.time = 20 }) == [.timeStands])
    // Two looks too near to each other tell nothing.
    #expect(
      causes(
        playing(),
        since: earlier {
          $0.time = 20; $0.hostTime = 99.9
        }
      ).isEmpty)
  }

  // MARK: Nothing is seen

  @Test func aPictureThatStands_whileTimeRuns() {
    let snapshot = playing { $0.tracks[0].pictureRate = 0 }
    #expect(causes(snapshot, since: earlier()) == [.pictureFrozen])
    #expect(causes(snapshot).isEmpty)
    #expect(causes(snapshot, since: earlier(), [finding("no-keyframes", .warning, track: 1)]) == [.keyframes])
    #expect(causes(snapshot, since: earlier(), [finding("decode-errors", .warning, track: 1)]) == [.damagedMedia])
    #expect(causes(snapshot, since: earlier(), [finding("times-gap", .warning, track: 1)]) == [.timestamps])
  }

  @Test func aViewThatIsNotThere_hasNoSize_orShowsAnother() {
    #expect(causes(playing { $0.view = nil }) == [.viewAbsent])
    #expect(causes(playing { $0.view = .init(width: 0, height: 360) }) == [.viewWithoutSize])
    #expect(causes(playing { $0.view = .init(width: 640, height: 0) }) == [.viewWithoutSize])
    #expect(causes(playing { $0.view = .init(width: 640, height: 360, showsPlayer: false) }) == [.viewOfAnotherPlayer])
    let withoutView = playing {
      $0.view = nil
      $0.wantsView = false
    }
    #expect(causes(withoutView).isEmpty)
  }

  @Test func aPictureTrackThatIsMissing_off_orUndecodable() {
    #expect(causes(playing { $0.tracks.removeFirst() }) == [.noPictureTrack])
    #expect(causes(playing { $0.tracks[0].isEnabled = false }) == [.pictureTrackOff])
    #expect(causes(playing(), [finding("no-decoder", .fault, track: 1)]) == [.codecMissing])
    #expect(causes(playing(), [finding("protected", .fault, track: 1)]) == [.protected])
  }

  // MARK: Nothing is heard

  @Test func soundThatIsMissing_off_silent_orUndecodable() {
    #expect(causes(playing { $0.tracks.removeLast() }) == [.noSoundTrack])
    #expect(causes(playing { $0.tracks[1].isEnabled = false }) == [.soundTrackOff])
    #expect(causes(playing(), [finding("silent-sound", .note, track: 2)]) == [.silentTrack])
    #expect(causes(playing(), [finding("silent-sound", .note, track: 3)]).isEmpty)
    let found = PlaybackDiagnosis.causes(of: playing(), findings: [finding("no-decoder", .fault, track: 2)])
    #expect(found.map(\.cause) == [.codecMissing] && found.map(\.symptom) == [.noSound])
  }

  @Test func aPlayerThatIsMuted_orTurnedDown() {
    #expect(causes(playing { $0.isMuted = true }) == [.muted])
    #expect(causes(playing { $0.volume = 0 }) == [.volumeZero])
  }

  // MARK: It plays, but not well

  @Test func faultsOfTheFile_areToldOnce_whileItPlays() {
    let findings = [
      finding("truncated", .fault), finding("times-back", .warning, track: 1),
      finding("times-back", .warning, track: 2),
    ]
    let found = PlaybackDiagnosis.causes(of: playing(), since: earlier(), findings: findings)
    #expect(found.map(\.cause) == [.fileTruncated, .timestamps])
    #expect(found.allSatisfy { $0.symptom == .disturbed })
    #expect(causes(playing(), [finding("somebody-elses", .fault)]).isEmpty)
  }

  @Test func everyCause_hasAnExplanationAndARemedy() {
    for cause in PlaybackCause.allCases {
      #expect(cause.explanation.hasSuffix(".") && cause.remedy.hasSuffix("."), "\(cause)")
    }
  }

  @Test func snapshotsAndDiagnoses_canBeKept() throws {
    let snapshot = playing { $0.loggedFailure = .init(domain: "a", code: 1) }
    #expect(try JSONDecoder().decode(PlaybackSnapshot.self, from: JSONEncoder().encode(snapshot)) == snapshot)
    let found = PlaybackDiagnosis.causes(of: playing { $0.isMuted = true })
    #expect(try JSONDecoder().decode([PlaybackDiagnosis].self, from: JSONEncoder().encode(found)) == found)
  }
}
