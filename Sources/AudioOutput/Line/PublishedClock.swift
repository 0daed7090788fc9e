import MediaEngine
import MediaRuntime
import Synchronization

/// A `LineClock` for readers on any thread: one writer publishes, nobody waits.
///
/// Two slots take turns. A reader takes the newest one and looks again only if a second publication came meanwhile.
final class PublishedClock: Sendable {
  private struct Slot: ~Copyable {
    let frame = Atomic<UInt64>(0)
    let time = Atomic<Int64>(0)
    let slope = Atomic<UInt64>(0)
    let bentFor = Atomic<UInt64>(0)
    let rate = Atomic<UInt64>(0)
    let isRunning = Atomic<Bool>(false)

    func store(_ clock: LineClock) {
      frame.store(clock.anchorFrame.bitPattern, ordering: .releasing)
      time.store(clock.anchorTime.nanoseconds, ordering: .releasing)
      slope.store(clock.slope.bitPattern, ordering: .releasing)
      bentFor.store(clock.bentFor.bitPattern, ordering: .releasing)
      rate.store(clock.measuredRate.bitPattern, ordering: .releasing)
      isRunning.store(clock.isRunning, ordering: .releasing)
    }

    func load() -> Reading {
      Reading(
        frame: Double(bitPattern: frame.load(ordering: .acquiring)),
        time: HostTime(nanoseconds: time.load(ordering: .acquiring)),
        slope: Double(bitPattern: slope.load(ordering: .acquiring)),
        bentFor: Double(bitPattern: bentFor.load(ordering: .acquiring)),
        rate: Double(bitPattern: rate.load(ordering: .acquiring)),
        isRunning: isRunning.load(ordering: .acquiring))
    }
  }

  private struct Reading {
    var frame: Double
    var time: HostTime
    var slope: Double
    var bentFor: Double
    var rate: Double
    var isRunning: Bool
  }

  private let number = Atomic<UInt64>(0)
  private let even = Slot()
  private let odd = Slot()
  private let highest = Atomic<Int64>(0)

  /// One writer at a time.
  func publish(_ clock: LineClock) {
    let next = number.load(ordering: .relaxed) &+ 1
    if next & 1 == 0 { even.store(clock) } else { odd.store(clock) }
    number.store(next, ordering: .releasing)
  }

  private func newest() -> Reading {
    while true {
      let before = number.load(ordering: .acquiring)
      let reading = before & 1 == 0 ? even.load() : odd.load()
      if number.load(ordering: .acquiring) == before { return reading }
    }
  }

  /// What is heard now. Whatever was answered before, to whomever, is not gone behind.
  func position(at now: HostTime) -> AudioPosition {
    let reading = newest()
    guard reading.isRunning, reading.rate > 0 else {
      let frame = highest.max(Int64(reading.frame), ordering: .relaxed).newValue
      return AudioPosition(frame: frame, time: now, isRunning: reading.isRunning, measuredRate: reading.rate)
    }
    let seconds = (now - reading.time).seconds
    let exact = reading.frame + LineClock.frames(in: seconds, reading.slope, reading.bentFor, reading.rate)
    let slope = seconds < reading.bentFor ? reading.slope : reading.rate
    let frame = Int64(exact)
    let reached = highest.max(frame, ordering: .relaxed).newValue
    // The instant at which this frame began, so that nobody sees the rounding.
    let time = reached == frame ? now - Nanoseconds.seconds((exact - Double(frame)) / slope) : now
    return AudioPosition(frame: reached, time: time, isRunning: true, measuredRate: reading.rate)
  }
}
