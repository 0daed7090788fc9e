import CoreMedia
import MediaRuntime

/// An item inside a player.
struct MachineItem: Sendable {
  enum Phase: Sendable {
    /// In the queue, too far back to be loaded yet.
    case waiting
    case loading
    case ready
    case failed
  }

  let id: ItemID
  var phase = Phase.waiting
  /// What the outside sees.
  var values: ItemSnapshot
  var configuration: ItemConfiguration
  var description: MediaDescription?
  var buffer = BufferState()
  var timebase: CMTimebase?
  var seek: PendingSeek?
  /// Where playing ended; nil once a seek or the other direction has led away.
  var end: Direction?
  /// The end of the present run has been reported.
  var hasReportedEnd = false
  /// The error log says that the media was cut off.
  var hasToldCut = false
  /// A period of playing is open in the access log.
  var isPlayingLogged = false

  init(_ seed: ItemSeed) {
    id = seed.id
    values = seed.values
    configuration = seed.configuration
    if values.status == .failed { phase = .failed }
  }

  /// The driver holds resources for it.
  var isAttached: Bool { phase == .loading || phase == .ready }

  /// Which of a driver's rates there are for it: backward there must be pictures, and a way to read them again.
  func rates(of all: SupportedRates) -> SupportedRates {
    guard let description else { return all }
    let hasPictures = description.tracks.contains { $0.kind == .video && $0.isDecodable }
    guard !description.isSeekable || !hasPictures else { return all }
    var rates = all
    (rates.reverse, rates.slowReverse, rates.fastReverse) = (false, false, false)
    return rates
  }

  /// Where seeks may go: what the buffer policy says, else the whole duration; nil while unknown.
  var seekableBounds: (start: CMTime, end: CMTime)? {
    if let first = buffer.seekableRanges.first, let last = buffer.seekableRanges.last {
      return (first.start, CMTimeRangeGetEnd(last))
    }
    guard let description, description.duration.isNumeric else { return nil }
    return (.zero, description.duration)
  }

  func isBuffered(_ time: CMTime) -> Bool {
    buffer.loadedRanges.contains { $0.start <= time && time <= CMTimeRangeGetEnd($0) }
  }
}

/// Which way an item plays.
enum Direction: Sendable {
  case forward, backward

  init(_ rate: Float) { self = rate < 0 ? .backward : .forward }
}

/// The newest seek or step of an item, until it lands.
struct PendingSeek: Sendable {
  var request: SeekRequest
  var completion: CompletionID?
  /// It went along with the item's attachment, so `.ready` answers it too.
  var isStart = false
  /// A step moves time, but is no jump that apps are notified of.
  var isStep = false
}
