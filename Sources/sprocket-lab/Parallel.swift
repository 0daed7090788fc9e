import Foundation

enum Parallel {
  /// Maps with `width` threads, keeping the order.
  static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], width: Int, _ transform: @escaping @Sendable (Element) -> Result
  ) -> [Result] {
    let results = Shared<Result>(count: elements.count)
    let group = DispatchGroup()
    for _ in 0..<width {
      group.enter()
      let thread = Thread {
        while let index = results.next() { results.set(index, transform(elements[index])) }
        group.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    group.wait()
    return results.all
  }

  // @unchecked Sendable: everything is read and written under `lock`.
  private final class Shared<Result>: @unchecked Sendable {
    private let lock = NSLock()
    private var taken = 0
    private var values: [Result?]

    init(count: Int) { values = Array(repeating: nil, count: count) }

    func next() -> Int? {
      lock.withLock {
        guard taken < values.count else { return nil }
        taken += 1
        return taken - 1
      }
    }

    func set(_ index: Int, _ value: Result) { lock.withLock { values[index] = value } }
    var all: [Result] { lock.withLock { values.compactMap(\.self) } }
  }
}
