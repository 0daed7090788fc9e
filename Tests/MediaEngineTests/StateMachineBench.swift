import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport

/// A machine to be asked by hand: short commands, and the actions of the last one as text.
struct StateMachineBench {
  typealias Machine = PlaybackStateMachine

  var machine: Machine
  /// The last transition's actions, one line each.
  private(set) var actions: [String] = []
  /// The newest seek that the driver was told of.
  private(set) var lastRequest: SeekRequest?
  private var completions: UInt64 = 0

  init(rates: SupportedRates = SupportedRates()) {
    machine = Machine(supportedRates: rates)
  }

  /// With item 1 current and ready, ten seconds long, all of it loaded.
  static func ready(waits: Bool = true, rates: SupportedRates = SupportedRates()) -> StateMachineBench {
    var bench = StateMachineBench(rates: rates)
    if !waits { bench.send(.setAutomaticallyWaits(false)) }
    bench.replace(1)
    bench.becomeReady(1)
    return bench
  }

  /// As `ready`, and really playing at rate 1.
  static func playing(waits: Bool = true, rates: SupportedRates = SupportedRates()) -> StateMachineBench {
    var bench = ready(waits: waits, rates: rates)
    bench.send(.play)
    bench.driver(.started(.one, rate: 1))
    return bench
  }

  /// A queue of that many items, the first playing, all ready, advancing at the end.
  static func queue(_ count: UInt64) -> StateMachineBench {
    var bench = StateMachineBench()
    bench.send(.setActionAtItemEnd(.advance))
    for number in 1...count { bench.insert(number) }
    for number in 1...count { bench.becomeReady(number) }
    bench.send(.play)
    bench.driver(.started(.one, rate: 1))
    return bench
  }

  var state: PlayerState { machine.state }

  /// Such as `playing 1.0`, `waiting toMinimizeStalls 1.0`, `paused 0.0`.
  var shown: String {
    let reason = state.waitingReason.map { " \($0)" } ?? ""
    return "\(state.timeControl)\(reason) \(state.rate)"
  }

  func values(_ number: UInt64 = 1) -> ItemSnapshot? { machine.values(of: ItemID(number)) }

  @discardableResult
  mutating func send(_ event: Machine.Event) -> [String] {
    let acted = machine.handle(event)
    for case .driver(.seek(_, let request)) in acted { lastRequest = request }
    actions = acted.map(\.text)
    return actions
  }

  @discardableResult
  mutating func driver(_ event: DriverEvent) -> [String] { send(.driver(event)) }

  mutating func replace(_ number: UInt64?) { send(.replaceCurrent(number.map { ItemSeed(id: ItemID($0)) })) }

  mutating func insert(_ number: UInt64, after: UInt64? = nil) {
    send(.insert(ItemSeed(id: ItemID(number)), after: after.map { ItemID($0) }))
  }

  mutating func becomeReady(_ number: UInt64, buffer: BufferState = .whole) {
    let id = ItemID(number)
    driver(.opened(id, .fake()))
    driver(.buffer(id, buffer))
    driver(.ready(id))
  }

  /// The header of item 1 spoke of more than there is.
  mutating func cutShort() {
    var description = MediaDescription.fake()
    description.isCutShort = true
    driver(.descriptionChanged(.one, description))
  }

  /// Returns the completion's number.
  @discardableResult
  mutating func seek(_ seconds: Double, item: UInt64? = nil) -> UInt64 {
    seek(to: CMTime(seconds: seconds, preferredTimescale: 1000), item: item)
  }

  @discardableResult
  mutating func seek(to time: CMTime, item: UInt64? = nil) -> UInt64 {
    completions += 1
    let command = SeekCommand(
      target: time, toleranceBefore: .zero, toleranceAfter: .zero, completion: CompletionID(completions))
    send(.seek(item.map { ItemID($0) }, command))
    return completions
  }

  @discardableResult
  mutating func preroll(_ rate: Float) -> UInt64 {
    completions += 1
    send(.preroll(rate, CompletionID(completions)))
    return completions
  }

  /// The newest seek that the driver was told of has landed.
  @discardableResult
  mutating func land(_ number: UInt64 = 1) -> [String] {
    guard let seek = lastSeek[ItemID(number)] else { return [] }
    return driver(.landed(ItemID(number), seek, at: .zero))
  }

  /// Which seek the driver would report.
  var lastSeek: [ItemID: SeekID] { machine.pendingSeeks }
}

extension ItemID {
  static let one = ItemID(1)
  static let two = ItemID(2)
  static let three = ItemID(3)
}

extension MediaError {
  static let test = MediaError(.containerDamaged, "The test damaged the file: none.")
}

extension PlaybackStateMachine.Action {
  var text: String {
    switch self {
    case .driver(let call): call.text
    case .complete(let id, let finished): "complete \(id.number) \(finished)"
    case .notify(let notice): notice.text
    case .observe(let edge): "observe \(edge)"
    case .armEvaluation: "arm"
    case .disarmEvaluation: "disarm"
    case .released(let id, _, _): "released \(id.number)"
    case .logPlaying(let id): "log playing \(id.number)"
    case .logError(let id, _): "log error \(id.number)"
    }
  }
}

extension PlaybackStateMachine.DriverCall {
  var text: String {
    switch self {
    case .attach(let id, let configuration):
      "attach \(id.number)" + (configuration.startSeek.map { " at \($0.target.seconds)" } ?? "")
    case .detach(let id): "detach \(id.number)"
    case .setCurrent(let id, let upcoming):
      "current \(id.map { "\($0.number)" } ?? "none")" + upcoming.map { " then \($0.number)" }.joined()
    case .run(let rate, let time, let hostTime):
      "run \(rate)" + (time.map { " from \($0.seconds)" } ?? "") + (hostTime.map { " at \($0.nanoseconds)" } ?? "")
    case .halt: "halt"
    case .seek(let id, let request): "seek \(id.number) to \(request.target.seconds)"
    case .reconfigure(let id, _): "reconfigure \(id.number)"
    case .setGain(let gain): "gain \(gain)"
    case .step(let id, let count, _): "step \(id.number) by \(count)"
    case .preroll(let id, let rate): "preroll \(id.number) \(rate)"
    case .close: "close"
    }
  }
}

extension PlaybackStateMachine.Notice {
  var text: String {
    switch self {
    case .didPlayToEnd(let id): "didPlayToEnd \(id.number)"
    case .failedToPlayToEnd(let id, _): "failedToPlayToEnd \(id.number)"
    case .playbackStalled(let id): "playbackStalled \(id.number)"
    case .timeJumped(let id): "timeJumped \(id.number)"
    case .mediaSelectionDidChange(let id): "mediaSelectionDidChange \(id.number)"
    case .rateDidChange(let reason): "rateDidChange \(reason)"
    }
  }
}
