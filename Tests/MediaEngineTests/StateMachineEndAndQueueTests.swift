import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("State machine: end of playback, queue, items")
struct StateMachineEndAndQueueTests {
  typealias Bench = StateMachineBench

  // MARK: End

  @Test("play at the end does not rewind: the driver ends again, and that is notified again")
  func playAtEnd() {
    var bench = Bench.playing()
    bench.driver(.reachedEnd(.one))
    #expect(bench.send(.play).contains("run 1.0"))
    #expect(bench.driver(.reachedEnd(.one)).contains("didPlayToEnd 1"))
    #expect(bench.shown == "paused 0.0")
  }

  @Test("play at the end needs no full buffer")
  func playAtEndWithDrainedBuffer() {
    var bench = Bench.playing()
    bench.driver(.buffer(.one, .dry))
    bench.driver(.reachedEnd(.one))
    #expect(bench.send(.play).contains("run 1.0"))
  }

  @Test("One end is notified once")
  func endOnce() {
    var bench = Bench.playing()
    bench.send(.setActionAtItemEnd(.none))
    #expect(bench.driver(.reachedEnd(.one)) == ["didPlayToEnd 1"])
    #expect(bench.driver(.reachedEnd(.one)) == [])
  }

  @Test("Media that were cut off play to the end of what is there, and the error log says so once")
  func cutShort() {
    var bench = Bench.playing()
    bench.cutShort()
    #expect(bench.driver(.reachedEnd(.one)).prefix(2) == ["log error 1", "didPlayToEnd 1"])
    bench.send(.play)
    #expect(bench.driver(.reachedEnd(.one)).first == "didPlayToEnd 1")
  }

  @Test("An end before the end of the media says nothing of what is missing there")
  func endTimeOfCutMedia() {
    var bench = Bench.playing()
    bench.cutShort()
    bench.send(.configure(.one, .forwardEnd(CMTime(value: 5, timescale: 1))))
    #expect(bench.driver(.reachedEnd(.one)).first == "didPlayToEnd 1")
    // Where the media ends before that time, something is missing.
    bench.send(.configure(.one, .forwardEnd(CMTime(value: 50, timescale: 1))))
    bench.send(.play)
    #expect(bench.driver(.reachedEnd(.one)).first == "log error 1")
  }

  @Test("After the end with none, choosing pause pauses at once without another notification")
  func noneThenPause() {
    var bench = Bench.playing()
    bench.send(.setActionAtItemEnd(.none))
    bench.driver(.reachedEnd(.one))
    #expect(bench.send(.setActionAtItemEnd(.pause)) == ["rateDidChange endOrStall", "halt", "observe stopped"])
    #expect(bench.shown == "paused 0.0")
  }

  @Test("After the end with none, choosing advance goes on at once")
  func noneThenAdvance() {
    var bench = Bench.queue(2)
    bench.send(.setActionAtItemEnd(.none))
    bench.driver(.reachedEnd(.one))
    #expect(bench.state.queue == [.one, .two])
    bench.send(.setActionAtItemEnd(.advance))
    #expect(bench.state.queue == [.two])
  }

  @Test("Choosing another action before the end does nothing yet")
  func actionBeforeEnd() {
    var bench = Bench.playing()
    bench.send(.setActionAtItemEnd(.none))
    #expect(bench.send(.setActionAtItemEnd(.pause)) == [])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("Only a queue that advances tells the driver what is upcoming")
  func upcoming() {
    var bench = Bench.queue(2)
    #expect(bench.send(.setActionAtItemEnd(.pause)) == ["current 1"])
    #expect(bench.send(.setActionAtItemEnd(.advance)) == ["current 1 then 2"])
  }

  @Test("A gapless joint that the app no longer wanted counts as the end")
  func unwantedJoint() {
    var bench = Bench.queue(2)
    bench.send(.setActionAtItemEnd(.pause))
    bench.driver(.advanced(from: .one, to: .two))
    #expect(bench.actions.contains("didPlayToEnd 1"))
    #expect(bench.actions.contains("current 1"))
    #expect(bench.state.queue == [.one, .two])
    #expect(bench.shown == "paused 0.0")
  }

  // MARK: Queue

  @Test("The first two items of a queue are loaded, later ones when their turn comes near")
  func loading() {
    var bench = Bench()
    bench.insert(1)
    #expect(bench.actions == ["attach 1", "current 1", "observe jumped"])
    bench.insert(2)
    #expect(bench.actions == ["attach 2"])
    bench.insert(3)
    #expect(bench.actions == [])
    bench.send(.advance)
    #expect(bench.actions.contains("attach 3"))
  }

  @Test("insert after an item, without one, and after a stranger")
  func inserting() {
    var bench = Bench()
    bench.insert(1)
    bench.insert(2)
    bench.insert(3, after: 1)
    bench.insert(4, after: 9)
    #expect(bench.state.queue.map(\.number) == [1, 3, 2, 4])
    bench.insert(3)
    #expect(bench.state.queue.map(\.number) == [1, 3, 2, 4])
  }

  @Test("Removing a later item leaves the current one alone")
  func removingLater() {
    var bench = Bench.queue(2)
    bench.send(.remove(.two))
    #expect(bench.actions == ["released 2", "current 1", "detach 2"])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("Removing the current item, or advancing, makes the next one current", arguments: [true, false])
  func removingCurrent(byAdvancing: Bool) {
    var bench = Bench.queue(2)
    bench.send(byAdvancing ? .advance : .remove(.one))
    #expect(bench.state.queue == [.two])
    #expect(!bench.actions.contains("didPlayToEnd 1"))
    bench.driver(.started(.two, rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("removeAll stops; the rate waits for an item")
  func removingAll() {
    var bench = Bench.queue(3)
    bench.send(.removeAll)
    #expect(bench.state.queue == [])
    #expect(bench.actions.contains("halt"))
    #expect(bench.actions.filter { $0.hasPrefix("detach") } == ["detach 2", "detach 1"])
    #expect(bench.shown == "waiting noItemToPlay 1.0")
  }

  @Test("A failed item in a queue that advances is passed over and playing goes on")
  func failedItemPassedOver() {
    var bench = Bench.queue(2)
    bench.driver(.failed(.one, .test))
    #expect(bench.actions.contains("failedToPlayToEnd 1"))
    #expect(bench.state.queue == [.two])
    #expect(bench.state.rate == 1)
  }

  @Test("An item that failed while it was waiting in the queue is passed over when its turn comes")
  func queuedItemFails() {
    var bench = Bench.queue(3)
    bench.driver(.failed(.two, .test))
    #expect(bench.state.queue == [.one, .two, .three])
    bench.driver(.reachedEnd(.one))
    #expect(bench.state.queue == [.three])
    #expect(bench.state.rate == 1)
  }

  @Test("Of several that failed while they were waiting, the next that can be played follows without a break")
  func queuedItemsFailed_theNextFollows() {
    var bench = Bench.queue(4)
    bench.driver(.failed(.two, .test))
    bench.driver(.failed(.three, .test))
    #expect(bench.state.queue == [.one, .two, .three, ItemID(4)])
    #expect(bench.actions.contains { $0.hasPrefix("attach 4") })
    #expect(bench.actions.contains("current 1 then 4"))
    bench.becomeReady(4)
    bench.driver(.advanced(from: .one, to: ItemID(4)))
    #expect(bench.actions.contains("didPlayToEnd 1"))
    #expect(bench.state.queue == [ItemID(4)])
    #expect(bench.state.rate == 1)
  }

  @Test("The last item of a queue stays when it fails, so that its error can be seen")
  func lastItemFails() {
    var bench = Bench.queue(1)
    bench.driver(.failed(.one, .test))
    #expect(bench.state.queue == [.one])
    #expect(bench.shown == "paused 0.0")
    bench.insert(2)
    #expect(bench.state.queue == [.two])
  }

  @Test("P087: playing that stops early goes on with the next item in a queue that advances")
  func playingFailedAdvances() {
    var bench = Bench.queue(2)
    bench.driver(.playingFailed(.one, .test))
    #expect(bench.actions.contains("failedToPlayToEnd 1"))
    #expect(!bench.actions.contains("didPlayToEnd 1"))
    #expect(bench.state.queue == [.two])
  }

  // MARK: Items

  @Test("The current item again is no change")
  func sameItem() {
    var bench = Bench.playing()
    bench.replace(1)
    #expect(bench.actions == [])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("Another item while playing: the old one's reports are old news, the new one plays by itself")
  func anotherItem() {
    var bench = Bench.playing()
    bench.replace(2)
    #expect(
      bench.actions == [
        "released 1", "attach 2", "halt", "current 2", "observe jumped", "detach 1", "arm", "observe stopped",
      ])
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
    for event: DriverEvent in [.reachedEnd(.one), .failed(.one, .test), .stalled(.one), .started(.one, rate: 1)] {
      #expect(bench.driver(event) == [])
    }
    bench.becomeReady(2)
    bench.driver(.started(.two, rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("P085: after 200 quick replacements every item but the last is detached once")
  func quickReplacements() {
    var bench = Bench()
    bench.send(.play)
    var detached: [String] = []
    for number in UInt64(1)...200 {
      bench.replace(number)
      detached += bench.actions.filter { $0.hasPrefix("detach") }
    }
    #expect(detached == (1...199).map { "detach \($0)" })
    bench.becomeReady(200)
    bench.driver(.started(ItemID(200), rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("In a queue, replacing the current item leaves the others")
  func replaceHead() {
    var bench = Bench.queue(2)
    bench.replace(9)
    #expect(bench.state.queue.map(\.number) == [9, 2])
    bench.replace(nil)
    #expect(bench.state.queue == [])
  }

  // MARK: setRate(_:time:atHostTime:)

  @Test("With a host time the item runs at once, whatever is loaded, and the time jumps")
  func synchronizedRate() {
    var bench = Bench()
    bench.send(.setAutomaticallyWaits(false))
    bench.replace(1)
    bench.becomeReady(1, buffer: .dry)
    let host = HostTime(nanoseconds: 500)
    bench.send(.setSynchronizedRate(1, time: CMTime(value: 3, timescale: 1), hostTime: host))
    #expect(
      bench.actions == [
        "rateDidChange setRateCalled", "timeJumped 1", "observe jumped", "run 1.0 from 3.0 at 500", "observe started",
      ])
    #expect(bench.shown == "playing 1.0")
  }

  @Test("Without times it starts from where it is as soon as there is data")
  func synchronizedRateWithoutTimes() {
    var bench = Bench()
    bench.send(.setAutomaticallyWaits(false))
    bench.replace(1)
    bench.becomeReady(1, buffer: .dry)
    #expect(bench.send(.setSynchronizedRate(1, time: .invalid, hostTime: nil)) == ["rateDidChange setRateCalled"])
    #expect(bench.driver(.buffer(.one, .thin)) == ["run 1.0", "observe started"])
  }

  @Test("Before readiness the times are kept; a pause forgets them")
  func synchronizedRateBeforeReady() {
    var bench = Bench()
    bench.send(.setAutomaticallyWaits(false))
    bench.replace(1)
    bench.send(.setSynchronizedRate(1, time: CMTime(value: 3, timescale: 1), hostTime: HostTime(nanoseconds: 5)))
    bench.becomeReady(1)
    #expect(bench.actions.contains("run 1.0 from 3.0 at 5"))
    bench = Bench()
    bench.send(.setAutomaticallyWaits(false))
    bench.replace(1)
    bench.send(.setSynchronizedRate(1, time: CMTime(value: 3, timescale: 1), hostTime: HostTime(nanoseconds: 5)))
    bench.send(.setRate(0))
    bench.becomeReady(1)
    #expect(!bench.actions.contains { $0.hasPrefix("run") })
  }

  @Test("It takes the place of a pending seek, which is answered false once")
  func synchronizedRateDuringSeek() throws {
    var bench = Bench.ready(waits: false)
    bench.seek(5)
    let seek = try #require(bench.lastSeek[.one])
    bench.send(.setSynchronizedRate(1, time: CMTime(value: 3, timescale: 1), hostTime: HostTime(nanoseconds: 5)))
    #expect(bench.actions.contains("complete 1 false"))
    #expect(bench.actions.contains("run 1.0 from 3.0 at 5"))
    #expect(bench.driver(.landed(.one, seek, at: .zero)) == [])
  }

  @Test("Rate 0 with a time pauses and seeks exactly")
  func synchronizedPause() {
    var bench = Bench.playing(waits: false)
    bench.send(.setSynchronizedRate(0, time: CMTime(value: 3, timescale: 1), hostTime: nil))
    #expect(bench.actions.contains("seek 1 to 3.0"))
    #expect(bench.shown == "paused 0.0")
  }
}
