import MediaEngine
import MediaRuntime

/// Which frame is heard when, from a device's occasional statements: a straight line that is bent towards them.
///
/// It never goes back and does not jump back: when the device turns out to be behind, the line waits for it.
struct LineClock {
  let nominalRate: Double
  private(set) var anchorFrame: Double
  private(set) var anchorTime: HostTime
  /// Frames per second of host time along the line from the anchor on; 0 at rest.
  private(set) var slope = 0.0
  /// For how many seconds: then the error is gone and the line goes on at the measured rate, however long the next
  /// statement takes.
  private(set) var bentFor = 0.0
  private(set) var isRunning = false
  /// The device's own rate as measured over many seconds; nominal until then.
  private(set) var measuredRate: Double

  private struct Statement {
    var frame: Double
    var time: HostTime
  }
  private var first: Statement?

  init(sampleRate: Int, now: HostTime) {
    nominalRate = Double(max(sampleRate, 1))
    measuredRate = nominalRate
    anchorFrame = 0
    anchorTime = now
  }

  func frame(at time: HostTime) -> Double {
    guard isRunning else { return anchorFrame }
    return anchorFrame + Self.frames(in: (time - anchorTime).seconds, slope, bentFor, measuredRate)
  }

  static func frames(in seconds: Double, _ slope: Double, _ bentFor: Double, _ rate: Double) -> Double {
    let seconds = max(0, seconds)
    return min(seconds, bentFor) * slope + max(0, seconds - bentFor) * rate
  }

  private mutating func bend(_ slope: Double, at now: HostTime) {
    anchorFrame = frame(at: now)
    anchorTime = now
    self.slope = slope
    bentFor = 0
  }

  /// Begins to move at the measured rate, from where it rests.
  mutating func start(at now: HostTime) {
    anchorTime = now
    isRunning = true
    slope = measuredRate
    bentFor = 0
    first = nil
  }

  /// Goes on without a device: at the nominal rate from where it is.
  mutating func runFree(at now: HostTime) {
    if isRunning { bend(nominalRate, at: now) } else { start(at: now) }
    slope = nominalRate
    measuredRate = nominalRate
    first = nil
  }

  /// Comes to rest; at `frame` if that is not behind.
  mutating func rest(at now: HostTime, frame: Double? = nil) {
    bend(0, at: now)
    isRunning = false
    if let frame { anchorFrame = max(anchorFrame, frame) }
    first = nil
  }

  /// Another device, another clock: what was measured counts no more.
  mutating func forgetRate(at now: HostTime) {
    if isRunning { bend(slope, at: now) }
    first = nil
    measuredRate = nominalRate
  }

  /// Largest error that is taken as noise or drift and bent away, in seconds.
  private static let bendable = 0.020
  private static let measuringSpan = Nanoseconds.seconds(8 as Int64)
  private static let longestSpan = Nanoseconds.seconds(120 as Int64)

  /// The device says that it plays `frame` at `now`.
  mutating func observe(_ frame: Double, at now: HostTime) {
    guard isRunning else { return }
    bend(slope, at: now)
    measure(frame, now)
    let error = frame - anchorFrame
    if error > Self.bendable * nominalRate {
      anchorFrame = frame
      slope = measuredRate
      first = nil
    } else if error < -Self.bendable * nominalRate {
      // At a quarter of the device's speed the device catches up soon, and nobody sees time stand still.
      slope = measuredRate / 4
      bentFor = -error / (measuredRate - slope)
      first = nil
    } else {
      // Away within a second: at most 2 % off.
      slope = measuredRate + error
      bentFor = 1
    }
  }

  private mutating func measure(_ frame: Double, _ now: HostTime) {
    guard let start = first else {
      first = Statement(frame: frame, time: now)
      return
    }
    let span = now - start.time
    guard span >= Self.measuringSpan else { return }
    let rate = (frame - start.frame) / span.seconds
    // A device off by more than a per cent is not drifting but stumbling.
    measuredRate = min(max(rate, nominalRate * 0.99), nominalRate * 1.01)
    if span > Self.longestSpan {
      first = Statement(frame: frame - measuredRate * span.seconds / 2, time: start.time + Nanoseconds(span.count / 2))
    }
  }
}
