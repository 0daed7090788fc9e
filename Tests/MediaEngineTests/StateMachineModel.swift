import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport

/// What a driver may be told, seen from the driver's side: notes every call that breaks its contract.
struct DriverModel {
  var attached: [ItemID] = []
  var everAttached: Set<ItemID> = []
  var ready: Set<ItemID> = []
  var current: ItemID?
  var upcoming: [ItemID] = []
  var running: Float?
  var isMoving = false
  var seeks: [ItemID: SeekID] = [:]
  private var startSeeks: [ItemID: SeekID] = [:]
  var isClosed = false
  var faults: [String] = []

  /// Readiness includes the seek that came with the attachment.
  mutating func becomeReady(_ id: ItemID) {
    ready.insert(id)
    if seeks[id] == startSeeks[id] { seeks[id] = nil }
  }

  mutating func take(_ call: PlaybackStateMachine.DriverCall) {
    if isClosed { faults.append("\(call.text) after close") }
    switch call {
    case .attach(let id, let configuration):
      if everAttached.contains(id) { faults.append("attached twice: \(id.number)") }
      everAttached.insert(id)
      attached.append(id)
      seeks[id] = configuration.startSeek?.id
      startSeeks[id] = configuration.startSeek?.id
    case .detach(let id):
      check(id, call)
      attached.removeAll { $0 == id }
      ready.remove(id)
      seeks[id] = nil
      if current == id { faults.append("detached while current: \(id.number)") }
    case .setCurrent(let id, let next):
      for id in [id].compactMap({ $0 }) + next { check(id, call) }
      if id != current, running != nil { faults.append("another item while running") }
      current = id
      upcoming = next
    case .run(_, let time, _) where current == nil || time == nil && current.flatMap({ seeks[$0] }) != nil:
      faults.append("run without an item or during a seek")
    case .run(let rate, let time, _):
      if let current, !ready.contains(current) { faults.append("run before ready") }
      if rate == 0 { faults.append("run at rate 0") }
      if time != nil, let current { seeks[current] = nil }
      running = rate
      isMoving = false
    case .halt:
      if running == nil { faults.append("halt while halted") }
      running = nil
    case .seek(let id, let request):
      check(id, call)
      seeks[id] = request.id
      if id == current { running = nil }
    case .step(let id, _, let number):
      check(id, call)
      if running != nil { faults.append("step while running") }
      seeks[id] = number
    case .reconfigure(let id, _), .preroll(let id, _): check(id, call)
    case .setGain(let gain): if !(0...1).contains(gain) { faults.append("gain \(gain)") }
    case .close:
      isClosed = true
      running = nil
    }
  }

  private mutating func check(_ id: ItemID, _ call: PlaybackStateMachine.DriverCall) {
    if !attached.contains(id) { faults.append("\(call.text) of an item that is not attached") }
  }

  /// What a driver in this state might report next.
  mutating func plausible(_ numbers: inout SeededNumbers) -> DriverEvent? {
    switch numbers.below(10) {
    case 0, 1, 2:
      guard let id = attached.randomElement(using: &numbers) else { return nil }
      if let seek = seeks[id] {
        seeks[id] = nil
        return .landed(id, seek, at: .zero)
      }
      guard !ready.contains(id) else { return .buffer(id, numbers.chance(70) ? .whole : .dry) }
      becomeReady(id)
      return .ready(id)
    case 3:
      guard let id = attached.randomElement(using: &numbers), !ready.contains(id) else { return nil }
      return .opened(id, .fake(video: false))
    case 4, 5:
      guard let id = attached.randomElement(using: &numbers) else { return nil }
      return .buffer(id, [BufferState.whole, .thin, .dry, .whole].randomElement(using: &numbers) ?? .whole)
    case 6:
      guard let current, let running else { return nil }
      isMoving = true
      return .started(current, rate: running)
    case 7:
      guard let current, running != nil else { return nil }
      if let next = upcoming.first, ready.contains(next), isMoving {
        self.current = next
        upcoming = []
        return .advanced(from: current, to: next)
      }
      return .reachedEnd(current)
    case 8:
      guard let current, running != nil else { return nil }
      return .stalled(current)
    default:
      guard numbers.chance(15), let id = attached.randomElement(using: &numbers) else { return nil }
      return numbers.chance(50) ? .failed(id, .test) : .playingFailed(id, .test)
    }
  }
}

/// Random commands, sensible and not.
struct CommandMaker {
  private var item: UInt64 = 0
  private var completion: UInt64 = 0
  var asked: Set<CompletionID> = []

  mutating func command(_ numbers: inout SeededNumbers, known: [ItemID]) -> PlaybackStateMachine.Event {
    let rates: [Float] = [0, 1, 1, 2, 0.5, -1, 3, .nan]
    let rate = rates.randomElement(using: &numbers) ?? 1
    switch numbers.below(26) {
    case 0, 1, 2: return .play
    case 3: return .setRate(0)
    case 4: return .setRate(rate)
    case 5: return .setDefaultRate(rate == 0 ? 1 : rate)
    case 6: return .playImmediately(rate)
    case 7: return .setSynchronizedRate(rate, time: time(&numbers), hostTime: numbers.chance(50) ? .zero : nil)
    case 8: return .setAutomaticallyWaits(numbers.chance(60))
    case 9: return .setActionAtItemEnd([.advance, .pause, .none].randomElement(using: &numbers) ?? .pause)
    case 10: return .setVolume(Float(numbers.below(5)) / 3)
    case 11: return .setMuted(numbers.chance(50))
    case 12, 13: return .replaceCurrent(numbers.chance(15) ? nil : seed(&numbers))
    case 14, 15: return .insert(seed(&numbers), after: known.randomElement(using: &numbers))
    case 16: return .remove(known.randomElement(using: &numbers) ?? ItemID(0))
    case 17: return numbers.chance(20) ? .removeAll : .advance
    case 18, 19, 20:
      return .seek(numbers.chance(60) ? nil : known.randomElement(using: &numbers), seek(&numbers))
    case 21: return .cancelSeeks(known.randomElement(using: &numbers) ?? ItemID(0))
    case 22: return .step(known.first ?? ItemID(0), Int(numbers.below(3)) - 1)
    case 23: return .preroll(rate, newCompletion())
    case 24: return numbers.chance(50) ? .cancelPrerolls : .evaluationDue(numbers.below(40))
    default:
      return .configure(
        known.randomElement(using: &numbers) ?? ItemID(0),
        numbers.chance(50) ? .enable(track: 2, numbers.chance(50)) : .select(track: nil, .audio))
    }
  }

  private mutating func seed(_ numbers: inout SeededNumbers) -> ItemSeed {
    item += 1
    return ItemSeed(id: ItemID(item), startSeek: numbers.chance(25) ? seek(&numbers) : nil)
  }

  private mutating func seek(_ numbers: inout SeededNumbers) -> SeekCommand {
    SeekCommand(target: time(&numbers), completion: newCompletion())
  }

  private func time(_ numbers: inout SeededNumbers) -> CMTime {
    let times: [CMTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
    return numbers.chance(10)
      ? times.randomElement(using: &numbers) ?? .zero : CMTime(value: Int64(numbers.below(16)) - 2, timescale: 1)
  }

  private mutating func newCompletion() -> CompletionID {
    completion += 1
    asked.insert(CompletionID(completion))
    return CompletionID(completion)
  }
}
