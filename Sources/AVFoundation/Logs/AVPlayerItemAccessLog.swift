public import Foundation
import MediaEngine
import MediaRuntime

/// What was played and how well, period by period. A snapshot.
open class AVPlayerItemAccessLog: NSObject, NSCopying, @unchecked Sendable {
  // @unchecked Sendable: immutable.
  /// One for each uninterrupted period of playing, the oldest first.
  public let events: [AVPlayerItemAccessLogEvent]

  init?(_ core: ItemCore) {
    let records = core.accessLog
    guard !records.isEmpty else { return nil }
    let type = core.asset.url.isFileURL ? "FILE" : "VOD"
    let scheduler = core.asset.environment.scheduler
    events = records.map { AVPlayerItemAccessLogEvent($0, type, WallClock.date(of: $0.start, scheduler)) }
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// In the W3C's extended log file format.
  open func extendedLogData() -> Data? {
    var lines = [
      "#Version: 1.0", "#Fields: date uri s-playback-type c-start-time c-duration-watched c-stalls c-startup-time",
    ]
    let formatter = ISO8601DateFormatter()
    for event in events {
      lines.append(
        [
          event.playbackStartDate.map { formatter.string(from: $0) } ?? "-", event.uri ?? "-",
          event.playbackType ?? "-",
          "\(event.playbackStartOffset)", "\(event.durationWatched)", "\(event.numberOfStalls)", "\(event.startupTime)",
        ].joined(separator: "\t"))
    }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  open var extendedLogDataStringEncoding: UInt { String.Encoding.utf8.rawValue }
}

/// One period of playing. Numbers are negative, strings nil, where nothing is known.
open class AVPlayerItemAccessLogEvent: NSObject, NSCopying, @unchecked Sendable {
  // @unchecked Sendable: immutable.
  private let record: AccessLogRecord
  public let playbackStartDate: Date?
  /// `FILE`, `VOD` or `LIVE`.
  public let playbackType: String?

  init(_ record: AccessLogRecord, _ type: String, _ date: Date) {
    self.record = record
    playbackStartDate = date
    playbackType = type
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open var uri: String? { record.address }
  open var serverAddress: String? { nil }
  open var playbackSessionID: String? { nil }
  /// Seconds of item time.
  open var playbackStartOffset: TimeInterval { record.startOffset.isNumeric ? record.startOffset.seconds : -1 }
  open var durationWatched: TimeInterval { record.durationWatched }
  open var startupTime: TimeInterval { record.startupTime }
  open var numberOfStalls: Int { record.stalls }
  open var numberOfMediaRequests: Int { -1 }
  open var numberOfServerAddressChanges: Int { -1 }
  open var numberOfDroppedVideoFrames: Int { record.counters?.droppedFrames ?? -1 }
  open var downloadOverdue: Int { -1 }
  open var mediaRequestsWWAN: Int { -1 }
  open var segmentsDownloadedDuration: TimeInterval { -1 }
  /// Seconds that reading took.
  open var transferDuration: TimeInterval { record.counters.map { $0.readSeconds > 0 ? $0.readSeconds : -1 } ?? -1 }
  /// Bytes of media that were read, for playing or ahead of it.
  open var numberOfBytesTransferred: Int64 { record.counters?.bytes ?? -1 }
  /// Bits per second, as all that follow.
  open var observedBitrate: Double { rate(\.bytes, \.readSeconds) }
  open var indicatedBitrate: Double { -1 }
  open var indicatedAverageBitrate: Double { -1 }
  open var averageVideoBitrate: Double { rate(\.videoBytes, \.videoSeconds) }
  open var averageAudioBitrate: Double { rate(\.audioBytes, \.audioSeconds) }
  open var observedBitrateStandardDeviation: Double { -1 }
  open var switchBitrate: Double { -1 }

  private func rate(_ bytes: KeyPath<PlaybackCounters, Int64>, _ seconds: KeyPath<PlaybackCounters, Double>) -> Double {
    record.counters.map { PlaybackCounters.bitRate($0[keyPath: bytes], $0[keyPath: seconds]) } ?? -1
  }
}
