import Glibc

/// What observing needs to know of the thread it runs on: who records which properties are read, and which
/// snapshots stand in for the live ones while a change is described.
final class ThreadObservation {
  /// A property that was read. The table is not kept alive: it ends with its object.
  struct Access: Equatable, Sendable {
    private(set) weak var table: ObserverTable?
    private let number: UInt64
    let key: PropertyKey

    init(table: ObserverTable, key: PropertyKey) {
      self.table = table
      number = table.number
      self.key = key
    }

    /// By number: looking at the table itself might keep it for a moment, and let go of it for good under a lock.
    static func == (left: Access, right: Access) -> Bool { left.number == right.number && left.key == right.key }
  }

  /// A snapshot that stands in for an object's live state.
  struct View {
    let table: ObserverTable
    let snapshot: Any
  }

  private var recordings: [[Access]] = []
  private var views: [View] = []

  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { @Sendable pointer in
      if let pointer { Unmanaged<ThreadObservation>.fromOpaque(pointer).release() }
    }
    return key
  }()

  /// Nil on a thread that never observed: the usual case, and a few nanoseconds.
  static var current: ThreadObservation? {
    pthread_getspecific(slot).map { Unmanaged<ThreadObservation>.fromOpaque($0).takeUnretainedValue() }
  }

  private static var ofThisThread: ThreadObservation {
    if let current { return current }
    let made = ThreadObservation()
    pthread_setspecific(slot, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  /// A getter's report that it was read.
  static func access(_ table: ObserverTable, _ key: PropertyKey) {
    guard let current, let last = current.recordings.indices.last else { return }
    let access = Access(table: table, key: key)
    if !current.recordings[last].contains(access) { current.recordings[last].append(access) }
  }

  /// Runs `body` and tells which observable properties it read, in order.
  static func recording<Result>(_ body: () -> Result) -> (Result, [Access]) {
    let thread = ofThisThread
    thread.recordings.append([])
    let result = body()
    return (result, thread.recordings.removeLast())
  }

  /// Runs `body` while a snapshot stands in for the live state of the object that owns `table`.
  static func viewing<Result>(_ snapshot: Any, of table: ObserverTable, _ body: () -> Result) -> Result {
    let thread = ofThisThread
    thread.views.append(View(table: table, snapshot: snapshot))
    defer { thread.views.removeLast() }
    return body()
  }

  /// The snapshot that stands in for an object's live state on this thread.
  static func view<Snapshot>(of table: ObserverTable, as type: Snapshot.Type) -> Snapshot? {
    guard let current, !current.views.isEmpty else { return nil }
    return current.views.last { $0.table === table }?.snapshot as? Snapshot
  }
}
