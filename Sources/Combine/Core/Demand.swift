extension Subscribers {
  /// How many values a subscriber asks for.
  ///
  /// Sums and products that no integer holds are unlimited, and nothing makes unlimited less. A finite demand below
  /// zero is a mistake of the caller's and ends the program.
  public struct Demand: Equatable, Comparable, Hashable, Codable, CustomStringConvertible, Sendable {
    /// Nil is unlimited.
    private let count: Int?

    private init(count: Int?) {
      self.count = count
    }

    public static let unlimited = Demand(count: nil)
    public static let none = Demand(count: 0)

    public static func max(_ value: Int) -> Demand {
      guard value >= 0 else { preconditionFailure("A demand can't be below zero, and \(value) is.") }
      return Demand(count: value)
    }

    /// Nil when unlimited.
    public var max: Int? { count }

    public var description: String { count.map { "max(\($0))" } ?? "unlimited" }

    // MARK: Arithmetic

    private static func finite(_ result: (partialValue: Int, overflow: Bool)) -> Demand {
      result.overflow ? .unlimited : .max(result.partialValue)
    }

    public static func + (left: Demand, right: Demand) -> Demand {
      guard let right = right.count else { return .unlimited }
      return left + right
    }

    public static func + (left: Demand, right: Int) -> Demand {
      guard let count = left.count else { return .unlimited }
      return finite(count.addingReportingOverflow(right))
    }

    public static func += (left: inout Demand, right: Demand) { left = left + right }
    public static func += (left: inout Demand, right: Int) { left = left + right }

    public static func * (left: Demand, right: Int) -> Demand {
      guard let count = left.count else { return .unlimited }
      return finite(count.multipliedReportingOverflow(by: right))
    }

    public static func *= (left: inout Demand, right: Int) { left = left * right }

    /// Unlimited less anything is unlimited; something finite less unlimited is none.
    public static func - (left: Demand, right: Demand) -> Demand {
      guard left.count != nil else { return .unlimited }
      guard let right = right.count else { return .none }
      return left - right
    }

    public static func - (left: Demand, right: Int) -> Demand {
      guard let count = left.count else { return .unlimited }
      return finite(count.subtractingReportingOverflow(right))
    }

    public static func -= (left: inout Demand, right: Demand) { left = left - right }
    public static func -= (left: inout Demand, right: Int) { left = left - right }

    // MARK: Comparing

    public static func < (left: Demand, right: Demand) -> Bool {
      guard let count = left.count else { return false }
      return right.count.map { count < $0 } ?? true
    }

    public static func == (left: Demand, right: Int) -> Bool { left.count == right }
    public static func != (left: Demand, right: Int) -> Bool { left.count != right }
    public static func < (left: Demand, right: Int) -> Bool { left.count.map { $0 < right } ?? false }
    public static func <= (left: Demand, right: Int) -> Bool { left.count.map { $0 <= right } ?? false }
    public static func > (left: Demand, right: Int) -> Bool { left.count.map { $0 > right } ?? true }
    public static func >= (left: Demand, right: Int) -> Bool { left.count.map { $0 >= right } ?? true }
    public static func == (left: Int, right: Demand) -> Bool { right == left }
    public static func != (left: Int, right: Demand) -> Bool { right != left }
    public static func < (left: Int, right: Demand) -> Bool { right > left }
    public static func <= (left: Int, right: Demand) -> Bool { right >= left }
    public static func > (left: Int, right: Demand) -> Bool { right < left }
    public static func >= (left: Int, right: Demand) -> Bool { right <= left }
  }
}
