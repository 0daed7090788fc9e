public import Foundation

extension Notification.Name {
  /// The item came to its effective end in the playing direction. Object: the item.
  public static let AVPlayerItemDidPlayToEndTime = Notification.Name("AVPlayerItemDidPlayToEndTimeNotification")
  /// An error ended playing early; see `AVPlayerItemFailedToPlayToEndTimeErrorKey`. Object: the item.
  public static let AVPlayerItemFailedToPlayToEndTime = Notification.Name(
    "AVPlayerItemFailedToPlayToEndTimeNotification")
  /// Media did not arrive in time. Object: the item.
  public static let AVPlayerItemPlaybackStalled = Notification.Name("AVPlayerItemPlaybackStalledNotification")
  /// The time changed in a jump. Object: the item.
  public static let AVPlayerItemTimeJumped = Notification.Name("AVPlayerItemTimeJumpedNotification")
  /// Object: the item.
  public static let AVPlayerItemNewAccessLogEntry = Notification.Name("AVPlayerItemNewAccessLogEntryNotification")
  /// Object: the item.
  public static let AVPlayerItemNewErrorLogEntry = Notification.Name("AVPlayerItemNewErrorLogEntryNotification")
}

/// In `AVPlayerItemFailedToPlayToEndTime`: the error, an `NSError`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"
/// In `AVPlayerItemTimeJumped`: who moved a shared playback. Never present here.
public let AVPlayerItemTimeJumpedOriginatingParticipantKey =
  "AVPlayerItemTimeJumpedNotificationOriginatingParticipantKey"
