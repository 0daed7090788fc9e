import Combine
import Foundation
import Testing

@Suite struct DemandTests {
  typealias Demand = Subscribers.Demand

  @Test func sumsAndProductsThatNoIntegerHoldsAreUnlimited() {
    #expect(Demand.max(2) + .max(3) == .max(5))
    #expect(Demand.max(.max) + 1 == .unlimited)
    #expect(Demand.max(.max) * 2 == .unlimited)
    #expect(Demand.max(3) * 4 == .max(12))
    #expect(Demand.unlimited + 1 == .unlimited)
    #expect(Demand.unlimited * 0 == .unlimited)
    #expect(Demand.max(1) + .unlimited == .unlimited)
    var demand = Demand.none
    demand += 2
    demand *= 3
    demand -= 1
    demand += Demand.max(5)
    demand -= Demand.max(4)
    #expect(demand == .max(6))
  }

  @Test func nothingMakesUnlimitedLess() {
    #expect(Demand.unlimited - 5 == .unlimited)
    #expect(Demand.unlimited - .unlimited == .unlimited)
    #expect(Demand.max(5) - .unlimited == .none)
    #expect(Demand.max(5) - .max(5) == .none)
  }

  @Test func unlimitedIsMoreThanAnyNumber() {
    #expect(Demand.max(.max) < .unlimited)
    #expect(!(Demand.unlimited < .unlimited))
    #expect(Demand.unlimited > Int.max)
    #expect(!(Demand.unlimited == Int.max))
    #expect(Demand.max(3) <= 3 && Demand.max(3) >= 3 && 3 == Demand.max(3) && 4 > Demand.max(3))
    #expect(Demand.unlimited.max == nil && Demand.max(7).max == 7 && Demand.none.max == 0)
    #expect("\(Demand.unlimited) \(Demand.max(2))" == "unlimited max(2)")
  }

  @Test func demandsBelowZeroEndTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(-1) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - .max(2) }
  }

  @Test func askingForNothingEndsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let recorder = Recorder<Int, Never>(.none)
      Just(1).subscribe(recorder)
      recorder.request(.none)
    }
  }

  @Test func demandsAreCoded() throws {
    for demand in [Demand.unlimited, .none, .max(3)] {
      #expect(try JSONDecoder().decode([Demand].self, from: JSONEncoder().encode([demand])) == [demand])
    }
  }
}
