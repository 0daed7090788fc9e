import MediaRuntime
import Synchronization
import Testing

@Suite struct RealSchedulerOrder {
  @Test(arguments: [SerialQueue.Kind.light, .urgent, .blocking])
  func entriesOfOneQueueRunInTheOrderOfDueTimeThenPosting(kind: SerialQueue.Kind) {
    let scheduler = RealScheduler.shared
    let queue = scheduler.queue("order", kind)
    let gate = Gate(scheduler, "order", [Int]())
    queue.post("hold") {
      // While this step runs, the timers of 2 and 1 ms come due; they still run by due time, before what comes later.
      queue.post("second", after: .milliseconds(2)) { gate.withLock(signal: true) { $0.append(2) } }
      queue.post("first", after: .milliseconds(1)) { gate.withLock(signal: true) { $0.append(1) } }
      let end = scheduler.now + .milliseconds(4)
      while scheduler.now < end {}
      queue.post("third") { gate.withLock(signal: true) { $0.append(3) } }
      queue.post("fourth") { gate.withLock(signal: true) { $0.append(4) } }
    }
    let result = gate.wait("four entries", ready: { $0.count == 4 }, take: { $0 })
    guard case .value(let order) = result else { return #expect(Bool(false)) }
    #expect(order == [1, 2, 3, 4])
  }
}
