import Dispatch
import Glibc
import MediaRuntime

/// Measures what it costs to go from one step to the next; prints microseconds of wall and of CPU time per hand-over.
enum HandoverCosts {
  static func print(count: Int) {
    measure("virtual, two light queues", count) { virtual(count, .light, .light, pins: true) }
    measure("virtual, one queue", count) { virtualOne(count) }
    measure("virtual, two gates, pinned", count) { gates(VirtualScheduler(options(pins: true)), count) }
    measure("virtual, two gates, free", count / 10) { gates(VirtualScheduler(options(pins: false)), count / 10) }
    measure("virtual, app queue and marker", count / 10) { appQueue(count / 10) }
    measure("real, two light queues", count) { real(count, .light) }
    measure("real, two blocking queues", count / 10) { real(count / 10, .blocking) }
  }

  private static func options(pins: Bool) -> VirtualScheduler.Options {
    var options = VirtualScheduler.Options()
    options.pinsCPU = pins
    options.ownsMain = false
    options.maxStepsPerInstant = .max
    return options
  }

  private static func virtual(_ count: Int, _ one: SerialQueue.Kind, _ two: SerialQueue.Kind, pins: Bool) {
    let scheduler = VirtualScheduler(options(pins: pins))
    pingPong(scheduler.queue("one", one), scheduler.queue("two", two), count) {}
    scheduler.run()
    scheduler.shutdown()
  }

  private static func virtualOne(_ count: Int) {
    let scheduler = VirtualScheduler(options(pins: true))
    let queue = scheduler.queue("one", .light)
    pingPong(queue, queue, count) {}
    scheduler.run()
    scheduler.shutdown()
  }

  private static func pingPong(
    _ one: SerialQueue, _ two: SerialQueue, _ count: Int, _ end: @escaping @Sendable () -> Void
  ) {
    one.post("step") { count > 0 ? pingPong(two, one, count - 1, end) : end() }
  }

  /// Two blocked steps wake each other in turn.
  private static func gates(_ scheduler: VirtualScheduler, _ count: Int) {
    let gate = Gate(scheduler, "turn", 0)
    for side in 0..<2 {
      scheduler.queue("side \(side)", .blocking).post("turns") {
        for _ in 0..<count / 2 {
          _ = gate.wait("its turn", ready: { $0 % 2 == side }, take: { _ in })
          gate.withLock(signal: true) { $0 += 1 }
        }
      }
    }
    scheduler.run()
    scheduler.shutdown()
  }

  private static func appQueue(_ count: Int) {
    let scheduler = VirtualScheduler(options(pins: true))
    let app = DispatchQueue(label: "app")
    let queue = scheduler.queue("engine", .light)
    for _ in 0..<count { queue.post("delivers") { scheduler.deliver("event", to: app) {} } }
    scheduler.run()
    scheduler.shutdown()
  }

  private static func real(_ count: Int, _ kind: SerialQueue.Kind) {
    let scheduler = RealScheduler.shared
    let gate = Gate(scheduler, "end", false)
    pingPong(scheduler.queue("one", kind), scheduler.queue("two", kind), count) {
      gate.withLock(signal: true) { $0 = true }
    }
    _ = gate.wait("the end", ready: { $0 }, take: { _ in })
  }

  private static func measure(_ name: String, _ count: Int, _ body: () -> Void) {
    let wall = seconds(CLOCK_MONOTONIC)
    let cpu = seconds(CLOCK_PROCESS_CPUTIME_ID)
    body()
    let scale = 1_000_000 / Double(count)
    let figures = [seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu].map { $0 * scale }
    Swift.print("\(name): wall \((figures[0] * 100).rounded() / 100) µs, CPU \((figures[1] * 100).rounded() / 100) µs")
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}
