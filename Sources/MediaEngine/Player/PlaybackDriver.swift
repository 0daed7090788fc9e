package import CoreMedia
import MediaIO
package import MediaRuntime

/// Names an item while it belongs to a player; never reused, and never the same for two players.
///
/// Traces and labels show `number` alone, which each player counts anew: so they are the same whatever other players
/// there were in the process.
package struct ItemID: Hashable, Sendable {
  package let number: UInt64
  /// Whose item it is: unique in the process, and shown nowhere.
  private let player: UInt64

  /// - Parameter player: 0 where there is no other player to tell it from.
  package init(_ number: UInt64, of player: UInt64 = 0) {
    self.number = number
    self.player = player
  }

  /// The player stays out of it, so that the order of dictionaries does not depend on other players either.
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Names one seek; the newest of an item is the only one whose landing counts.
package struct SeekID: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

package struct SeekRequest: Sendable {
  package var id: SeekID
  /// Numeric, clamped to the item already, or +∞ for the end.
  package var target: CMTime
  /// Zero or more; +∞ allows any key frame.
  package var toleranceBefore: CMTime
  package var toleranceAfter: CMTime
  /// Time stands and will stand: the picture is wanted at once, what playing needs later.
  package var isPaused: Bool

  package init(
    id: SeekID, target: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, isPaused: Bool = false
  ) {
    self.id = id
    self.target = target
    self.toleranceBefore = toleranceBefore
    self.toleranceAfter = toleranceAfter
    self.isPaused = isPaused
  }

  /// The same wish for another player, which owes nobody an answer.
  var command: SeekCommand {
    SeekCommand(target: target, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter)
  }
}

/// How full an item's buffers are, judged by the pure buffer policy.
package struct BufferState: Hashable, Sendable {
  package var loadedRanges: [CMTimeRange] = []
  package var seekableRanges: [CMTimeRange] = []
  package var isEmpty = true
  package var isFull = false
  package var isLikelyToKeepUp = false

  package init() {}
}

/// The shell below a player's state machine: moves the data of its items to its outputs.
///
/// One per player, for the player's life: sink, clock and video outputs outlive items. Calls come with the player's
/// lock released, from any thread, in the machine's order; they return at once. Events come on engine queues.
package protocol PlaybackDriver: AnyObject, Sendable {
  /// Starts loading: open, choose tracks, fill the buffers, decode the first picture or sound at the item's start
  /// position (zero, or the seek that came before). Ends in `.ready` or `.failed`.
  func attach(_ item: ItemID, asset: AssetCore, configuration: ItemConfiguration)

  /// Stops all work for the item and frees it; nothing is heard of it afterwards.
  func detach(_ item: ItemID)

  /// Whose data goes to the outputs. The one after it in `upcoming` is decoded ahead and joined without a gap
  /// (`.advanced` then takes the place of `.reachedEnd`); with nothing upcoming the item's end is an end.
  /// The same current item again only changes what is upcoming. Another one starts halted: `run` follows.
  func setCurrent(_ item: ItemID?, upcoming: [ItemID])

  /// Runs the current item's timebase at a rate from where it is (`time` nil), now or at a host time.
  /// `.started` with the same rate follows when it really moves; audio and picture start together. It waits by itself
  /// for the data it needs to begin. A numeric `time` is an exact seek that takes the place of a pending one.
  /// Run at the end (or backward at the start) it reports `.reachedEnd` again.
  /// While it moves, another `run` changes the rate at once.
  func run(rate: Float, from time: CMTime?, at hostTime: HostTime?)

  /// Stops the timebase; what is heard fades out within 50 ms, without a click.
  func halt()

  /// Ends in `.landed` with the same id, unless a newer seek, a detach or an error comes between.
  /// A seek of the current item stops its timebase, and forgets a `run`: the machine runs it again after `.landed`.
  /// Before `.ready` it becomes the start position: `.landed` (also for `configuration.startSeek`), then `.ready`.
  /// A target given before the duration was known is clamped by the driver. Buffer states that are still true
  /// are sent before `.landed`, so that the machine can tell whether to play on at once.
  func seek(_ item: ItemID, _ request: SeekRequest)

  func reconfigure(_ item: ItemID, _ configuration: ItemConfiguration)

  /// Linear gain 0…1; mute is 0. Heard within 50 ms, without a click.
  func setGain(_ gain: Float)

  /// The device that plays, by the sound server's name for it; nil is the default one. At any time, also while playing.
  func setAudioDevice(_ name: String?)

  /// The item's time now: what is heard and shown. Any thread, never waits.
  func currentTime(of item: ItemID) -> CMTime

  /// When the current item's time will be `time` at the present rate; nil while it does not move there.
  func hostTime(of time: CMTime, in item: ItemID) -> HostTime?

  /// Read-only for apps; follows the item's spans.
  func timebase(of item: ItemID) -> CMTimebase?

  /// What the item has read and left out since it was attached; nil when it is not, or nothing is counted. Any thread.
  func counters(of item: ItemID) -> PlaybackCounters?

  /// What rates there are beyond 0…2; constant.
  var supportedRates: SupportedRates { get }

  func add(_ output: VideoFrameOutput, to item: ItemID)
  func remove(_ output: VideoFrameOutput, from item: ItemID)
  func add(_ output: SubtitleOutput, to item: ItemID)
  func remove(_ output: SubtitleOutput, from item: ItemID)

  /// Moves by decoded frames of the video track while halted. Ends in `.landed`.
  func step(_ item: ItemID, by count: Int, id: SeekID)

  /// Decodes ahead so that a following `run` starts at once. Ends in `.prerolled`.
  func preroll(_ item: ItemID, rate: Float)

  func close()
}

extension PlaybackDriver {
  package func counters(of item: ItemID) -> PlaybackCounters? { nil }
  package var supportedRates: SupportedRates { SupportedRates() }

  /// For drivers without subtitles.
  package func add(_ output: SubtitleOutput, to item: ItemID) {}
  package func remove(_ output: SubtitleOutput, from item: ItemID) {}

  /// For drivers without sound.
  package func setAudioDevice(_ name: String?) {}
}

/// Which rates a driver can run at. Rates above 0 up to 2 are always possible.
package struct SupportedRates: Hashable, Sendable {
  /// Above 2.
  package var fastForward = true
  package var reverse = false
  package var slowReverse = false
  package var fastReverse = false

  package init() {}

  package func contains(_ rate: Float) -> Bool {
    switch rate {
    case 0...2: true
    case 2...: fastForward && rate.isFinite
    case -1: reverse
    case -1..<0: slowReverse
    default: fastReverse && rate.isFinite
    }
  }
}

/// What an app may change of an item while it plays.
package struct ItemConfiguration: Sendable {
  /// Ids of tracks that the app switched off.
  package var disabledTracks: Set<Int32> = []
  /// Explicit choice per kind; a missing key means the container's default, nil means none.
  package var selectedTracks: [TrackKind: Int32?] = [:]
  package var forwardEndTime = CMTime.invalid
  package var reverseEndTime = CMTime.invalid
  /// Seconds; 0 = the engine decides.
  package var preferredForwardBufferDuration = 0.0
  /// What becomes of the pitch at rates other than 1.
  package var pitch = PitchAlgorithm.timeDomain
  /// A second track of subtitles, by its id; the first one is selected.
  package var secondarySubtitle: Int32?
  /// Positive shows subtitles later.
  package var subtitleDelay = CMTime.zero
  /// What the app does to tracks' sound, by their ids.
  package var mix: [Int32: TrackMix] = [:]
  /// Where to begin when the item is attached after a seek.
  package var startSeek: SeekRequest?

  package init() {}

  /// What becomes of a track's sound; its pitch is the item's where the track has none.
  func mix(of track: MediaTrack) -> TrackMix {
    var mix = mix[track.id] ?? TrackMix()
    mix.pitch = mix.pitch ?? pitch
    return mix
  }
}

/// What the shell tells the machine.
package enum DriverEvent: Sendable {
  /// The header is read: duration, tracks, ranges are known.
  case opened(ItemID, MediaDescription)
  /// The first picture or sound is decoded; the item can play.
  case ready(ItemID)
  /// The item can't be used: never opened, or broken beyond playing on.
  case failed(ItemID, MediaError)
  case descriptionChanged(ItemID, MediaDescription)
  case buffer(ItemID, BufferState)
  /// The timebase moves at the asked rate.
  case started(ItemID, rate: Float)
  /// Nothing left to play although the media goes on. The `.buffer` that says so comes before; the timebase stands, and
  /// the machine runs it again when a later `.buffer` is likely to keep up or full.
  case stalled(ItemID)
  /// The last sample was heard or shown (or the end time reached), playing forward or backward. Once per `run`.
  /// Forward, the timebase goes on past the end until `halt` (`actionAtItemEnd == .none` lets it); backward, it stands.
  case reachedEnd(ItemID)
  /// Playing stopped early for good at the time reached; the item itself stays ready.
  case playingFailed(ItemID, MediaError)
  /// Without a break the output went on from one item to the next.
  case advanced(from: ItemID, to: ItemID)
  case landed(ItemID, SeekID, at: CMTime)
  case prerolled(ItemID, finished: Bool)
  /// The desktop took the sound away, or gave it back.
  case interruptionBegan
  case interruptionEnded
  case frameRate(ItemID, Float)
}
