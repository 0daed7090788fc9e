import AudioOutput
import MediaEngine
import MediaRuntime
import Testing

@Suite("When a sound server is asked what it plays") struct TimingScheduleTests {
  /// Answers each question at once, from a restart on.
  /// - Returns: the instants of the questions up to `end`.
  private func questions(
    limit: Nanoseconds, until end: Nanoseconds, wakes: [Nanoseconds] = []
  ) -> [Int64] {
    var schedule = TimingSchedule()
    var now = HostTime.zero
    schedule.restart(at: now)
    var asked: [Int64] = []
    var wakes = wakes[...]
    while let due = schedule.due {
      if let wake = wakes.first, HostTime.zero + wake < due {
        wakes.removeFirst()
        now = HostTime.zero + wake
        guard schedule.isWorthAsking(at: now) else { continue }
      } else {
        now = due
      }
      guard now <= HostTime.zero + end else { break }
      schedule.asked()
      asked.append((now - .zero).count / 1_000_000)
      schedule.answered(at: now, limit: limit)
    }
    return asked
  }

  @Test("Soon after a change, then at intervals that double up to the mode's limit")
  func doubles() {
    #expect(
      questions(limit: TimingSchedule.limit(.interactive), until: .milliseconds(800))
        == [10, 30, 70, 150, 310, 510, 710])
    #expect(
      questions(limit: TimingSchedule.limit(.audioOnly), until: .seconds(8 as Int64))
        == [10, 30, 70, 150, 310, 630, 1270, 2550, 4550, 6550])
  }

  @Test("Whoever is awake in the second half of an interval asks instead of a timer")
  func early() {
    let wakes = (1...8).map { Nanoseconds.milliseconds(2550 + $0 * 900) }
    #expect(
      questions(limit: TimingSchedule.limit(.audioOnly), until: .seconds(9 as Int64), wakes: wakes)
        == [10, 30, 70, 150, 310, 630, 1270, 2550, 4350, 6150, 7950])
  }

  @Test("A change while a question is under way is followed closely although the answer comes")
  func restartedWhileAsking() {
    var schedule = TimingSchedule()
    schedule.restart(at: .zero)
    schedule.asked()
    #expect(schedule.due == nil && !schedule.isWorthAsking(at: .zero + .seconds(9 as Int64)))
    schedule.restart(at: .zero + .milliseconds(100))
    schedule.answered(at: .zero + .milliseconds(101), limit: .milliseconds(200))
    #expect(schedule.due == .zero + .milliseconds(110))
    schedule.rest()
    #expect(schedule.due == nil)
  }
}
