import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("State machine: readiness of player and item")
struct StateMachineReadinessTests {
  typealias Bench = StateMachineBench

  @Test("A player is unknown until it has tried to load something")
  func playerStatus() {
    var bench = Bench()
    #expect(bench.state.status == .unknown)
    bench.replace(1)
    #expect(bench.state.status == .unknown)
    bench.driver(.opened(.one, .fake()))
    #expect(bench.state.status == .readyToPlay)
  }

  @Test("An item that fails makes the player ready all the same, never failed")
  func playerStatusAfterFailure() {
    var bench = Bench()
    bench.replace(1)
    bench.driver(.failed(.one, .test))
    #expect(bench.state.status == .readyToPlay)
    #expect(bench.values()?.status == .failed)
  }

  @Test("A new item shows nothing of its media")
  func valuesBefore() throws {
    var bench = Bench()
    bench.replace(1)
    bench.driver(.opened(.one, .fake()))
    bench.driver(.buffer(.one, .whole))
    let values = try #require(bench.values())
    #expect(values.status == .unknown)
    #expect(values.duration.isIndefinite)
    #expect(values.tracks.isEmpty && values.presentationWidth == 0)
    #expect(values.loadedTimeRanges.isEmpty && values.seekableTimeRanges.isEmpty && values.isBufferEmpty)
    #expect(!values.canStepForward && !values.canPlayFastForward)
  }

  @Test("All values turn right in the transition that makes the item ready")
  func valuesWhenReady() throws {
    let bench = Bench.ready()
    let values = try #require(bench.values())
    #expect(values.status == .readyToPlay)
    #expect(values.duration == CMTime(value: 10, timescale: 1))
    #expect(values.tracks.map(\.isEnabled) == [true, true, false])
    #expect(values.presentationWidth == 640 && values.presentationHeight == 360)
    #expect(values.loadedTimeRanges.count == 1 && !values.isBufferEmpty && values.isLikelyToKeepUp)
    #expect(values.canStepForward && values.canPlaySlowForward && values.canPlayFastForward)
    #expect(!values.canPlayReverse && !values.canPlaySlowReverse && !values.canPlayFastReverse)
    #expect(values.selectedTracks[.audio] == .some(2))
  }

  @Test("An item becomes ready without play, and the player stays paused")
  func readyWhilePaused() {
    let bench = Bench.ready()
    #expect(bench.shown == "paused 0.0")
  }

  @Test("Sound alone has no size and can't be stepped")
  func soundAlone() throws {
    var bench = Bench()
    bench.replace(1)
    bench.driver(.opened(.one, .fake(video: false)))
    bench.driver(.ready(.one))
    let values = try #require(bench.values())
    #expect(values.presentationWidth == 0 && !values.canStepForward)
  }

  @Test("Readiness comes once")
  func readyOnce() {
    var bench = Bench.ready()
    #expect(bench.driver(.ready(.one)) == [])
    #expect(bench.machine.changedItems == [])
  }

  @Test("A failure is final")
  func failureIsFinal() {
    var bench = Bench()
    bench.replace(1)
    #expect(bench.driver(.failed(.one, .test)) == ["log error 1", "current none", "observe jumped", "detach 1"])
    #expect(bench.driver(.failed(.one, .test)) == [])
    bench.becomeReady(1)
    #expect(bench.values()?.status == .failed)
    #expect(bench.values()?.error?.code == .containerDamaged)
  }

  @Test("A failure while loading ends the wish to play without failedToPlayToEnd")
  func failureWhileLoading() {
    var bench = Bench()
    bench.replace(1)
    bench.send(.play)
    bench.driver(.failed(.one, .test))
    #expect(bench.actions.contains("rateDidChange endOrStall"))
    #expect(!bench.actions.contains("failedToPlayToEnd 1"))
    #expect(bench.shown == "paused 0.0")
  }

  @Test("A failure while playing stops, pauses and is notified once")
  func failureWhilePlaying() {
    var bench = Bench.playing()
    bench.driver(.failed(.one, .test))
    #expect(
      bench.actions == [
        "log error 1", "failedToPlayToEnd 1", "rateDidChange endOrStall", "halt", "current none", "observe jumped",
        "detach 1", "observe stopped",
      ])
    #expect(bench.shown == "paused 0.0")
    #expect(bench.values()?.status == .failed)
  }

  @Test("play with a failed item is refused")
  func playFailedItem() {
    var bench = Bench()
    bench.replace(1)
    bench.driver(.failed(.one, .test))
    #expect(bench.send(.play) == ["rateDidChange setRateFailed"])
    #expect(bench.shown == "paused 0.0")
  }

  @Test("Playing that stops early leaves the item ready")
  func playingFailed() {
    var bench = Bench.playing()
    #expect(
      bench.driver(.playingFailed(.one, .test)) == [
        "log error 1", "failedToPlayToEnd 1", "rateDidChange endOrStall", "halt", "observe stopped",
      ])
    #expect(bench.shown == "paused 0.0")
    #expect(bench.values()?.status == .readyToPlay)
  }

  @Test("A failed item that becomes current again stays failed and is never loaded")
  func failedItemAgain() {
    var bench = Bench()
    var values = ItemSnapshot()
    values.status = .failed
    bench.send(.replaceCurrent(ItemSeed(id: .one, values: values)))
    #expect(bench.actions == [])
    #expect(bench.values()?.status == .failed)
  }

  @Test("A duration that is corrected while playing is shown")
  func descriptionChanges() {
    var bench = Bench.playing()
    bench.driver(.descriptionChanged(.one, .fake(duration: CMTime(value: 11, timescale: 1))))
    #expect(bench.values()?.duration == CMTime(value: 11, timescale: 1))
    #expect(bench.machine.changedItems == [.one])
  }

  @Test("Buffer values follow the driver and an unchanged state changes nothing")
  func bufferValues() {
    var bench = Bench.ready()
    bench.driver(.buffer(.one, .thin))
    #expect(bench.values()?.isLikelyToKeepUp == false)
    bench.driver(.buffer(.one, .thin))
    #expect(bench.machine.changedItems == [])
  }

  @Test("The shown frame rate belongs to the enabled video track")
  func frameRate() {
    var bench = Bench.playing()
    bench.driver(.frameRate(.one, 25))
    #expect(bench.values()?.tracks.map(\.currentFrameRate) == [25, 0, 0])
  }

  // MARK: Settings

  @Test("Settings go to the driver and are shown")
  func settings() throws {
    var bench = Bench.ready()
    let end = CMTime(value: 5, timescale: 1)
    #expect(bench.send(.configure(.one, .forwardEnd(end))) == ["reconfigure 1"])
    #expect(bench.send(.configure(.one, .enable(track: 1, false))) == ["reconfigure 1"])
    #expect(bench.send(.configure(.one, .select(track: 3, .audio))) == ["mediaSelectionDidChange 1", "reconfigure 1"])
    let values = try #require(bench.values())
    #expect(values.forwardEndTime == end)
    #expect(values.tracks.map(\.isEnabled) == [false, false, true])
    #expect(values.selectedTracks[.audio] == .some(3))
  }

  @Test("Settings of an item that is not loaded yet go along with its attachment")
  func settingsBeforeLoading() {
    var bench = Bench()
    for number in UInt64(1)...3 { bench.insert(number) }
    #expect(bench.send(.configure(.three, .preferredForwardBuffer(seconds: 5))) == [])
    #expect(bench.values(3)?.preferredForwardBufferDuration == 5)
  }

  @Test("Volume is clamped, mute keeps it, and only what is heard goes to the driver")
  func gain() {
    var bench = Bench()
    #expect(bench.send(.setVolume(2)) == [])
    #expect(bench.send(.setVolume(0.5)) == ["gain 0.5"])
    #expect(bench.send(.setMuted(true)) == ["gain 0.0"])
    #expect(bench.send(.setVolume(0.25)) == [])
    #expect(bench.send(.setMuted(false)) == ["gain 0.25"])
    #expect(bench.send(.setVolume(.nan)) == [])
    #expect(bench.state.volume == 0.25)
  }

  // MARK: Closing

  @Test("Closing answers what is pending, frees the items and ends the driver")
  func closing() {
    var bench = Bench.ready()
    let seek = bench.seek(5)
    let preroll = bench.preroll(1)
    #expect(
      bench.send(.close) == [
        "complete \(seek) false", "released 1", "complete \(preroll) false", "current none", "detach 1", "close",
      ])
    let late = bench.seek(1)
    #expect(bench.actions == ["complete \(late) false"])
    #expect(bench.driver(.landed(.one, SeekID(1), at: .zero)) == [])
    #expect(bench.send(.play) == [])
  }
}
