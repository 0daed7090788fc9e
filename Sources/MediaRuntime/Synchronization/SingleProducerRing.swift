import Synchronization

/// A ring for one writing and one reading thread: no lock, no allocation, no system call.
///
/// For samples (`Float`), bytes, or descriptors. Each side may be a different thread over time if the hand-over is
/// ordered by something else. Calls on either side never block; they move what fits.
package final class SingleProducerRing<Element: BitwiseCopyable>: @unchecked Sendable {
  // The writer owns the free part and the reader the filled part of the storage; the indices say where they meet.

  private typealias CacheLines = InlineArray<16, UInt64>

  package let capacity: Int
  private let storage: UnsafeMutablePointer<Element>
  private let mask: UInt

  // The indices grow for ever; their low bits are positions. Each is alone on its cache lines, with its owner's last
  // look at the other one beside it.
  private let apart0 = CacheLines(repeating: 0)
  private let writeIndex = Atomic<UInt>(0)
  private var readIndexSeen: UInt = 0
  private let apart1 = CacheLines(repeating: 0)
  private let readIndex = Atomic<UInt>(0)
  private var writeIndexSeen: UInt = 0
  private let apart2 = CacheLines(repeating: 0)

  /// - Parameter capacity: at least this many elements fit; rounded up to a power of two.
  package init(capacity: Int) {
    var size = 1
    while size < capacity { size <<= 1 }
    self.capacity = size
    mask = UInt(size - 1)
    storage = .allocate(capacity: size)
    memoryZero(storage, size)
  }

  deinit { storage.deallocate() }

  // MARK: Writing thread

  /// Elements that can be written now.
  package var writable: Int {
    readIndexSeen = readIndex.load(ordering: .acquiring)
    return capacity - Int(writeIndex.load(ordering: .relaxed) &- readIndexSeen)
  }

  /// Copies as much as fits; returns how much that was.
  @discardableResult
  package func write(_ elements: UnsafeBufferPointer<Element>) -> Int {
    guard let source = elements.baseAddress else { return 0 }
    let index = writeIndex.load(ordering: .relaxed)
    let count = min(elements.count, free(elements.count, from: index))
    let start = Int(index & mask)
    let head = min(count, capacity - start)
    (storage + start).update(from: source, count: head)
    storage.update(from: source + head, count: count - head)
    writeIndex.store(index &+ UInt(count), ordering: .releasing)
    return count
  }

  /// Adds one element; false if there is no room.
  package func push(_ element: Element) -> Bool {
    let index = writeIndex.load(ordering: .relaxed)
    guard free(1, from: index) >= 1 else { return false }
    storage[Int(index & mask)] = element
    writeIndex.store(index &+ 1, ordering: .releasing)
    return true
  }

  /// How much is free; looks at the reader's index only if its last known place does not suffice.
  private func free(_ wanted: Int, from index: UInt) -> Int {
    let known = capacity - Int(index &- readIndexSeen)
    guard known < wanted else { return known }
    readIndexSeen = readIndex.load(ordering: .acquiring)
    return capacity - Int(index &- readIndexSeen)
  }

  // MARK: Reading thread

  /// Elements that can be read now.
  package var readable: Int {
    writeIndexSeen = writeIndex.load(ordering: .acquiring)
    return Int(writeIndexSeen &- readIndex.load(ordering: .relaxed))
  }

  /// Copies as much as there is; returns how much that was.
  @discardableResult
  package func read(into elements: UnsafeMutableBufferPointer<Element>) -> Int {
    guard let target = elements.baseAddress else { return 0 }
    let index = readIndex.load(ordering: .relaxed)
    let count = min(elements.count, filled(elements.count, from: index))
    let start = Int(index & mask)
    let head = min(count, capacity - start)
    target.update(from: storage + start, count: head)
    (target + head).update(from: storage, count: count - head)
    readIndex.store(index &+ UInt(count), ordering: .releasing)
    return count
  }

  /// Takes one element; nil if there is none.
  package func pop() -> Element? {
    let index = readIndex.load(ordering: .relaxed)
    guard filled(1, from: index) >= 1 else { return nil }
    let element = storage[Int(index & mask)]
    readIndex.store(index &+ 1, ordering: .releasing)
    return element
  }

  /// The next element, left in the ring.
  package var first: Element? {
    let index = readIndex.load(ordering: .relaxed)
    return filled(1, from: index) >= 1 ? storage[Int(index & mask)] : nil
  }

  /// Drops up to `count` elements; returns how many.
  @discardableResult
  package func skip(_ count: Int) -> Int {
    let index = readIndex.load(ordering: .relaxed)
    let dropped = max(0, min(count, filled(count, from: index)))
    readIndex.store(index &+ UInt(dropped), ordering: .releasing)
    return dropped
  }

  private func filled(_ wanted: Int, from index: UInt) -> Int {
    let known = Int(writeIndexSeen &- index)
    guard known < wanted else { return known }
    writeIndexSeen = writeIndex.load(ordering: .acquiring)
    return Int(writeIndexSeen &- index)
  }

  // MARK: Either thread

  /// Elements ever written and ever read: the positions of a stream that flows through the ring.
  package var written: UInt { writeIndex.load(ordering: .acquiring) }
  package var consumed: UInt { readIndex.load(ordering: .acquiring) }
}

private func memoryZero<Element: BitwiseCopyable>(_ pointer: UnsafeMutablePointer<Element>, _ count: Int) {
  UnsafeMutableRawPointer(pointer).initializeMemory(
    as: UInt8.self, repeating: 0, count: count * MemoryLayout<Element>.stride)
}
