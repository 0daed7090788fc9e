/// Ordered by (due time, number at posting): the order in which a queue's entries run.
protocol HeapOrdered {
  var due: Int64 { get }
  var number: UInt64 { get }
}

extension HeapOrdered {
  @inline(__always)
  func precedes(_ other: Self) -> Bool {
    due != other.due ? due < other.due : number < other.number
  }
}

/// A binary heap whose order is total, so that what comes out does not depend on how it went in.
struct EntryHeap<Element: HeapOrdered> {
  private(set) var elements: [Element] = []

  var first: Element? { elements.first }
  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child].precedes(elements[parent]) else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  mutating func popFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let top = elements.first else { return last }
    elements[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[child].precedes(elements[least]) {
        least = child
      }
      guard least != parent else { return top }
      elements.swapAt(parent, least)
      parent = least
    }
  }

  /// Empties the heap; the elements come in no particular order.
  mutating func removeAll() -> [Element] {
    defer { elements = [] }
    return elements
  }
}
