public import CoreMedia
public import CoreVideo
public import Foundation
import MediaEngine
import MediaRuntime

/// A place where an item's media can be had by its time.
// @unchecked Sendable: all that changes is behind locks.
open class AVPlayerItemOutput: NSObject, @unchecked Sendable {
  private struct Place: Sendable {
    weak var item: AVPlayerItem?
    var suppressesRendering = false
  }

  private let place = Lock(Place())

  public override init() {
    super.init()
  }

  /// Where pictures come from; nil for outputs of other media.
  var frames: VideoFrameOutput? { nil }

  /// Where subtitles are told; nil for outputs of other media.
  var subtitles: SubtitleOutput? { nil }

  var item: AVPlayerItem? { place.withLock { $0.item } }

  func join(_ item: AVPlayerItem?) {
    place.withLock { $0.item = item }
  }

  /// Layers of the player show no picture while an output of the item wants to show it itself.
  open var suppressesPlayerRendering: Bool {
    get { place.withLock { $0.suppressesRendering } }
    set { place.withLock { $0.suppressesRendering = newValue } }
  }

  /// The item's time when the host clock shows this many seconds; the time of a paused item stands.
  /// `.invalid` without an item.
  open func itemTime(forHostTime hostTimeInSeconds: CFTimeInterval) -> CMTime {
    itemTime(at: CMTime(seconds: hostTimeInSeconds, preferredTimescale: 1_000_000_000))
  }

  /// Same, with the host clock in its own unit: nanoseconds.
  open func itemTime(forMachAbsoluteTime machAbsoluteTime: Int64) -> CMTime {
    itemTime(at: CMTime(value: machAbsoluteTime, timescale: 1_000_000_000))
  }

  /// Same, for a display's time stamp.
  open func itemTime(for timestamp: CVTimeStamp) -> CMTime {
    itemTime(at: CMTime(value: Int64(clamping: timestamp.hostTime), timescale: 1_000_000_000))
  }

  private func itemTime(at hostTime: CMTime) -> CMTime {
    guard let item else { return .invalid }
    guard let timebase = item.core.snapshot.timebase, hostTime.isNumeric else { return item.core.currentTime() }
    let (now, rate) = timebase.timeAndRate
    guard rate != 0 else { return now }
    let converted = CMSyncConvertTime(hostTime, from: CMClock.hostTimeClock, to: timebase)
    return converted.isNumeric ? converted : now
  }
}
