package import CoreMedia
package import MediaRuntime

/// Names a closure that is kept outside the machine; the machine answers each exactly once.
package struct CompletionID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

/// A seek as its caller asked for it, not yet clamped.
package struct SeekCommand: Sendable {
  package var target: CMTime
  package var toleranceBefore: CMTime
  package var toleranceAfter: CMTime
  package var completion: CompletionID?

  package init(
    target: CMTime, toleranceBefore: CMTime = .positiveInfinity, toleranceAfter: CMTime = .positiveInfinity,
    completion: CompletionID? = nil
  ) {
    self.target = target
    self.toleranceBefore = toleranceBefore
    self.toleranceAfter = toleranceAfter
    self.completion = completion
  }
}

/// What an item brings with it when it joins a player.
package struct ItemSeed: Sendable {
  package var id: ItemID
  package var values: ItemSnapshot
  package var configuration: ItemConfiguration
  /// The seek made before the item had a player: where it begins.
  package var startSeek: SeekCommand?

  package init(
    id: ItemID, values: ItemSnapshot = ItemSnapshot(), configuration: ItemConfiguration = ItemConfiguration(),
    startSeek: SeekCommand? = nil
  ) {
    self.id = id
    self.values = values
    self.configuration = configuration
    self.startSeek = startSeek
  }
}

/// What an app may change of an item.
package enum ItemChange: Sendable {
  case enable(track: Int32, Bool)
  case select(track: Int32?, TrackKind)
  case forwardEnd(CMTime)
  case pitch(PitchAlgorithm)
  /// By tracks' ids; all that went before is void.
  case mix([Int32: TrackMix])
  /// The second track of subtitles.
  case secondarySubtitle(Int32?)
  case subtitleDelay(CMTime)
  case reverseEnd(CMTime)
  case preferredForwardBuffer(seconds: Double)
}

extension PlaybackStateMachine {
  /// What happens to a player: its caller's commands, its driver's reports, its own timers.
  package enum Event: Sendable {
    case play
    case setRate(Float)
    case setDefaultRate(Float)
    case playImmediately(Float)
    /// Apple's `setRate(_:time:atHostTime:)`; a time that is not numeric and a nil host time leave the choice open.
    case setSynchronizedRate(Float, time: CMTime, hostTime: HostTime?)
    case setAutomaticallyWaits(Bool)
    case setActionAtItemEnd(ActionAtItemEnd)
    case setVolume(Float)
    case setMuted(Bool)
    case replaceCurrent(ItemSeed?)
    /// After an item of the queue; nil, or one that is not in the queue, appends.
    case insert(ItemSeed, after: ItemID?)
    case remove(ItemID)
    case removeAll
    case advance
    /// Of an item; nil means the current one.
    case seek(ItemID?, SeekCommand)
    case cancelSeeks(ItemID)
    case step(ItemID, Int)
    case configure(ItemID, ItemChange)
    case preroll(Float, CompletionID?)
    case cancelPrerolls
    /// The time armed by `.armEvaluation` has passed.
    case evaluationDue(UInt64)
    case driver(DriverEvent)
    case close
  }

  /// What the machine asks of its shell, in order.
  package enum Action: Sendable {
    case driver(DriverCall)
    case complete(CompletionID, Bool)
    case notify(Notice)
    case observe(ObserverEdge)
    /// Bring `.evaluationDue` after `evaluationTime`.
    case armEvaluation(UInt64)
    case disarmEvaluation
    /// The item has left the player; these are its last values.
    case released(ItemID, ItemSnapshot, unlanded: SeekCommand?)
    case logPlaying(ItemID)
    case logError(ItemID, MediaError)
  }

  package enum DriverCall: Sendable {
    case attach(ItemID, ItemConfiguration)
    case detach(ItemID)
    case setCurrent(ItemID?, upcoming: [ItemID])
    case run(rate: Float, from: CMTime?, at: HostTime?)
    case halt
    case seek(ItemID, SeekRequest)
    case reconfigure(ItemID, ItemConfiguration)
    case setGain(Float)
    case step(ItemID, Int, SeekID)
    case preroll(ItemID, Float)
    case close
  }

  /// A notification by item id; `PlayerNotification` is its form for the façade.
  package enum Notice: Sendable {
    case didPlayToEnd(ItemID)
    case failedToPlayToEnd(ItemID, MediaError)
    case playbackStalled(ItemID)
    case timeJumped(ItemID)
    case mediaSelectionDidChange(ItemID)
    case rateDidChange(RateChangeReason)
  }
}

/// What the time observers must know of a transition.
package enum ObserverEdge: Hashable, Sendable {
  /// Playing began, the rate changed while playing, or playing stopped.
  case started, rateChanged, stopped
  /// The current item's time changed by leaps: a seek, a step, another item.
  case jumped
  /// One item went over into the next without a break.
  case advanced
}
