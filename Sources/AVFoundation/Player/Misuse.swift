import CoreMedia
import Foundation

/// Mistakes of the app that raise an exception at Apple's: the process ends here, with the reason.
enum Misuse {
  static func itemHasAnotherPlayer() -> Never {
    preconditionFailure("An AVPlayerItem cannot be associated with more than one instance of AVPlayer.")
  }

  static func itemIsInQueue() -> Never {
    preconditionFailure("An AVPlayerItem cannot be in a player's queue twice. Remove it before adding it again.")
  }

  static func insertAfterForeignItem() -> Never {
    preconditionFailure(
      "An item can be inserted only after one that is in the player's queue. Give nil to append it.")
  }

  static func advanceWithoutQueue() -> Never {
    preconditionFailure("AVPlayerActionAtItemEndAdvance is not supported by AVPlayer. Use an AVQueuePlayer.")
  }

  static func synchronizedRateWhileWaiting() -> Never {
    preconditionFailure(
      "setRate(_:time:atHostTime:) needs automaticallyWaitsToMinimizeStalling to be false. Set it to false before.")
  }

  static func checkLoop(_ range: CMTimeRange) {
    guard range.start.isNumeric, range.start >= .zero, range.duration.isNumeric, range.duration > .zero else {
      preconditionFailure("AVPlayerLooper needs a range that is not empty and lies within the item; got \(range).")
    }
  }

  static func noBoundaryTimes() -> Never {
    preconditionFailure("addBoundaryTimeObserver(forTimes:queue:using:) needs at least one time.")
  }

  static func foreignTimeObserver() -> Never {
    preconditionFailure(
      "An instance of AVPlayer cannot remove a time observer that was added by a different instance of AVPlayer.")
  }

  static func prerollBeforeReady() -> Never {
    preconditionFailure(
      "AVPlayer cannot service a preroll request until its status is AVPlayerStatusReadyToPlay. Observe status first.")
  }

  static func prerollWhilePlaying() -> Never {
    preconditionFailure("AVPlayer can be prerolled only while its rate is 0. Pause it first.")
  }

  static func observationEnabledTooLate() -> Never {
    preconditionFailure(
      "AVPlayer.isObservationEnabled can be changed only before the first AVPlayer, AVPlayerItem or AVPlayerItemTrack "
        + "is made. Set it when the program starts.")
  }

  static func checkSeek(_ time: CMTime, _ before: CMTime, _ after: CMTime) {
    if !time.isValid { preconditionFailure("Seeking is not possible to time {INVALID}.") }
    if time.isIndefinite { preconditionFailure("Seeking is not possible to time {INDEFINITE}.") }
    for tolerance in [before, after] where !tolerance.isValid || tolerance.isIndefinite || tolerance < .zero {
      preconditionFailure("Seeking needs tolerances that are valid and not negative; got \(tolerance).")
    }
  }
}
