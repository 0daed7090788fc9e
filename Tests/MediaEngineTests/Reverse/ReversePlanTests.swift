import MediaEngine
import Testing

@testable import MediaEngine

@Suite struct ReversePlanTests {
  private func plan(_ count: Int, capacity: Int, available: Double = 10, speed: Double? = nil) -> ReversePlan {
    ReversePlan(
      times: (0..<Int64(count)).map { 100 + $0 * 10 }, key: 100, capacity: capacity, available: available, speed: speed)
  }

  @Test func aGroupThatFitsIsHeldWhole() {
    let plan = plan(5, capacity: 8)
    #expect(plan.kept == [140, 130, 120, 110, 100])
    #expect(plan.bound == 100 && plan.stride == 1)
  }

  @Test func aLongGroupComesInPiecesFromItsEnd() {
    let plan = plan(100, capacity: 8)
    #expect(plan.kept == stride(from: 1090, through: 1020, by: -10).map { Int64($0) })
    #expect(plan.bound == 1011)
  }

  @Test("What takes longer than it is shown is thinned out evenly, in the end to the key frame")
  func slowDecodingThinsOut() {
    // 13 pieces of 8: 676 frames to decode; at 100 frames a second 6.8 s.
    #expect(plan(100, capacity: 8, available: 10, speed: 100).stride == 1)
    let thinned = plan(100, capacity: 8, available: 4, speed: 100)
    #expect(thinned.stride > 1 && thinned.stride < 100)
    let gaps = zip(thinned.kept, thinned.kept.dropFirst()).map { $0 - $1 }
    #expect(gaps.allSatisfy { $0 == Int64(thinned.stride) * 10 })
    #expect(thinned.bound == (thinned.kept.last ?? 0) - Int64(thinned.stride) * 10 + 1)
    let hopeless = plan(100, capacity: 8, available: 0.5, speed: 100)
    #expect(hopeless.kept == [100] && hopeless.bound == 100)
  }

  @Test func theLessTimeTheWiderTheStride() {
    var last = 1
    for available in stride(from: 10.0, to: 0.1, by: -0.1) {
      let new = ReversePlan.stride(count: 250, capacity: 10, available: available, speed: 300)
      #expect(new >= last)
      last = new
    }
    #expect(last == 250)
  }

  @Test func oneFrameIsAGroup() {
    #expect(plan(1, capacity: 2, available: 0, speed: 1).kept == [100])
  }
}
