internal import CLinux
import Glibc

/// Finds out to which scheduler's test a job belongs before it runs: the runtime's hook gets nothing but the job.
///
/// A task that leaves an actor is no longer current when it passes the hook, so its task-local values have to be read
/// from the task itself. Their place is found by trial on a task with a known value; where that fails (another
/// runtime), jobs have no known owner.
enum TaskOwner {
  private struct Layout {
    /// Word of the task that points to its innermost value.
    let head: Int
    /// Words of a value's record, whose first one points to the next record.
    static let key = 1
    static let value = 3
  }

  private static let key = unsafeBitCast(VirtualScheduler.$owner, to: UInt.self)
  private static let pointerBits = ~UInt(7)

  private static let layout: Layout? = {
    let search = Search()
    VirtualScheduler.$owner.withValue(VirtualScheduler.Owner(identifier: ObjectIdentifier(search))) {
      _ = Task(executorPreference: search) {}
    }
    let layout = search.found.withLock { $0 }
    if layout == nil {
      Log.runtime.warning("Task-local values are not where they are looked for: plain tasks may go unseen.")
    }
    return layout
  }()

  /// Finds the layout once, at a moment when no job waits for the answer.
  static func prepare() { _ = layout }

  /// The scheduler whose test the task descends from, by what it inherited when it was made.
  static func identifier(of job: UnsafeRawPointer) -> ObjectIdentifier? {
    guard let layout, isTask(job) else { return nil }
    var record = job.load(fromByteOffset: layout.head * 8, as: UInt.self) & pointerBits
    for _ in 0..<256 {
      guard let pointer = UnsafeRawPointer(bitPattern: record) else { return nil }
      if pointer.load(fromByteOffset: Layout.key * 8, as: UInt.self) == key {
        return pointer.load(fromByteOffset: Layout.value * 8, as: ObjectIdentifier?.self)
      }
      record = pointer.load(as: UInt.self) & pointerBits
    }
    return nil
  }

  /// Jobs that are not tasks (an actor's turn, for one) have another layout; the kind is the flags' first byte.
  private static func isTask(_ job: UnsafeRawPointer) -> Bool { job.load(fromByteOffset: 32, as: UInt8.self) == 0 }

  /// An executor that looks into the one job it is given.
  private final class Search: TaskExecutor {
    let found = Lock<Layout?>(nil)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let value = UInt(bitPattern: ObjectIdentifier(self))
      let task = unsafeBitCast(job, to: UnsafeRawPointer.self)
      let layout = Self.search(task, value)
      found.withLock { $0 = layout }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }

    private static func search(_ task: UnsafeRawPointer, _ value: UInt) -> Layout? {
      guard TaskOwner.isTask(task), let made = Pipe() else { return nil }
      let pipe = [made.reading, made.writing]
      defer { for descriptor in pipe { close(descriptor) } }
      func words(_ address: UnsafeRawPointer, _ count: Int) -> [UInt] {
        var words = [UInt](repeating: 0, count: count)
        let bytes = linux_peek(pipe, address, &words, count * 8)
        return Array(words.prefix(max(bytes, 0) / 8))
      }
      // The task's own fields come before what its allocator left behind, so the first way to the value is the right one.
      for (head, word) in words(task, 64).enumerated().dropFirst(5) {
        var next = word
        for _ in 0..<32 {
          guard let address = UnsafeRawPointer(bitPattern: next & TaskOwner.pointerBits) else { break }
          let record = words(address, 4)
          guard record.count == 4 else { break }
          if record[Layout.key] == TaskOwner.key, record[Layout.value] == value { return Layout(head: head) }
          next = record[0]
        }
      }
      return nil
    }
  }
}
