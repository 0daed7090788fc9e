import Dispatch
import MediaRuntime

/// The engine's shape in small: a source that really blocks, a decoder, a device with a clock, a controlling actor, and
/// an app that is called back on its own queue and on main.
final class MiniPlayer: Sendable {
  struct Bytes: Sendable {
    var available = 0
    var generation = 0
  }

  let name: String
  let scheduler: any Scheduler
  private let bytes: Gate<Bytes>
  private let source: SerialQueue
  private let decoder: SerialQueue
  private let device: SerialQueue
  private let network: SerialQueue
  private let app: DispatchQueue
  private let controller: Controller
  private let ring = SingleProducerRing<Int>(capacity: 16)
  private let random: Lock<UInt64>
  private let packets: Int

  init(_ name: String, seed: UInt64, packets: Int, scheduler: any Scheduler) {
    self.name = name
    self.scheduler = scheduler
    self.packets = packets
    random = Lock(seed)
    bytes = Gate(scheduler, "\(name) bytes", Bytes())
    source = scheduler.queue("\(name) source", .blocking)
    decoder = scheduler.queue("\(name) decoder", .light)
    device = scheduler.queue("\(name) device", .urgent)
    network = scheduler.queue("\(name) network", .light)
    app = DispatchQueue(label: "\(name) app")
    controller = Controller(scheduler.queue("\(name) controller", .light), name: name, scheduler: scheduler)
  }

  func play() {
    source.post("open") { [self] in read(0, generation: 0) }
    network.post("respond") { [self] in respond(0) }
    device.post("period", after: .milliseconds(20)) { [self] in period(silent: 0) }
  }

  /// Interrupts whatever read is under way.
  func seek(_ generation: Int) {
    bytes.withLock(signal: true) { $0.generation = generation }
    source.post("seek") { [self] in
      guard bytes.withLock({ $0.generation }) == generation else { return }
      scheduler.note("\(name) seeks to generation \(generation)")
      read(0, generation: generation)
    }
  }

  private func draw(_ limit: UInt64) -> UInt64 {
    random.withLock { state in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
  }

  private func respond(_ chunk: Int) {
    bytes.withLock(signal: true) { $0.available += Int(draw(3)) + 1 }
    guard chunk < packets else { return }
    network.post("respond", after: .microseconds(Int64(draw(40_000)))) { [self] in respond(chunk + 1) }
  }

  private func read(_ packet: Int, generation: Int) {
    let result = bytes.wait(
      "packet \(packet)", deadline: scheduler.now + .milliseconds(30),
      ready: { $0.available > 0 || $0.generation != generation },
      take: { state -> Bool in
        guard state.generation == generation else { return false }
        state.available -= 1
        return true
      })
    switch result {
    case .value(true):
      decoder.post("decode") { [self] in decode(packet) }
      if packet + 1 < packets { source.post("read") { [self] in read(packet + 1, generation: generation) } }
    case .value(false): scheduler.note("\(name) packet \(packet) was interrupted")
    case .timedOut:
      deliver("stalled")
      source.post("read again") { [self] in read(packet, generation: generation) }
    case .aborted: break
    }
  }

  private func decode(_ packet: Int) {
    if !ring.push(packet) { scheduler.note("\(name) ring full at \(packet)") }
    decoder.task("announce") { [self] in await controller.decoded(packet) }
  }

  private func period(silent: Int) {
    let sample = ring.pop()
    scheduler.note("\(name) plays \(sample.map(String.init) ?? "silence")")
    if sample == packets / 2 { deliver("half") }
    guard silent < 20 else { return deliver("ended") }
    device.post("period", after: .milliseconds(20)) { [self] in period(silent: sample == nil ? silent + 1 : 0) }
  }

  private func deliver(_ event: String) {
    let queue = draw(2) == 0 ? app : nil
    scheduler.deliver(event, to: queue) { [self] in
      scheduler.note("\(name) app hears \(event)")
      (queue ?? .main).async { [self] in
        source.post("app asks") { [self] in scheduler.note("\(name) app asked after \(event)") }
      }
      if event == "half" {
        seek(1)
        seek(2)
      }
    }
  }
}

/// Counts per stream, on a queue of its own.
actor Controller {
  private let queue: SerialQueue
  private let name: String
  private let scheduler: any Scheduler
  private var seen: [String: Int] = [:]

  init(_ queue: SerialQueue, name: String, scheduler: any Scheduler) {
    self.queue = queue
    self.name = name
    self.scheduler = scheduler
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  func decoded(_ packet: Int) async {
    seen["\(name) \(packet % 3)", default: 0] += 1
    await queue.sleep(.microseconds(Int64(packet % 5) * 700))
    scheduler.note("\(name) counts \(seen["\(name) \(packet % 3)"] ?? 0)")
  }
}
