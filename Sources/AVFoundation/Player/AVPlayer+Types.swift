public import Foundation
import MediaEngine

extension AVPlayer {
  /// Whether the player can work at all. An item that fails does not make the player fail.
  public enum Status: Int, Sendable {
    case unknown = 0
    case readyToPlay = 1
    case failed = 2
  }

  /// What is really happening.
  public enum TimeControlStatus: Int, Sendable {
    case paused = 0
    case waitingToPlayAtSpecifiedRate = 1
    case playing = 2
  }

  /// What happens when the current item has played to its end.
  public enum ActionAtItemEnd: Int, Sendable {
    /// The next item of the queue follows. For `AVQueuePlayer` only.
    case advance = 0
    case pause = 1
    /// Rate and item stay, time goes on.
    case none = 2
  }

  /// Why a player waits although it has a rate.
  public struct WaitingReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    /// Brief, right after play: not yet worth a spinner.
    public static let evaluatingBufferingRate = WaitingReason(
      rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
    public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    public static let interstitialEvent = WaitingReason(rawValue: "AVPlayerWaitingDuringInterstitialEventReason")
    public static let waitingForCoordinatedPlayback = WaitingReason(
      rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
  }

  /// In `rateDidChangeNotification`: why the rate changed.
  public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public static let setRateCalled = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
    /// The item can't play at the wanted rate.
    public static let setRateFailed = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateFailed")
    public static let audioSessionInterrupted = RateDidChangeReason(
      rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
    public static let appBackgrounded = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")
    public static let playheadReachedLiveEdge = RateDidChangeReason(
      rawValue: "AVPlayerRateDidChangeReasonPlayheadReachedLiveEdge")
    public static let reversePlaybackReachedStartOfSeekableRange = RateDidChangeReason(
      rawValue: "AVPlayerRateDidChangeReasonReversePlaybackReachedStartOfSeekableRange")
  }

  /// The wanted rate changed. Object: the player.
  public nonisolated static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")
  /// An `AVPlayer.RateDidChangeReason`; absent when playing ended or stalled.
  public nonisolated static let rateDidChangeReasonKey = "AVPlayerRateDidChangeReasonKey"
  public nonisolated static let rateDidChangeOriginatingParticipantKey =
    "AVPlayerRateDidChangeOriginatingParticipantKey"
  public nonisolated static let eligibleForHDRPlaybackDidChangeNotification = Notification.Name(
    "AVPlayerEligibleForHDRPlaybackDidChangeNotification")
}

/// What a player of video does when the app leaves the screen. There is no such thing here; kept for source.
public enum AVPlayerAudiovisualBackgroundPlaybackPolicy: Int, Sendable {
  case automatic = 1
  case pauses = 2
  case continuesIfPossible = 3
}

extension WaitingReason {
  var apple: AVPlayer.WaitingReason {
    switch self {
    case .toMinimizeStalls: .toMinimizeStalls
    case .evaluatingBufferingRate: .evaluatingBufferingRate
    case .noItemToPlay: .noItemToPlay
    }
  }
}

extension RateChangeReason {
  var apple: AVPlayer.RateDidChangeReason? {
    switch self {
    case .setRateCalled: .setRateCalled
    case .setRateFailed: .setRateFailed
    case .audioSessionInterrupted: .audioSessionInterrupted
    case .appBackgrounded: .appBackgrounded
    case .playheadReachedLiveEdge: .playheadReachedLiveEdge
    case .reversePlaybackReachedStart: .reversePlaybackReachedStartOfSeekableRange
    case .endOrStall: nil
    }
  }
}
