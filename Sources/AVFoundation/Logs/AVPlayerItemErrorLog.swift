public import Foundation
import MediaEngine
import MediaRuntime

/// Errors of an item, fatal or not. A snapshot.
open class AVPlayerItemErrorLog: NSObject, NSCopying, @unchecked Sendable {
  // @unchecked Sendable: immutable.
  /// The oldest first.
  public let events: [AVPlayerItemErrorLogEvent]

  init?(_ core: ItemCore) {
    let records = core.errorLog
    guard !records.isEmpty else { return nil }
    let scheduler = core.asset.environment.scheduler
    events = records.map { AVPlayerItemErrorLogEvent($0, WallClock.date(of: $0.time, scheduler)) }
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// In the W3C's extended log file format.
  open func extendedLogData() -> Data? {
    var lines = ["#Version: 1.0", "#Fields: date uri status domain comment"]
    let formatter = ISO8601DateFormatter()
    for event in events {
      lines.append(
        [
          event.date.map { formatter.string(from: $0) } ?? "-", event.uri ?? "-", "\(event.errorStatusCode)",
          event.errorDomain, event.errorComment ?? "-",
        ].joined(separator: "\t"))
    }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  open var extendedLogDataStringEncoding: UInt { String.Encoding.utf8.rawValue }
}

/// One error.
open class AVPlayerItemErrorLogEvent: NSObject, NSCopying, @unchecked Sendable {
  // @unchecked Sendable: immutable.
  public let date: Date?
  public let uri: String?
  public let errorStatusCode: Int
  public let errorDomain: String
  public let errorComment: String?

  init(_ record: ErrorLogRecord, _ date: Date) {
    let error = record.error.appleError
    self.date = date
    uri = record.address
    errorStatusCode = error.code
    errorDomain = error.domain
    errorComment = record.error.message
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open var serverAddress: String? { nil }
  open var playbackSessionID: String? { nil }
  /// The answer's header fields, for errors of HTTP.
  open var allHTTPResponseHeaderFields: [String: String]? { nil }
}
