import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// The table of time control, row by row.
@Suite("State machine: time control")
struct StateMachineTimeControlTests {
  typealias Bench = StateMachineBench

  // MARK: Rows 1–6: play while paused

  @Test("1: play without an item waits for one at the default rate")
  func playWithoutItem() {
    var bench = Bench()
    bench.send(.setDefaultRate(1.5))
    #expect(bench.send(.play) == ["rateDidChange setRateCalled"])
    #expect(bench.shown == "waiting noItemToPlay 1.5")
  }

  @Test("2: without automatic waiting play without an item waits for one too")
  func playWithoutItemNorWaiting() {
    var bench = Bench()
    bench.send(.setAutomaticallyWaits(false))
    bench.send(.play)
    #expect(bench.shown == "waiting noItemToPlay 1.0")
  }

  @Test("3: play before the item is ready evaluates first, then waits to minimize stalls")
  func playBeforeReady() {
    var bench = Bench()
    bench.replace(1)
    #expect(bench.send(.play) == ["rateDidChange setRateCalled", "arm"])
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    bench.evaluationPasses()
    #expect(bench.shown == "waiting toMinimizeStalls 1.0")
  }

  @Test("3: play with a ready item that can't keep up evaluates first, then waits to minimize stalls")
  func playWithThinBuffer() {
    var bench = Bench()
    bench.replace(1)
    bench.becomeReady(1, buffer: .thin)
    bench.send(.play)
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    bench.evaluationPasses()
    #expect(bench.shown == "waiting toMinimizeStalls 1.0")
  }

  @Test("3: an evaluation that was overtaken by a pause has no effect on the next one")
  func staleEvaluation() {
    var bench = Bench()
    bench.replace(1)
    bench.send(.play)
    let stale = bench.openEvaluation
    #expect(bench.send(.setRate(0)).contains("disarm"))
    bench.send(.play)
    bench.send(.evaluationDue(stale))
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
  }

  @Test("4: play with enough data runs the driver at once and plays when it has started")
  func playWhenLikelyToKeepUp() {
    var bench = Bench.ready()
    #expect(bench.send(.play) == ["rateDidChange setRateCalled", "run 1.0", "arm"])
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    #expect(bench.driver(.started(.one, rate: 1)) == ["log playing 1", "disarm", "observe started"])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("4: a full buffer is enough although it is not likely to keep up")
  func playWhenFull() {
    var bench = Bench()
    var full = BufferState.thin
    full.isFull = true
    bench.replace(1)
    bench.becomeReady(1, buffer: full)
    #expect(bench.send(.play).contains("run 1.0"))
  }

  @Test("5: without automatic waiting play with any data is playing before it returns")
  func playWithoutWaiting() {
    var bench = Bench()
    bench.send(.setAutomaticallyWaits(false))
    bench.replace(1)
    bench.becomeReady(1, buffer: .thin)
    #expect(bench.send(.play) == ["rateDidChange setRateCalled", "run 1.0", "observe started"])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("6: without automatic waiting play before there is data evaluates until the first data, never minimizes stalls")
  func playWithoutWaitingNorData() {
    var bench = Bench()
    bench.send(.setAutomaticallyWaits(false))
    bench.replace(1)
    #expect(bench.send(.play) == ["rateDidChange setRateCalled"])
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    bench.becomeReady(1, buffer: .dry)
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    #expect(bench.driver(.buffer(.one, .thin)).contains("run 1.0"))
    #expect(bench.shown == "playing 1.0")
  }

  // MARK: Rows 7–9: while waiting

  @Test("7: waiting ends when the buffer is likely to keep up")
  func waitingEnds() {
    var bench = Bench()
    bench.replace(1)
    bench.becomeReady(1, buffer: .thin)
    bench.send(.play)
    bench.evaluationPasses()
    #expect(bench.driver(.buffer(.one, .whole)) == ["run 1.0"])
    bench.driver(.started(.one, rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("8: an item that comes while waiting for one is waited for, then played without another play")
  func itemComes() {
    var bench = Bench()
    bench.send(.play)
    bench.replace(1)
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    bench.becomeReady(1)
    bench.driver(.started(.one, rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("9: giving up automatic waiting while waiting plays at once")
  func stopWaiting() {
    var bench = Bench()
    bench.replace(1)
    bench.becomeReady(1, buffer: .thin)
    bench.send(.play)
    bench.evaluationPasses()
    #expect(bench.send(.setAutomaticallyWaits(false)) == ["run 1.0", "observe started"])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("9: giving up automatic waiting with nothing loaded never leaves toMinimizeStalls behind")
  func stopWaitingWithoutData() {
    var bench = Bench()
    bench.replace(1)
    bench.send(.play)
    bench.evaluationPasses()
    bench.send(.setAutomaticallyWaits(false))
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
  }

  // MARK: Rows 10–11: stalls

  @Test("10: a stall waits at the same rate and is notified")
  func stall() {
    var bench = Bench.playing()
    bench.driver(.buffer(.one, .dry))
    #expect(bench.shown == "playing 1.0")
    #expect(bench.driver(.stalled(.one)) == ["halt", "playbackStalled 1", "observe stopped"])
    #expect(bench.shown == "waiting toMinimizeStalls 1.0")
  }

  @Test("10: one stall is notified once, and the next one after playing again")
  func stallOnce() {
    var bench = Bench.playing()
    bench.driver(.buffer(.one, .dry))
    bench.driver(.stalled(.one))
    #expect(bench.driver(.stalled(.one)) == [])
    bench.driver(.buffer(.one, .whole))
    bench.driver(.started(.one, rate: 1))
    bench.driver(.buffer(.one, .dry))
    #expect(bench.driver(.stalled(.one)).contains("playbackStalled 1"))
  }

  @Test("10: a stall with enough data in the buffer is notified and runs again")
  func stallOfDecoder() {
    var bench = Bench.playing()
    #expect(bench.driver(.stalled(.one)) == ["halt", "playbackStalled 1", "run 1.0", "observe stopped"])
    #expect(bench.shown == "waiting toMinimizeStalls 1.0")
    bench.driver(.started(.one, rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("11: without automatic waiting a stall pauses")
  func stallPauses() {
    var bench = Bench.playing(waits: false)
    bench.driver(.buffer(.one, .dry))
    #expect(
      bench.driver(.stalled(.one)) == [
        "halt", "playbackStalled 1", "rateDidChange endOrStall", "observe stopped",
      ])
    #expect(bench.shown == "paused 0.0")
    bench.driver(.buffer(.one, .whole))
    #expect(bench.shown == "paused 0.0")
  }

  // MARK: Rows 12–15: commands while playing

  @Test("12: pause stops at once, playing or waiting", arguments: [true, false])
  func pause(isPlaying: Bool) {
    var bench = isPlaying ? Bench.playing() : Bench.ready()
    if !isPlaying { bench.send(.play) }
    #expect(bench.send(.setRate(0)).contains("halt"))
    #expect(bench.shown == "paused 0.0")
  }

  @Test("12: a start that was under way when pause came is old news")
  func pauseBeforeStart() {
    var bench = Bench.ready()
    bench.send(.play)
    bench.send(.setRate(0))
    #expect(bench.driver(.started(.one, rate: 1)) == [])
    #expect(bench.shown == "paused 0.0")
  }

  @Test("13: playImmediately plays what is there, whatever the buffer promises")
  func playImmediately() {
    var bench = Bench()
    bench.replace(1)
    bench.becomeReady(1, buffer: .thin)
    #expect(bench.send(.playImmediately(1.5)) == ["rateDidChange setRateCalled", "run 1.5", "observe started"])
    #expect(bench.shown == "playing 1.5")
  }

  @Test("13: playImmediately while waiting for the buffer plays at once")
  func playImmediatelyWhileWaiting() {
    var bench = Bench()
    bench.replace(1)
    bench.becomeReady(1, buffer: .thin)
    bench.send(.play)
    bench.evaluationPasses()
    bench.send(.playImmediately(1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("13: playImmediately shows a start under way as playing")
  func playImmediatelyWhileStarting() {
    var bench = Bench.ready()
    bench.send(.play)
    #expect(bench.send(.playImmediately(1)) == ["disarm", "observe started"])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("14: playImmediately with an empty buffer waits as after a stall, without a notification")
  func playImmediatelyWhenEmpty() {
    var bench = Bench()
    bench.replace(1)
    bench.becomeReady(1, buffer: .dry)
    #expect(bench.send(.playImmediately(2)) == ["rateDidChange setRateCalled"])
    #expect(bench.shown == "waiting toMinimizeStalls 2.0")
  }

  @Test("14: without automatic waiting playImmediately with an empty buffer stays paused, without a notification")
  func playImmediatelyWhenEmptyPauses() {
    var bench = Bench()
    bench.send(.setAutomaticallyWaits(false))
    bench.replace(1)
    bench.becomeReady(1, buffer: .dry)
    #expect(bench.send(.playImmediately(2)) == [])
    #expect(bench.shown == "paused 0.0")
  }

  @Test("15: another rate while playing changes at once and goes on playing")
  func changeRate() {
    var bench = Bench.playing()
    #expect(
      bench.send(.setRate(2)) == ["rateDidChange setRateCalled", "run 2.0", "observe rateChanged"])
    #expect(bench.shown == "playing 2.0")
    bench.driver(.started(.one, rate: 2))
    #expect(bench.shown == "playing 2.0")
  }

  @Test("15: play while playing at another rate goes back to the default rate")
  func playAgain() {
    var bench = Bench.playing()
    bench.send(.setRate(2))
    #expect(bench.send(.play).contains("run 1.0"))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("15: the default rate counts from the next play on and never starts anything")
  func defaultRate() {
    var bench = Bench.playing()
    #expect(bench.send(.setDefaultRate(1.5)) == [])
    #expect(bench.shown == "playing 1.0")
    bench.send(.setRate(2))
    #expect(bench.state.defaultRate == 1.5)
    bench.send(.play)
    #expect(bench.shown == "playing 1.5")
  }

  @Test("15: a rate that changes during a start is the one that counts")
  func changeRateWhileStarting() {
    var bench = Bench.ready()
    bench.send(.play)
    bench.send(.setRate(2))
    bench.driver(.started(.one, rate: 1))
    #expect(bench.shown == "waiting evaluatingBufferingRate 2.0")
    bench.driver(.started(.one, rate: 2))
    #expect(bench.shown == "playing 2.0")
  }

  @Test("A rate that the item can't play is refused and the rate stays")
  func impossibleRate() {
    var bench = Bench.playing()
    #expect(bench.send(.setRate(-1)) == ["rateDidChange setRateFailed"])
    #expect(bench.shown == "playing 1.0")
    #expect(bench.send(.setRate(.nan)) == ["rateDidChange setRateFailed"])
  }

  @Test("An impossible wish from before readiness falls back to paused")
  func impossibleWish() {
    var bench = Bench()
    bench.replace(1)
    bench.send(.setRate(-1))
    #expect(bench.shown == "waiting evaluatingBufferingRate -1.0")
    bench.becomeReady(1)
    #expect(bench.actions.contains("rateDidChange setRateFailed"))
    #expect(bench.shown == "paused 0.0")
  }

  // MARK: Rows 16–17: seeks while playing

  @Test("16: a seek into loaded data stays playing")
  func seekWhilePlaying() {
    var bench = Bench.playing()
    bench.seek(5)
    #expect(bench.actions == ["seek 1 to 5.0"])
    #expect(bench.shown == "playing 1.0")
    #expect(bench.land() == ["timeJumped 1", "observe jumped", "complete 1 true", "run 1.0"])
    #expect(bench.shown == "playing 1.0")
    bench.driver(.started(.one, rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("17: a seek beyond the loaded data waits, then plays")
  func seekBeyondBuffer() {
    var bench = Bench()
    bench.replace(1)
    var half = BufferState.thin
    half.isLikelyToKeepUp = true
    bench.becomeReady(1, buffer: half)
    bench.send(.play)
    bench.driver(.started(.one, rate: 1))
    bench.seek(5)
    #expect(bench.actions == ["seek 1 to 5.0", "arm", "observe stopped"])
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    bench.driver(.buffer(.one, .dry))
    bench.land()
    bench.evaluationPasses()
    #expect(bench.shown == "waiting toMinimizeStalls 1.0")
    bench.driver(.buffer(.one, .whole))
    bench.driver(.started(.one, rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("A pause during a seek is kept after landing")
  func pauseDuringSeek() {
    var bench = Bench.playing()
    bench.seek(5)
    bench.send(.setRate(0))
    #expect(bench.shown == "paused 0.0")
    #expect(!bench.land().contains("run 1.0"))
  }

  @Test("A play during a seek starts after landing, not before")
  func playDuringSeek() {
    var bench = Bench.ready()
    bench.seek(5)
    #expect(bench.send(.play) == ["rateDidChange setRateCalled", "arm"])
    #expect(bench.land().contains("run 1.0"))
  }

  // MARK: Rows 18–25

  @Test("18: the end with the action pause pauses")
  func endPauses() {
    var bench = Bench.playing()
    #expect(
      bench.driver(.reachedEnd(.one)) == ["didPlayToEnd 1", "rateDidChange endOrStall", "halt", "observe stopped"])
    #expect(bench.shown == "paused 0.0")
  }

  @Test("19: the end with the action none changes nothing, and the driver's time goes on")
  func endGoesOn() {
    var bench = Bench.playing()
    bench.send(.setActionAtItemEnd(.none))
    #expect(bench.driver(.reachedEnd(.one)) == ["didPlayToEnd 1"])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("20: the end with the action advance goes to the next item at the same rate")
  func endAdvances() {
    var bench = Bench.queue(2)
    #expect(
      bench.driver(.reachedEnd(.one)) == [
        "didPlayToEnd 1", "released 1", "halt", "current 2", "observe jumped", "detach 1", "run 1.0", "arm",
        "observe stopped",
      ])
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    bench.driver(.started(.two, rate: 1))
    #expect(bench.shown == "playing 1.0")
    #expect(bench.state.queue == [.two])
  }

  @Test("20: over a gapless joint it stays playing")
  func gaplessJoint() {
    var bench = Bench.queue(3)
    #expect(
      bench.driver(.advanced(from: .one, to: .two)) == [
        "didPlayToEnd 1", "released 1", "log playing 2", "observe advanced", "attach 3", "current 2 then 3", "detach 1",
      ])
    #expect(bench.shown == "playing 1.0")
    #expect(bench.state.queue == [.two, .three])
    bench.becomeReady(3)
    #expect(bench.state.queue == [.two, .three])
  }

  @Test("21: after the last item there is none, the rate stays and waits for one")
  func endOfQueue() {
    var bench = Bench.queue(1)
    bench.driver(.reachedEnd(.one))
    #expect(bench.state.queue == [])
    #expect(bench.shown == "waiting noItemToPlay 1.0")
  }

  @Test("22: an interruption pauses and says why; its end plays nothing")
  func interruption() {
    var bench = Bench.playing()
    #expect(
      bench.driver(.interruptionBegan) == ["rateDidChange audioSessionInterrupted", "halt", "observe stopped"])
    #expect(bench.shown == "paused 0.0")
    #expect(bench.driver(.interruptionEnded) == [])
    #expect(bench.shown == "paused 0.0")
    #expect(bench.driver(.interruptionBegan) == [])
  }

  @Test("24: the start reached backward pauses and says why", arguments: [ActionAtItemEnd.pause, .advance])
  func startReached(action: ActionAtItemEnd) {
    var rates = SupportedRates()
    rates.reverse = true
    var bench = Bench.ready(rates: rates)
    bench.send(.setActionAtItemEnd(action))
    bench.send(.setRate(-1))
    bench.driver(.started(.one, rate: -1))
    #expect(bench.shown == "playing -1.0")
    #expect(
      bench.driver(.reachedEnd(.one)) == [
        "didPlayToEnd 1", "rateDidChange reversePlaybackReachedStart", "halt", "observe stopped",
      ])
    #expect(bench.shown == "paused 0.0")
    #expect(bench.state.queue == [.one])
  }

  @Test("25: taking the item away while playing waits for another at the same rate")
  func itemTaken() {
    var bench = Bench.playing()
    bench.replace(nil)
    #expect(bench.actions == ["released 1", "halt", "current none", "observe jumped", "detach 1", "observe stopped"])
    #expect(bench.shown == "waiting noItemToPlay 1.0")
  }
}

extension StateMachineBench {
  var openEvaluation: UInt64 {
    machine.openEvaluation ?? 0
  }

  /// The time for evaluating is over.
  mutating func evaluationPasses() { send(.evaluationDue(openEvaluation)) }
}
