import MediaRuntime

/// What a player has yet to tell the app, in order. Guarded by the player's lock.
///
/// One thread at a time runs the app's code for one player, and entries begin in the order of the transitions that
/// made them. A caller runs its own entries before its call returns, also when the call is made inside such an entry
/// (then what is left of the outer transition goes first). What the engine caused belongs to the main queue, and so
/// does what a caller could not run itself, because another thread was at it or older entries wait for the main queue;
/// only completions are then not kept waiting. Nobody waits for anybody.
struct AppLane {
  enum Work: Sendable {
    case event(PlayerEvent)
    case completion(@Sendable (Bool) -> Void, Bool)
  }

  private struct Entry {
    /// The thread that must run it; nil means the main queue.
    var owner: UInt?
    var work: Work
  }

  private var entries: [Entry] = []
  private var runner: UInt?
  private var depth = 0
  private var isMainAsked = false

  mutating func append(_ work: [Work], owner: UInt?) {
    for work in work { entries.append(Entry(owner: owner, work: work)) }
  }

  /// The next entry that this thread may run; `finish` must follow.
  mutating func begin(thread: UInt, isMain: Bool) -> Work? {
    guard runner == nil || runner == thread, let first = entries.first,
      first.owner == thread || first.owner == nil && isMain
    else { return nil }
    runner = thread
    depth += 1
    return entries.removeFirst().work
  }

  mutating func finish() {
    depth -= 1
    if depth == 0 { runner = nil }
  }

  /// Gives up the thread's own entries: events go to the main queue, completions are returned to be run at once.
  mutating func surrender(thread: UInt) -> [Work] {
    var completions: [Work] = []
    entries.removeAll { entry in
      guard entry.owner == thread, case .completion = entry.work else { return false }
      completions.append(entry.work)
      return true
    }
    for index in entries.indices where entries[index].owner == thread { entries[index].owner = nil }
    return completions
  }

  /// True when the main queue must be asked to come and run entries.
  mutating func askMain() -> Bool {
    guard !isMainAsked, runner == nil, let first = entries.first, first.owner == nil else { return false }
    isMainAsked = true
    return true
  }

  mutating func mainHasCome() { isMainAsked = false }

  /// Drops the events; completions stay.
  mutating func silence() {
    entries.removeAll { if case .event = $0.work { true } else { false } }
  }

  /// Everything that is left, for a player that ends.
  mutating func takeAll() -> [Work] {
    defer { entries = [] }
    return entries.map(\.work)
  }
}
