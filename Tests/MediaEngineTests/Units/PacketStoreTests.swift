import MediaEngine
import MediaIO
import MediaRuntime
import Testing

/// Groups of five packets, ten ticks each: key frames at 0, 50, 100 …
@Suite struct PacketStoreTests {
  /// What a packet of ten bytes takes.
  private static let cost = 10 + MediaPacket.overhead

  private func packet(_ number: Int, size: Int = 10) -> MediaPacket {
    MediaPacket(
      track: 0, presentationTime: Int64(number) * 10, decodeTime: Int64(number) * 10, duration: 10,
      isKeyframe: number % 5 == 0, size: size, generation: .first, payload: number)
  }

  private func store(_ count: Int, taken: Int = 0, backLimit: Int = 1_000 * cost) -> PacketStore {
    var store = PacketStore(backLimit: backLimit)
    for number in 0..<count { store.append(packet(number)) }
    for _ in 0..<taken { _ = store.take() }
    return store
  }

  @Test("Packets come in order and stay in the back buffer, and every byte is on one side")
  func order() {
    var store = store(12)
    for number in 0..<12 {
      #expect(store.aheadBytes == (12 - number) * Self.cost)
      #expect(store.backBytes == number * Self.cost)
      #expect(store.next?.presentationTime == Int64(number) * 10)
      let taken1 = store.take()
      #expect(taken1?.presentationTime == Int64(number) * 10)
    }
    let taken2 = store.take()
    #expect(taken2 == nil)
    #expect(store.heldBytes == 12 * Self.cost)
    #expect(store.aheadTicks == 0)
    #expect(store.heldTicks == 0..<120)
  }

  @Test("The back buffer is bounded, and what is held then begins at a key frame")
  func bounded() {
    let store = store(20, taken: 20, backLimit: 7 * Self.cost)
    #expect(store.backBytes <= 7 * Self.cost)
    #expect(store.heldTicks == 150..<200)
  }

  @Test("What leaves the back buffer is let go of at once")
  func released() {
    final class Bytes: Sendable {}
    var store = PacketStore(backLimit: 5 * Self.cost)
    weak var first: Bytes?
    for number in 0..<20 {
      let bytes = Bytes()
      if number == 0 { first = bytes }
      var packet = packet(number)
      packet.payload = bytes
      store.append(packet)
    }
    #expect(first != nil)
    for _ in 0..<6 { _ = store.take() }
    #expect(first == nil)
    #expect(store.aheadCount == 14)
  }

  @Test("The place for a time is the last key frame at or before it, ahead or behind")
  func places() throws {
    var store = store(20, taken: 7)
    let behind = try #require(store.keyframe(atOrBefore: 49, hasEnded: false))
    #expect(behind.ticks == 0)
    #expect(!behind.isAhead)
    let ahead = try #require(store.keyframe(atOrBefore: 120, hasEnded: false))
    #expect(ahead.ticks == 100)
    #expect(ahead.isAhead)
    #expect(store.keyframe(atOrBefore: 200, hasEnded: false) == nil)
    #expect(store.keyframe(atOrBefore: 200, hasEnded: true)?.ticks == 150)
    #expect(store.keyframe(atOrBefore: -1, hasEnded: true) == nil)
    let moved6 = store.move(to: ahead)
    #expect(moved6)
    let taken3 = store.take()
    #expect(taken3?.presentationTime == 100)
    let moved7 = store.move(to: behind)
    #expect(moved7)
    let taken4 = store.take()
    #expect(taken4?.presentationTime == 0)
    #expect(store.aheadBytes == 19 * Self.cost)
    #expect(store.backBytes == Self.cost)
  }

  @Test("Of a track that is read past and never decoded, no more is held than the back buffer and a group")
  func passedOver() throws {
    var store = PacketStore(backLimit: 10 * Self.cost)
    for number in 0..<3_000 {
      store.append(packet(number))
      guard number % 5 == 4 else { continue }
      let place = try #require(store.keyframe(atOrBefore: Int64(number) * 10, hasEnded: false))
      let moved = store.move(to: place)
      #expect(moved)
      #expect(store.heldBytes <= 15 * Self.cost)
    }
    #expect(store.heldTicks?.upperBound == 30_000)
  }

  @Test("A place that was let go of can't be moved to")
  func lostPlace() throws {
    var store = store(600, backLimit: 6 * Self.cost)
    let place = try #require(store.keyframe(atOrBefore: 0, hasEnded: false))
    for _ in 0..<590 { _ = store.take() }
    let moved8 = store.move(to: place)
    #expect(!moved8)
    let taken5 = store.take()
    #expect(taken5?.presentationTime == 5_900)
  }

  @Test("A leap goes to the last key frame that is due, else to the next one in sight, and never back")
  func leaps() {
    let store = store(30, taken: 2)
    #expect(store.leap(whenBehind: 10, now: 120, horizon: 200) == nil)
    #expect(store.leap(whenBehind: 70, now: 120, horizon: 200)?.ticks == 100)
    #expect(store.leap(whenBehind: 21, now: 49, horizon: 80)?.ticks == 50)
    #expect(store.leap(whenBehind: 21, now: 40, horizon: 45) == nil)
    #expect(self.store(5, taken: 2).leap(whenBehind: 1_000, now: 1_000, horizon: 2_000) == nil)
  }

  @Test("The next presentation is certain once reordering can bring no earlier one")
  func nextPresentation() {
    let short = store(10, taken: 3)
    #expect(short.nextPresentation(after: 20, hasEnded: false).ticks == 30)
    #expect(!short.nextPresentation(after: 20, hasEnded: false).isCertain)
    #expect(short.nextPresentation(after: 20, hasEnded: true).isCertain)
    #expect(store(40, taken: 3).nextPresentation(after: 20, hasEnded: false).isCertain)
    #expect(short.nextPresentation(after: 90, hasEnded: true).ticks == nil)
    #expect(short.hasPresentation(after: 20, notAfter: 30))
    #expect(!short.hasPresentation(after: 30, notAfter: 39))
    #expect(short.presentation(2, before: 50) == 30)
    #expect(short.presentation(9, before: 50) == nil)
  }

  @Test("Reading on comes to a time that lies within the current group or right behind it")
  func readingOn() {
    let store = store(12)
    #expect(!store.isReachedByReadingOn(100, reach: 5))
    #expect(store.isReachedByReadingOn(149, reach: 5))
    #expect(!store.isReachedByReadingOn(400, reach: 5))
    #expect(store.isReachedByReadingOn(124, reach: 5))
  }

  @Test("Packets of no bytes are bounded too, and no time that an app may ask for is too far to compare")
  func edges() {
    var store = PacketStore(backLimit: 100 * MediaPacket.overhead)
    for number in 0..<1_000 {
      store.append(packet(number, size: 0))
      _ = store.take()
    }
    #expect(store.heldBytes <= 100 * MediaPacket.overhead)
    var far = PacketStore(backLimit: 10_000)
    for time in [MediaPacket.ticks.lowerBound, MediaPacket.ticks.upperBound] {
      far.append(
        MediaPacket(
          track: 0, presentationTime: time, decodeTime: time, duration: MediaPacket.durations.upperBound,
          isKeyframe: true, size: 1, generation: .first, payload: 0))
    }
    #expect(far.isReachedByReadingOn(.max, reach: 10) == false)
    var early = PacketStore(backLimit: 10_000)
    early.append(packet(-10))
    #expect(early.isReachedByReadingOn(.max, reach: 10) == false)
  }

  @Test("Emptied, it forgets all but the length of groups")
  func emptied() {
    var store = store(12, taken: 3)
    store.removeAll()
    #expect(store.heldBytes == 0)
    #expect(store.heldTicks == nil)
    #expect(store.next == nil)
    #expect(store.keyframe(atOrBefore: 1_000, hasEnded: true) == nil)
    store.append(packet(40))
    #expect(store.heldTicks == 400..<410)
  }
}
