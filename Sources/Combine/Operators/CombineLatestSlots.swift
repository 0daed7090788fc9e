/// The latest value of each of two publishers.
struct LatestSlots2<A, B>: JoinSlots {
  var a: A?
  var b: B?

  static var isConsuming: Bool { false }

  func take() -> (A, B)? {
    guard let a, let b else { return nil }
    return (a, b)
  }

  func isDry(_ finished: [Bool]) -> Bool { finished.allSatisfy { $0 } }
}

/// The latest value of each of three publishers.
struct LatestSlots3<A, B, C>: JoinSlots {
  var a: A?
  var b: B?
  var c: C?

  static var isConsuming: Bool { false }

  func take() -> (A, B, C)? {
    guard let a, let b, let c else { return nil }
    return (a, b, c)
  }

  func isDry(_ finished: [Bool]) -> Bool { finished.allSatisfy { $0 } }
}

/// The latest value of each of four publishers.
struct LatestSlots4<A, B, C, D>: JoinSlots {
  var a: A?
  var b: B?
  var c: C?
  var d: D?

  static var isConsuming: Bool { false }

  func take() -> (A, B, C, D)? {
    guard let a, let b, let c, let d else { return nil }
    return (a, b, c, d)
  }

  func isDry(_ finished: [Bool]) -> Bool { finished.allSatisfy { $0 } }
}
