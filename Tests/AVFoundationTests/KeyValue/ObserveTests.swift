@testable import AVFoundation
import Dispatch
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// Does something in the middle of a reading, once: where another thread may come in between.
private final class Interrupted: AVPlayerItem, @unchecked Sendable {
  private nonisolated let interruption = Lock<(@Sendable () -> Void)?>(nil)

  nonisolated func interrupt(_ body: @escaping @Sendable () -> Void) { interruption.withLock { $0 = body } }

  override var preferredForwardBufferDuration: TimeInterval {
    get {
      let value = super.preferredForwardBufferDuration
      let body = interruption.withLock { interruption in
        defer { interruption = nil }
        return interruption
      }
      body?()
      return value
    }
    set { super.preferredForwardBufferDuration = newValue }
  }
}

/// A layer as any thread's.
private struct SharedLayer: @unchecked Sendable {
  let layer = AVPlayerLayer()
}

private final class Subclass: AVPlayer {
  override var rate: Float {
    get { super.rate }
    set { super.rate = newValue }
  }
}

/// `observe(_:options:changeHandler:)` on players and items.
@Suite struct ObserveTests {
  @Test func theCallersOwnChangeIsToldBeforeTheSetterReturns() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      let record = Record()
      let thread = CallingThread.id
      let token = player.observe(\.rate, options: [.old, .new]) { player, change in
        record.note(
          "\(change.oldValue ?? -1) to \(change.newValue ?? -1), reads \(player.rate), \(CallingThread.id == thread)")
      }
      player.rate = 1
      #expect(record.all == ["0.0 to 1.0, reads 1.0, true"])
      player.rate = 1
      player.pause()
      #expect(record.all.count == 2)
      #expect(record.all.last == "1.0 to 0.0, reads 0.0, true")
      token.invalidate()
    }
  }

  @Test func initialAndPriorCallInTheirOrder() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      let record = Record()
      let token = player.observe(\.volume, options: [.initial, .prior, .old, .new]) { player, change in
        record.note(
          "\(change.isPrior) \(String(describing: change.oldValue)) \(String(describing: change.newValue)) \(player.volume)"
        )
      }
      player.volume = 0.5
      #expect(
        record.all == [
          "false nil Optional(1.0) 1.0", "true Optional(1.0) nil 1.0", "false Optional(1.0) Optional(0.5) 0.5",
        ])
      token.invalidate()
    }
  }

  @Test func withoutOptionsNoValuesAreGiven() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      let record = Record()
      let token = player.observe(\.isMuted) { _, change in
        record.note("\(change.oldValue == nil) \(change.newValue == nil) \(change.kind == .setting)")
      }
      player.isMuted = true
      #expect(record.all == ["true true true"])
      token.invalidate()
    }
  }

  @Test func invalidatingAndForgettingEndTheCalls() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      let record = Record()
      let token = player.observe(\.rate) { _, _ in record.note("kept") }
      do {
        let forgotten = player.observe(\.rate) { _, _ in record.note("forgotten") }
        withExtendedLifetime(forgotten) { player.rate = 1 }
      }
      player.rate = 2
      token.invalidate()
      player.rate = 1
      #expect(record.count("kept") == 2)
      #expect(record.count("forgotten") == 1)
    }
  }

  @Test func subclassesAreObservedThroughTheirOverrides() async throws {
    try await Stage.run(.fake) { _ in
      let player = Subclass()
      let record = Record()
      let token = player.observe(\.rate, options: [.new]) { player, change in
        record.note("\(type(of: player)) \(change.newValue ?? -1)")
      }
      player.play()
      #expect(record.all == ["Subclass 1.0"])
      token.invalidate()
    }
  }

  @Test func aChainIsFollowedToItsNewEnd() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVPlayer()
      let record = Record()
      let token = player.observe(\.currentItem?.status, options: [.initial, .new]) { _, change in
        record.note(change.newValue.flatMap { $0 }.map { "\($0.rawValue)" } ?? "none")
      }
      #expect(record.all == ["none"])
      let first = AVPlayerItem(url: stage.url)
      player.replaceCurrentItem(with: first)
      #expect(record.all == ["none", "0"])
      await stage.until("ready") { record.all.last == "1" }
      let second = AVPlayerItem(url: stage.url)
      player.replaceCurrentItem(with: second)
      #expect(record.all == ["none", "0", "1", "0"])
      await stage.until("ready again") { record.all.last == "1" }
      #expect(record.all == ["none", "0", "1", "0", "1"])
      token.invalidate()
    }
  }

  @Test func rateReasonAndStatusAreToldInThisOrder() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVPlayer(url: stage.url)
      let record = Record()
      let tokens = [
        player.observe(\.timeControlStatus) { player, _ in record.note("control \(player.timeControlStatus.rawValue)")
        },
        player.observe(\.reasonForWaitingToPlay) { _, _ in record.note("reason") },
        player.observe(\.rate) { _, _ in record.note("rate") },
      ]
      player.play()
      #expect(record.all == ["rate", "reason", "control 1"])
      await stage.until("playing") { record.all.last == "control 2" }
      tokens.forEach { $0.invalidate() }
    }
  }

  @Test func whatTheEngineChangesIsToldOnTheMainQueue() async throws {
    try await Stage.run(.fake) { stage in
      let item = AVPlayerItem(url: stage.url)
      let record = Record()
      let token = item.observe(\.status) { _, _ in
        MainActor.assumeIsolated { record.note("status") }
      }
      let player = AVPlayer(playerItem: item)
      await stage.until("told") { record.all == ["status"] }
      token.invalidate()
      _ = player
    }
  }

  @Test func aHandlerMayChangeWhatItObserves() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      let record = Record()
      let token = player.observe(\.volume, options: [.old, .new]) { player, change in
        record.note("\(change.oldValue ?? -1) to \(change.newValue ?? -1)")
        if player.volume > 0.5 { player.volume = 0.5 }
      }
      player.volume = 0.75
      #expect(record.all == ["1.0 to 0.75", "0.75 to 0.5"])
      token.invalidate()
    }
  }

  @Test func theObserverDoesNotKeepTheObjectAlive() async throws {
    try await Stage.run(.fake) { _ in
      weak var seen: AVPlayer?
      let token: NSKeyValueObservation
      do {
        let player = AVPlayer()
        seen = player
        token = player.observe(\.rate) { _, _ in }
      }
      #expect(seen == nil)
      token.invalidate()
    }
  }

  @Test func aPropertysValuesAreASequence() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      var values = player.values(for: \.rate).makeAsyncIterator()
      player.rate = 1
      player.rate = 0
      #expect(await values.next() == 0)
      #expect(await values.next() == 1)
      #expect(await values.next() == 0)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func theSequenceEndsWithItsObject() async throws {
    try await Stage.run(.fake) { stage in
      var item: AVPlayerItem? = AVPlayerItem(url: stage.url)
      var values = try #require(item?.values(for: \.status)).makeAsyncIterator()
      // Nothing observable is read on this way.
      var names = try #require(item?.values(for: \.automaticallyLoadedAssetKeys)).makeAsyncIterator()
      item = nil
      let first = await values.next()
      let second = await values.next()
      #expect(first == .unknown && second == nil)
      let list = await names.next()
      let end = await names.next()
      #expect(list == ["duration"] && end == nil)
    }
  }

  @Test func aSequenceThatIsLeftLeavesNothingWithItsObject() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVPlayer()
      for await rate in player.values(for: \.rate) {
        #expect(rate == 0)
        break
      }
      #expect(player.observers.isEmpty)
    }
  }

  @Test func aChangeBetweenReadingAndRegisteringIsNotLost() async throws {
    try await Stage.run(.fake) { stage in
      let item = Interrupted(url: stage.url)
      item.interrupt { item.preferredForwardBufferDuration = 5 }
      let record = Record()
      let token = item.observe(\.preferredForwardBufferDuration, options: [.initial, .new]) { _, change in
        record.note("\(change.newValue ?? -1)")
      }
      #expect(record.all.last == "5.0")
      token.invalidate()
    }
  }

  @Test func aChangeAtTheNewEndOfAChainIsNotLost() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVPlayer()
      let record = Record()
      let token = player.observe(\.currentItem?.preferredForwardBufferDuration, options: [.new]) { _, change in
        record.note("\(change.newValue.flatMap { $0 } ?? -1)")
      }
      let item = Interrupted(url: stage.url)
      item.interrupt { item.preferredForwardBufferDuration = 5 }
      player.replaceCurrentItem(with: item)
      #expect(record.all.last == "5.0")
      item.preferredForwardBufferDuration = 6
      #expect(record.all.last == "6.0")
      token.invalidate()
    }
  }

  @Test func whatAnotherThreadChangesMeanwhileIsToldAfterwards() async throws {
    try await Stage.run(.fake) { _ in
      let shared = SharedLayer()
      let record = Record()
      let token = shared.layer.observe(\.videoGravity, options: [.initial, .new]) { _, change in
        record.note("begin \(change.newValue?.rawValue ?? "")")
        if record.all.count == 1 {
          let hasSet = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            shared.layer.videoGravity = .resize
            hasSet.signal()
          }
          hasSet.wait()
        }
        record.note("end")
      }
      let (aspect, fill) = (AVLayerVideoGravity.resizeAspect.rawValue, AVLayerVideoGravity.resize.rawValue)
      #expect(record.all == ["begin \(aspect)", "end", "begin \(fill)", "end"])
      // And what the handler's own thread changes is told at once again.
      shared.layer.videoGravity = .resizeAspect
      #expect(record.all.suffix(2) == ["begin \(aspect)", "end"])
      token.invalidate()
    }
  }

  @Test func theItemThatWasIsToldThoughNothingElseKeepsIt() async throws {
    try await Stage.run(.fake) { stage in
      let player = AVPlayer()
      let place = Lock<AVPlayerItem?>(AVPlayerItem(url: stage.url))
      let record = Record()
      let token = player.observe(\.currentItem, options: [.initial, .old]) { player, change in
        guard record.all.isEmpty else { return record.note(change.oldValue == .some(nil) ? "none" : "an item") }
        record.note("initial")
        // Another thread tells of an item that is in no queue any more.
        let hasTold = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          let item = place.withLock { item in
            defer { item = nil }
            return item
          }
          guard let item else { return }
          var old = player.core.snapshot
          old.items = [item.core]
          player.notify([.currentItem], old: old, new: player.core.snapshot, keeping: [item])
          hasTold.signal()
        }
        hasTold.wait()
      }
      #expect(record.all == ["initial", "an item"])
      token.invalidate()
    }
  }

  @Test func whatTellsOfNoChangesIsWarnedOf() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await Stage.run(.fake) { stage in
        let item = AVPlayerItem(url: stage.url)
        let tokens = [
          item.observe(\.preferredPeakBitRate) { _, _ in }, item.observe(\.duration) { _, _ in },
        ]
        tokens.forEach { $0.invalidate() }
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("from AVPlayerItem to Double can't be observed"))
    #expect(!text.contains("to CMTime can't"))
  }

  @Test func aTokenThatIsLetGoOfWhileItsPlayerLivesIsWarnedOf() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await Stage.run(.fake) { stage in
        func add(to player: AVPlayer) -> Any {
          player.addPeriodicTimeObserver(forInterval: seconds(1), queue: nil) { _ in }
        }
        let player = AVPlayer()
        player.removeTimeObserver(add(to: player))
        let kept = add(to: AVPlayer())
        await stage.sleep(10)
        FileHandle.standardError.write(Data("now\n".utf8))
        _ = add(to: player)
        withExtendedLifetime((kept, player)) {}
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let parts = text.split(separator: "now\n", maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    #expect(!parts[0].contains("time observer has ended"))
    #expect(parts[1].components(separatedBy: "time observer has ended").count == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func aSequenceOfAnObjectsNotificationsEndsWithIt() async throws {
    try await Stage.run(.fake) { stage in
      let name = AVPlayer.rateDidChangeNotification
      var player: AVPlayer? = AVPlayer()
      let gone = Weak(try #require(player))
      let other = AVPlayer()
      var posts = NotificationCenter.default.notifications(named: name, object: player).makeAsyncIterator()
      other.rate = 2
      player?.rate = 1
      let isTheirs = await posts.next()?.object as? AVPlayer === player
      #expect(isTheirs)
      player = nil
      let end = await posts.next()
      #expect(end == nil && gone.isGone)
    }
    // Of an object whose end nobody tells, at the next notification.
    let center = NotificationCenter()
    let name = Notification.Name("a name")
    var object: NSObject? = NSObject()
    weak let seen = object
    var posts = center.notifications(named: name, object: object).makeAsyncIterator()
    object = nil
    #expect(seen == nil)
    center.post(name: name, object: nil)
    let end = await posts.next()
    #expect(end == nil)
  }

  @Test func aSequenceThatIsLeftLeavesNothingInItsObjectNorInTheCentre() async throws {
    try await Stage.run(.fake) { _ in
      let player = AVPlayer()
      for _ in 0..<3 {
        _ = NotificationCenter.default.notifications(named: AVPlayer.rateDidChangeNotification, object: player)
      }
      #expect(player.observers.endingCount == 0)
    }
  }

  @Test func notificationsAreASequence() async throws {
    let center = NotificationCenter()
    let name = Notification.Name("a name")
    let sequence = center.notifications(named: name)
    var iterator = sequence.makeAsyncIterator()
    for number in 1...3 { center.post(name: name, object: nil, userInfo: ["number": number]) }
    for number in 1...3 { #expect(await iterator.next()?.userInfo?["number"] as? Int == number) }
    let waiting = Task { await center.notifications(named: name).first { _ in true } == nil }
    waiting.cancel()
    #expect(await waiting.value)
  }
}
