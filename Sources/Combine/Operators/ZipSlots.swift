/// The values of two publishers that wait for their partners.
struct ZipSlots2<A, B>: JoinSlots {
  var a = Fifo<A>()
  var b = Fifo<B>()

  static var isConsuming: Bool { true }

  mutating func take() -> (A, B)? {
    guard !a.isEmpty, !b.isEmpty else { return nil }
    guard let a = a.popFirst(), let b = b.popFirst() else { return nil }
    return (a, b)
  }

  func isDry(_ finished: [Bool]) -> Bool {
    Swift.zip(finished, [a.isEmpty, b.isEmpty]).contains { $0 && $1 }
  }
}

/// The values of three publishers that wait for their partners.
struct ZipSlots3<A, B, C>: JoinSlots {
  var a = Fifo<A>()
  var b = Fifo<B>()
  var c = Fifo<C>()

  static var isConsuming: Bool { true }

  mutating func take() -> (A, B, C)? {
    guard !a.isEmpty, !b.isEmpty, !c.isEmpty else { return nil }
    guard let a = a.popFirst(), let b = b.popFirst(), let c = c.popFirst() else { return nil }
    return (a, b, c)
  }

  func isDry(_ finished: [Bool]) -> Bool {
    Swift.zip(finished, [a.isEmpty, b.isEmpty, c.isEmpty]).contains { $0 && $1 }
  }
}

/// The values of four publishers that wait for their partners.
struct ZipSlots4<A, B, C, D>: JoinSlots {
  var a = Fifo<A>()
  var b = Fifo<B>()
  var c = Fifo<C>()
  var d = Fifo<D>()

  static var isConsuming: Bool { true }

  mutating func take() -> (A, B, C, D)? {
    guard !a.isEmpty, !b.isEmpty, !c.isEmpty, !d.isEmpty else { return nil }
    guard let a = a.popFirst(), let b = b.popFirst(), let c = c.popFirst(), let d = d.popFirst() else { return nil }
    return (a, b, c, d)
  }

  func isDry(_ finished: [Bool]) -> Bool {
    Swift.zip(finished, [a.isEmpty, b.isEmpty, c.isEmpty, d.isEmpty]).contains { $0 && $1 }
  }
}
