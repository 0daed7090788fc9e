import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("State machine: seeks, steps, prerolls")
struct StateMachineSeekTests {
  typealias Bench = StateMachineBench

  @Test("Without an item a seek is answered false at once")
  func seekWithoutItem() {
    var bench = Bench()
    bench.seek(5)
    #expect(bench.actions == ["complete 1 false"])
  }

  @Test("A seek is answered true when it lands, after the notification")
  func seekLands() {
    var bench = Bench.ready()
    bench.seek(5)
    #expect(bench.actions == ["seek 1 to 5.0"])
    #expect(bench.land() == ["timeJumped 1", "observe jumped", "complete 1 true"])
    #expect(bench.shown == "paused 0.0")
  }

  @Test("A newer seek answers the older one false at once, and only the newer one's landing counts")
  func superseded() throws {
    var bench = Bench.ready()
    bench.seek(5)
    let old = try #require(bench.lastSeek[.one])
    bench.seek(6)
    #expect(bench.actions == ["complete 1 false", "seek 1 to 6.0"])
    #expect(bench.driver(.landed(.one, old, at: .zero)) == [])
    #expect(bench.land().contains("complete 2 true"))
  }

  @Test("P075: of 300 seeks in a row 299 are answered false, the last one true")
  func scrubbing() {
    var bench = Bench.playing()
    var answers: [String] = []
    for index in 0..<300 {
      bench.seek(Double(index % 90) / 10)
      answers += bench.actions.filter { $0.hasPrefix("complete") }
    }
    answers += bench.land().filter { $0.hasPrefix("complete") }
    #expect(answers.count == 300)
    #expect(answers.filter { $0.hasSuffix("false") }.count == 299)
    #expect(answers.last == "complete 300 true")
    #expect(bench.shown == "playing 1.0")
  }

  @Test("cancelPendingSeeks answers false at once; the landing is notified but not answered again")
  func cancelled() {
    var bench = Bench.ready()
    bench.seek(5)
    #expect(bench.send(.cancelSeeks(.one)) == ["complete 1 false"])
    #expect(bench.send(.cancelSeeks(.one)) == [])
    #expect(bench.land() == ["timeJumped 1", "observe jumped"])
  }

  @Test("Taking the item away answers false", arguments: [UInt64?.none, 2])
  func itemTaken(next: UInt64?) {
    var bench = Bench.ready()
    bench.seek(5)
    bench.replace(next)
    #expect(bench.actions.contains("complete 1 false"))
    #expect(bench.land() == [])
  }

  @Test("The driver is told whether time will stand behind a seek")
  func pausedSeeks() {
    var paused = Bench.ready()
    paused.seek(5)
    #expect(paused.lastRequest?.isPaused == true)
    var playing = Bench.playing()
    playing.seek(5)
    #expect(playing.lastRequest?.isPaused == false)
    playing.send(.setRate(0))
    playing.seek(6)
    #expect(playing.lastRequest?.isPaused == true)
    // Playing comes to it soon.
    var queue = Bench.queue(2)
    queue.send(.setRate(0))
    queue.seek(5, item: 2)
    #expect(queue.lastRequest?.isPaused == false)
  }

  @Test("A seek of an item that is not in the queue is answered false")
  func foreignItem() {
    var bench = Bench.ready()
    bench.seek(5, item: 9)
    #expect(bench.actions == ["complete 1 false"])
  }

  @Test("A seek of a failed item is answered false, and so is one pending when it fails")
  func failedItem() {
    var bench = Bench.ready()
    bench.seek(5)
    bench.driver(.failed(.one, .test))
    #expect(bench.actions.contains("complete 1 false"))
    bench.seek(5)
    #expect(bench.actions == ["complete 2 false"])
  }

  @Test("A time that is no time is answered false", arguments: [CMTime.invalid, .indefinite])
  func noTime(time: CMTime) {
    var bench = Bench.ready()
    bench.seek(to: time)
    #expect(bench.actions == ["complete 1 false"])
  }

  // MARK: Clamping

  @Test("Targets are clamped into the seekable ranges")
  func clamping() {
    var bench = Bench.ready()
    bench.seek(99)
    #expect(bench.actions == ["seek 1 to 10.0"])
    bench.seek(-5)
    #expect(bench.actions.last == "seek 1 to 0.0")
    bench.seek(to: .negativeInfinity)
    #expect(bench.actions.last == "seek 1 to 0.0")
    bench.seek(to: .positiveInfinity)
    #expect(bench.actions.last == "seek 1 to inf")
  }

  @Test("An item that can't be sought answers false, except within what is loaded")
  func unseekable() {
    var bench = Bench()
    bench.replace(1)
    bench.driver(.opened(.one, .fake(isSeekable: false)))
    var buffer = BufferState.thin
    buffer.seekableRanges = []
    bench.driver(.buffer(.one, buffer))
    bench.driver(.ready(.one))
    bench.seek(5)
    #expect(bench.actions == ["complete 1 false"])
    bench.seek(0.25)
    #expect(bench.actions == ["seek 1 to 0.25"])
    bench.seek(5)
    #expect(bench.actions == ["complete 3 false"])
    #expect(bench.land().contains("complete 2 true"))
  }

  // MARK: Before ready

  @Test("P079: a seek before ready becomes the start position; the last one wins, each is answered once")
  func beforeReady() {
    var bench = Bench()
    bench.replace(1)
    bench.seek(3)
    #expect(bench.actions == ["seek 1 to 3.0"])
    bench.seek(4)
    #expect(bench.actions == ["complete 1 false", "seek 1 to 4.0"])
    bench.driver(.opened(.one, .fake()))
    #expect(bench.land() == ["timeJumped 1", "observe jumped", "complete 2 true"])
    #expect(bench.driver(.ready(.one)) == [])
    #expect(bench.values()?.status == .readyToPlay)
  }

  @Test("A seek before ready whose readiness was already on its way is answered by its landing")
  func beforeReadyCrossing() {
    var bench = Bench()
    bench.replace(1)
    bench.seek(3)
    bench.driver(.ready(.one))
    #expect(bench.actions == [])
    #expect(bench.land().contains("complete 1 true"))
  }

  @Test("A seek from before the player goes along with the attachment and is answered at readiness at the latest")
  func beforeAttachment() {
    var bench = Bench()
    let seek = SeekCommand(target: CMTime(value: 3, timescale: 1), completion: CompletionID(7))
    bench.send(.replaceCurrent(ItemSeed(id: .one, startSeek: seek)))
    #expect(bench.actions == ["attach 1 at 3.0", "current 1", "observe jumped"])
    bench.driver(.opened(.one, .fake()))
    #expect(bench.driver(.ready(.one)) == ["timeJumped 1", "observe jumped", "complete 7 true"])
  }

  @Test("A seek of an item far back in the queue is kept for its attachment and answered at once")
  func farBack() {
    var bench = Bench()
    for number in UInt64(1)...3 { bench.insert(number) }
    bench.seek(5, item: 3)
    #expect(bench.actions == ["complete 1 true"])
    bench.seek(3, item: 3)
    #expect(bench.actions == ["complete 2 true"])
    bench.send(.advance)
    #expect(bench.actions.contains("attach 3 at 3.0"))
  }

  @Test("P077: a seek past the end while loading does not end anything")
  func pastEndWhileLoading() {
    var bench = Bench()
    bench.replace(1)
    bench.send(.play)
    bench.seek(99)
    #expect(bench.driver(.reachedEnd(.one)) == [])
    #expect(bench.shown == "waiting evaluatingBufferingRate 1.0")
  }

  // MARK: At the end

  @Test("P077: a seek back from the end clears it, and the end comes again after playing")
  func seekBackFromEnd() {
    var bench = Bench.playing()
    for _ in 0..<50 {
      bench.driver(.reachedEnd(.one))
      #expect(bench.actions.contains("didPlayToEnd 1"))
      bench.seek(0)
      bench.land()
      bench.send(.play)
      #expect(bench.actions.contains("run 1.0"))
      bench.driver(.started(.one, rate: 1))
      #expect(bench.shown == "playing 1.0")
    }
  }

  @Test("P083: a seek at the end never changes the rate")
  func seekAtEnd() {
    var bench = Bench.playing()
    bench.driver(.reachedEnd(.one))
    bench.seek(0)
    #expect(bench.land() == ["timeJumped 1", "observe jumped", "complete 1 true"])
    #expect(bench.shown == "paused 0.0")
  }

  @Test("An end reported before a seek that overtook it counts no more")
  func staleEnd() {
    var bench = Bench.playing()
    bench.seek(0)
    #expect(bench.driver(.reachedEnd(.one)) == [])
    bench.land()
    bench.driver(.started(.one, rate: 1))
    #expect(bench.shown == "playing 1.0")
  }

  @Test("A seek to the end while paused is no end; while playing the driver's end follows")
  func seekToEnd() {
    var bench = Bench.ready()
    bench.seek(10)
    bench.land()
    #expect(bench.driver(.reachedEnd(.one)) == [])
    bench.send(.play)
    bench.seek(10)
    bench.land()
    #expect(bench.driver(.reachedEnd(.one)).contains("didPlayToEnd 1"))
  }

  // MARK: Steps

  @Test("A step moves time without a notification and supersedes a seek")
  func step() {
    var bench = Bench.ready()
    bench.seek(5)
    #expect(bench.send(.step(.one, 1)) == ["complete 1 false", "step 1 by 1"])
    #expect(bench.land() == ["observe jumped"])
  }

  @Test("A step while playing does nothing")
  func stepWhilePlaying() {
    var bench = Bench.playing()
    #expect(bench.send(.step(.one, 1)) == [])
  }

  // MARK: Prerolls

  @Test("A preroll is sent at rate 0 and answered by the driver", arguments: [true, false])
  func preroll(finished: Bool) {
    var bench = Bench.ready()
    bench.preroll(1)
    #expect(bench.actions == ["preroll 1 1.0"])
    #expect(bench.driver(.prerolled(.one, finished: finished)) == ["complete 1 \(finished)"])
    #expect(bench.driver(.prerolled(.one, finished: true)) == [])
  }

  @Test("A preroll before readiness waits for it")
  func prerollBeforeReady() {
    var bench = Bench()
    bench.replace(1)
    bench.preroll(1)
    #expect(bench.actions == [])
    bench.becomeReady(1)
    #expect(bench.actions == ["preroll 1 1.0"])
  }

  @Test("A preroll without an item, or while playing, is answered false")
  func prerollRefused() {
    var bench = Bench()
    bench.preroll(1)
    #expect(bench.actions == ["complete 1 false"])
    bench = .playing()
    bench.preroll(1)
    #expect(bench.actions == ["complete 1 false"])
  }

  @Test("Seek, another rate, another item, another preroll and cancelling each answer a preroll false")
  func prerollInterrupted() {
    let interruptions: [(inout StateMachineBench) -> Void] = [
      { $0.seek(5) }, { $0.send(.setRate(2)) }, { $0.replace(2) }, { $0.preroll(1) }, { $0.send(.cancelPrerolls) },
      { $0.driver(.failed(.one, .test)) },
    ]
    for interrupt in interruptions {
      var bench = Bench.ready()
      bench.preroll(1)
      interrupt(&bench)
      #expect(bench.actions.contains("complete 1 false"))
    }
  }

  @Test("Playing at the rate that was prerolled for is no interruption")
  func prerollThenPlay() {
    var bench = Bench.ready()
    bench.preroll(1)
    bench.send(.play)
    #expect(!bench.actions.contains("complete 1 false"))
    #expect(bench.driver(.started(.one, rate: 1)).contains("complete 1 true"))
  }
}
