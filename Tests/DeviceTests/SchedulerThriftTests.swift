import MediaRuntime
import MediaTestSupport
import Testing

extension DeviceTests {
  /// Wake-ups as the kernel counts them.
  @Suite struct SchedulerThriftTests {
    /// Waits on the test's own thread until the count is reached.
    private func await(_ count: Int, _ gate: Gate<[Int]>) -> [Int] {
      if case .value(let order) = gate.wait("\(count) entries", ready: { $0.count >= count }, take: { $0 }) {
        return order
      }
      return []
    }

    private func gate(_ scheduler: RealScheduler) -> Gate<[Int]> { Gate(scheduler, "test", []) }

    @Test func anIdleSchedulerNeverWakes() {
      let scheduler = RealScheduler(name: "idle", cores: 2)
      defer { scheduler.shutdown() }
      let gate = gate(scheduler)
      for index in 0..<20 {
        scheduler.queue("queue", index % 2 == 0 ? .light : .blocking).post("work", after: .milliseconds(1)) {
          gate.withLock(signal: true) { $0.append(index) }
        }
      }
      #expect(self.await(20, gate).count == 20)
      let pause = Gate(scheduler, "pause", false)
      func passTime() {
        _ = pause.wait("time", deadline: scheduler.now + .milliseconds(60), ready: { $0 }, take: { _ in })
      }
      passTime()
      let before = ThreadCensus.sleeps("idle.")
      passTime()
      #expect(ThreadCensus.names("idle.").isEmpty == false)
      #expect(ThreadCensus.sleeps("idle.") == before)
    }

    @Test func aTimerCostsOneWakeUp() {
      let scheduler = RealScheduler(name: "thrift", cores: 2)
      defer { scheduler.shutdown() }
      let gate = gate(scheduler)
      let queue = scheduler.queue("periods", .light)
      @Sendable func period(_ index: Int) {
        gate.withLock(signal: index == 99) { $0.append(index) }
        if index < 99 { queue.post("period", after: .milliseconds(1)) { period(index + 1) } }
      }
      queue.post("period") { period(0) }
      #expect(self.await(100, gate).count == 100)
      // Two threads start and go to sleep as well; preempted threads may add a few.
      #expect(ThreadCensus.sleeps("thrift.") <= 115)
    }
  }
}
