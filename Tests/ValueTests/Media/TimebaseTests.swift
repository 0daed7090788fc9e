import CoreMedia
import Foundation
import Testing

/// A clock that the test sets.
private final class HandClock: Sendable {
  private let now = ValueLock(CMTime.zero)
  var clock: CMClock { made }
  private let made: CMClock

  init() {
    let now = now
    made = CMClock { now.withLock { $0 } }
  }

  func set(_ seconds: Double) { now.withLock { $0 = CMTime(seconds: seconds, preferredTimescale: 1000) } }
}

/// Counts the notifications of one timebase.
private final class Listener {
  private let counts = ValueLock<[String: Int]>([:])
  private var tokens: [any NSObjectProtocol] = []

  init(_ timebase: CMTimebase) {
    let counts = counts
    for name in [kCMTimebaseNotification_EffectiveRateChanged, kCMTimebaseNotification_TimeJumped] {
      tokens.append(
        NotificationCenter.default.addObserver(
          forName: Notification.Name(rawValue: name as String), object: timebase, queue: nil
        ) { note in
          let time = note.userInfo?[kCMTimebaseNotificationKey_EventTime] as? CFDictionary
          if CMTimeMakeFromDictionary(time).isNumeric { counts.withLock { $0[name, default: 0] += 1 } }
        })
    }
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }

  /// Rate changes and jumps since the last call.
  func take() -> [Int] {
    counts.withLock { counts in
      defer { counts = [:] }
      return [
        counts[kCMTimebaseNotification_EffectiveRateChanged] ?? 0, counts[kCMTimebaseNotification_TimeJumped] ?? 0,
      ]
    }
  }
}

private final class FixedProvider: TimebaseProvider {
  func timeAndRate(atHostNanoseconds nanoseconds: Int64) -> (time: CMTime, rate: Double) {
    (CMTime(value: 7, timescale: 1), 1.5)
  }
}

@Suite struct TimebaseTests {
  private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 1000) }

  @Test func hostClock_runsForwardInNanoseconds() throws {
    let clock = CMClock.hostTimeClock
    let (first, second) = (clock.time, CMClockGetTime(CMClockGetHostTimeClock()))
    #expect(first.timescale == 1_000_000_000 && first <= second && first.value > 0)
    #expect(CMClockMakeHostTimeFromSystemUnits(5) == CMTime(value: 5, timescale: 1_000_000_000))
    #expect(CMClock.convertHostTimeToSystemUnits(CMTime(value: 3, timescale: 2)) == 1_500_000_000)
    #expect(CMClockConvertHostTimeToSystemUnits(.invalid) == 0)
    #expect(CMClockConvertHostTimeToSystemUnits(CMTime(value: -1, timescale: 1)) == 0)
    let (anchor, reference) = try clock.anchorTime()
    #expect(anchor == reference)
    var (of, to) = (CMTime.invalid, CMTime.invalid)
    #expect(CMClockGetAnchorTime(clock, clockTimeOut: &of, referenceClockTimeOut: &to) == noErr)
    #expect(of == to && of >= anchor)
  }

  @Test func newTimebase_restsAtZero() throws {
    let timebase = try CMTimebase(sourceClock: HandClock().clock)
    #expect(timebase.time == .zero && timebase.rate == 0 && timebase.effectiveRate == 0)
  }

  @Test func time_followsTheSourceAtTheRate() throws {
    let hand = HandClock()
    hand.set(100)
    let timebase = try CMTimebase(sourceClock: hand.clock)
    try timebase.setTime(seconds(10))
    try timebase.setRate(2)
    hand.set(103)
    #expect(timebase.time == seconds(16))
    try timebase.setRate(-1)
    hand.set(104)
    #expect(timebase.time == seconds(15) && timebase.timeAndRate.rate == -1)
    try timebase.setRate(0)
    hand.set(200)
    #expect(timebase.time == seconds(15))
    #expect(timebase.time(timescale: 600, method: .default).timescale == 600)
  }

  @Test func anchors_fixTimeAgainstTheSource() throws {
    let hand = HandClock()
    let timebase = try CMTimebase(sourceClock: hand.clock)
    try timebase.setRate(1, anchorTime: seconds(50), immediateSourceTime: seconds(2))
    hand.set(3)
    #expect(timebase.time == seconds(51))
    try timebase.setAnchorTime(seconds(9), immediateSourceTime: seconds(3))
    #expect(timebase.time == seconds(9) && timebase.rate == 1)
  }

  @Test func changes_arePostedAsTheyAre() throws {
    let timebase = try CMTimebase(sourceClock: HandClock().clock)
    let listener = Listener(timebase)
    try timebase.setRate(1)
    #expect(listener.take() == [1, 0])
    try timebase.setRate(1)
    #expect(listener.take() == [0, 0])
    try timebase.setTime(seconds(4))
    #expect(listener.take() == [0, 1])
    try timebase.setAnchorTime(seconds(4), immediateSourceTime: .zero)
    #expect(listener.take() == [0, 1])
    try timebase.setRate(2, anchorTime: .zero, immediateSourceTime: .zero)
    #expect(listener.take() == [1, 1])
  }

  @Test func followers_multiplyRatesAndHearOfChanges() throws {
    let hand = HandClock()
    let parent = try CMTimebase(sourceClock: hand.clock)
    let child = try CMTimebase(sourceTimebase: parent)
    let listener = Listener(child)
    try parent.setRate(2)
    try child.setRate(1.5)
    #expect(listener.take() == [2, 0])
    #expect(child.effectiveRate == 3 && child.rate == 1.5)
    hand.set(4)
    #expect(child.time == seconds(12))
    #expect(child.sourceTimebase === parent && child.sourceClock == nil && child.ultimateSourceClock == hand.clock)
    try parent.setTime(seconds(100))
    #expect(listener.take() == [0, 1])
  }

  @Test func exchangedSource_keepsTime() throws {
    let (first, second) = (HandClock(), HandClock())
    second.set(1000)
    let timebase = try CMTimebase(sourceClock: first.clock)
    try timebase.setRate(1)
    first.set(5)
    CMTimebaseSetSourceClock(timebase, newSourceClock: second.clock)
    #expect(timebase.time == seconds(5))
    second.set(1001)
    #expect(timebase.time == seconds(6))
    let child = try CMTimebase(sourceTimebase: timebase)
    #expect(
      CMTimebaseSetSourceTimebase(timebase, newSourceTimebase: child) == kCMTimebaseError_InvalidParameter)
  }

  @Test func badArguments_areRefused() throws {
    let timebase = try CMTimebase(sourceClock: HandClock().clock)
    #expect(CMTimebaseSetRate(timebase, rate: .nan) == kCMTimebaseError_InvalidParameter)
    #expect(CMTimebaseSetTime(timebase, time: .indefinite) == kCMTimebaseError_InvalidParameter)
    #expect(timebase.time == .zero && timebase.rate == 0)
  }

  @Test func enginesTimebase_isReadOnly() throws {
    let timebase = CMTimebase(provider: FixedProvider())
    #expect(timebase.time == seconds(7) && timebase.rate == 1.5 && timebase.effectiveRate == 1.5)
    #expect(CMTimebaseSetRate(timebase, rate: 1) == kCMTimebaseError_ReadOnly)
    #expect(CMTimebaseSetTime(timebase, time: .zero) == -12757)
    #expect(
      CMTimebaseSetAnchorTime(timebase, timebaseTime: .zero, immediateSourceTime: .zero) == kCMTimebaseError_ReadOnly)
    #expect(throws: NSError.self) { try timebase.setSourceClock(.hostTimeClock) }
    let listener = Listener(timebase)
    timebase.post(rateChanged: true, jumped: true)
    #expect(listener.take() == [1, 1])
    #expect(timebase.ultimateSourceClock == .hostTimeClock)
  }

  @Test func conversion_goesUpAcrossAndDown() throws {
    let (first, second) = (HandClock(), HandClock())
    first.set(10)
    second.set(1000)
    let (a, b) = (try CMTimebase(sourceClock: first.clock), try CMTimebase(sourceClock: second.clock))
    try a.setRate(2, anchorTime: .zero, immediateSourceTime: seconds(10))
    try b.setRate(1, anchorTime: seconds(500), immediateSourceTime: seconds(1000))
    #expect(CMSyncConvertTime(seconds(4), from: a, to: first.clock) == seconds(12))
    #expect(CMSyncConvertTime(seconds(4), from: a, to: b) == seconds(502))
    #expect(a.convertTime(seconds(4), to: a) == seconds(4))
    #expect(CMSyncMightDrift(a, b) && !CMSyncMightDrift(a, first.clock))
    #expect(CMSyncGetTime(b) == seconds(500))
  }

  @Test func relativeRate_toARestingTimebase_isNotANumber() throws {
    let hand = HandClock()
    let (moving, resting) = (try CMTimebase(sourceClock: hand.clock), try CMTimebase(sourceClock: hand.clock))
    try moving.setRate(3)
    #expect(CMSyncGetRelativeRate(moving, relativeTo: hand.clock) == 3)
    #expect(CMSyncGetRelativeRate(moving, relativeTo: resting).isNaN)
    #expect(CMSyncGetRelativeRate(resting, relativeTo: moving) == 0)
    #expect(CMSyncGetRelativeRate(resting, relativeTo: resting) == 1)
    #expect(!CMSyncConvertTime(.zero, from: resting, to: moving).isValid)
    var (rate, of, to) = (0.0, CMTime.invalid, CMTime.invalid)
    CMSyncGetRelativeRateAndAnchorTime(
      moving, relativeTo: hand.clock, outRelativeRate: &rate, outOfClockOrTimebaseAnchorTime: &of,
      outRelativeToClockOrTimebaseAnchorTime: &to)
    #expect(rate == 3 && of == .zero && to == .zero)
  }

  /// Its rate is another each time it is read.
  private final class ChangingProvider: TimebaseProvider {
    private let reads = ValueLock(0)
    func timeAndRate(atHostNanoseconds nanoseconds: Int64) -> (time: CMTime, rate: Double) {
      let read = reads.withLock { reads in
        reads += 1
        return reads
      }
      return (CMTime(value: Int64(read) * 1000, timescale: 1), Double(read))
    }
  }

  @Test func rateAndAnchor_areOfOneReading() throws {
    let changing = CMTimebase(provider: ChangingProvider())
    let (rate, anchor, _) = try changing.rateAndAnchorTime(relativeTo: CMClock.hostTimeClock)
    // Moved on since by what little time has passed.
    #expect(rate == 1 && anchor.seconds >= 1000 && anchor.seconds < 2000)
    final class Stranger: CMSyncProtocol {}
    #expect(throws: NSError.self) { try changing.rateAndAnchorTime(relativeTo: Stranger()) }
  }
}
