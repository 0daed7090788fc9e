public import Foundation

extension AVPlayerItem {
  public enum Status: Int, Sendable {
    case unknown = 0
    case readyToPlay = 1
    case failed = 2
  }

  public nonisolated static let didPlayToEndTimeNotification = Notification.Name.AVPlayerItemDidPlayToEndTime
  public nonisolated static let failedToPlayToEndTimeNotification = Notification.Name.AVPlayerItemFailedToPlayToEndTime
  public nonisolated static let playbackStalledNotification = Notification.Name.AVPlayerItemPlaybackStalled
  public nonisolated static let timeJumpedNotification = Notification.Name.AVPlayerItemTimeJumped
  public nonisolated static let newAccessLogEntryNotification = Notification.Name.AVPlayerItemNewAccessLogEntry
  public nonisolated static let newErrorLogEntryNotification = Notification.Name.AVPlayerItemNewErrorLogEntry
  /// Another option was selected. Object: the item.
  public nonisolated static let mediaSelectionDidChangeNotification = Notification.Name(
    "AVPlayerItemMediaSelectionDidChangeNotification")
  public nonisolated static let recommendedTimeOffsetFromLiveDidChangeNotification = Notification.Name(
    "AVPlayerItemRecommendedTimeOffsetFromLiveDidChangeNotification")
  public nonisolated static let timeJumpedOriginatingParticipantKey = AVPlayerItemTimeJumpedOriginatingParticipantKey
}
