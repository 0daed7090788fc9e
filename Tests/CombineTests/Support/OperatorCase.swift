import Combine
import Foundation

typealias Numbers = AnyPublisher<Int, TestError>
typealias Texts = AnyPublisher<String, TestError>

/// One operator, and what becomes of 1…6 and the end, and of 1…3 and a failure.
// @unchecked Sendable: the closures capture nothing that changes.
struct OperatorCase: @unchecked Sendable, CustomStringConvertible {
  let description: String
  let make: (Numbers) -> Texts
  let whole: [String]
  let failing: [String]

  init<P: Publisher>(
    _ description: String, _ whole: [String], _ failing: [String], _ make: @escaping (Numbers) -> P
  ) where P.Failure == TestError {
    self.description = description
    self.whole = whole
    self.failing = failing
    self.make = { make($0).map { "\($0)" }.eraseToAnyPublisher() }
  }

  static let numbers = ["1", "2", "3", "4", "5", "6", "finished"]
  static let failed = ["1", "2", "3", "failed first"]

  private static func typed(_ error: any Error) -> TestError { error as? TestError ?? .second }

  static let all: [OperatorCase] = mapping + limiting + folding + failures + combining + passing

  static let mapping: [OperatorCase] = [
    OperatorCase("map", ["2", "4", "6", "8", "10", "12", "finished"], ["2", "4", "6", "failed first"]) {
      $0.map { $0 * 2 }
    },
    OperatorCase("map keyPath", ["1", "10", "11", "100", "101", "110", "finished"], ["1", "10", "11", "failed first"]) {
      $0.map(\.binary)
    },
    OperatorCase("tryMap", ["1", "2", "failed second"], ["1", "2", "failed second"]) {
      $0.tryMap { number in
        if number == 3 { throw TestError.second }
        return number
      }.mapError(typed)
    },
    OperatorCase("compactMap", ["2", "4", "6", "finished"], ["2", "failed first"]) {
      $0.compactMap { $0.isMultiple(of: 2) ? $0 : nil }
    },
    OperatorCase("tryCompactMap", ["2", "failed second"], ["2", "failed first"]) {
      $0.tryCompactMap { number in
        if number == 4 { throw TestError.second }
        return number.isMultiple(of: 2) ? number : nil
      }.mapError(typed)
    },
    OperatorCase("mapError", numbers, ["1", "2", "3", "failed second"]) { $0.mapError { _ in TestError.second } },
    OperatorCase("replaceNil", ["0", "2", "0", "4", "0", "6", "finished"], ["0", "2", "0", "failed first"]) {
      $0.map { $0.isMultiple(of: 2) ? $0 : nil }.replaceNil(with: 0)
    },
    OperatorCase("filter", ["2", "4", "6", "finished"], ["2", "failed first"]) { $0.filter { $0.isMultiple(of: 2) } },
    OperatorCase("tryFilter", ["2", "failed second"], ["2", "failed first"]) {
      $0.tryFilter { number in
        if number == 5 { throw TestError.second }
        return number == 2
      }.mapError(typed)
    },
    OperatorCase("removeDuplicates", ["0", "1", "2", "3", "finished"], ["0", "1", "failed first"]) {
      $0.map { $0 / 2 }.removeDuplicates()
    },
    OperatorCase("tryRemoveDuplicates", ["1", "failed second"], ["1", "failed first"]) {
      $0.tryRemoveDuplicates { _, new in
        if new == 4 { throw TestError.second }
        return true
      }.mapError(typed)
    },
    OperatorCase("scan", ["1", "3", "6", "10", "15", "21", "finished"], ["1", "3", "6", "failed first"]) {
      $0.scan(0, +)
    },
    OperatorCase("tryScan", ["1", "3", "6", "failed second"], ["1", "3", "6", "failed first"]) {
      $0.tryScan(0) { sum, number in
        if number == 4 { throw TestError.second }
        return sum + number
      }.mapError(typed)
    },
    OperatorCase("encode decode", numbers, failed) {
      $0.map { [$0] }.encode(encoder: JSONEncoder()).decode(type: [Int].self, decoder: JSONDecoder())
        .mapError(typed).map { $0[0] }
    },
  ]

  static let limiting: [OperatorCase] = [
    OperatorCase("dropFirst", ["3", "4", "5", "6", "finished"], ["3", "failed first"]) { $0.dropFirst(2) },
    OperatorCase("drop while", ["3", "4", "5", "6", "finished"], ["3", "failed first"]) { $0.drop { $0 < 3 } },
    OperatorCase("tryDrop while", ["failed second"], ["failed second"]) {
      $0.tryDrop { _ in throw TestError.second }.mapError(typed)
    },
    OperatorCase("prefix", ["1", "2", "finished"], ["1", "2", "finished"]) { $0.prefix(2) },
    OperatorCase("prefix none", ["finished"], ["finished"]) { $0.prefix(0) },
    OperatorCase("prefix while", ["1", "2", "finished"], ["1", "2", "finished"]) { $0.prefix { $0 < 3 } },
    OperatorCase("tryPrefix while", ["1", "failed second"], ["1", "failed second"]) {
      $0.tryPrefix { number in
        if number == 2 { throw TestError.second }
        return true
      }.mapError(typed)
    },
    OperatorCase("output at", ["3", "finished"], ["3", "finished"]) { $0.output(at: 2) },
    OperatorCase("output in", ["4", "5", "6", "finished"], ["failed first"]) { $0.output(in: 3...) },
    OperatorCase("first", ["1", "finished"], ["1", "finished"]) { $0.first() },
    OperatorCase("first where", ["4", "finished"], ["failed first"]) { $0.first { $0 > 3 } },
    OperatorCase("tryFirst where", ["failed second"], ["failed second"]) {
      $0.tryFirst { _ in throw TestError.second }.mapError(typed)
    },
    OperatorCase("last", ["6", "finished"], ["failed first"]) { $0.last() },
    OperatorCase("last where", ["3", "finished"], ["failed first"]) { $0.last { $0 < 4 } },
    OperatorCase("tryLast where", ["failed second"], ["failed first"]) {
      $0.tryLast { number in
        if number == 6 { throw TestError.second }
        return true
      }.mapError(typed)
    },
    OperatorCase("prefix until never", numbers, failed) { $0.prefix(untilOutputFrom: Empty<Int, TestError>()) },
    OperatorCase("prefix until now", ["finished"], ["finished"]) { $0.prefix(untilOutputFrom: Just(0)) },
    OperatorCase("drop until now", numbers, failed) {
      $0.drop(untilOutputFrom: Just(0).setFailureType(to: TestError.self))
    },
    OperatorCase("drop until never", ["finished"], ["finished"]) {
      $0.drop(untilOutputFrom: Empty<Int, TestError>())
    },
  ]

  static let folding: [OperatorCase] = [
    OperatorCase("reduce", ["21", "finished"], ["failed first"]) { $0.reduce(0, +) },
    OperatorCase("tryReduce", ["failed second"], ["failed second"]) {
      $0.tryReduce(0) { sum, number in
        if number == 3 { throw TestError.second }
        return sum + number
      }.mapError(typed)
    },
    OperatorCase("collect", ["[1, 2, 3, 4, 5, 6]", "finished"], ["failed first"]) { $0.collect() },
    OperatorCase("collect count", ["[1, 2, 3, 4]", "[5, 6]", "finished"], ["failed first"]) { $0.collect(4) },
    OperatorCase("count", ["6", "finished"], ["failed first"]) { $0.count() },
    OperatorCase("min", ["1", "finished"], ["failed first"]) { $0.min() },
    OperatorCase("max", ["6", "finished"], ["failed first"]) { $0.max() },
    OperatorCase("tryMax", ["failed second"], ["failed second"]) {
      $0.tryMax { _, _ in throw TestError.second }.mapError(typed)
    },
    OperatorCase("contains", ["true", "finished"], ["true", "finished"]) { $0.contains(2) },
    OperatorCase("contains not", ["false", "finished"], ["failed first"]) { $0.contains(9) },
    OperatorCase("contains where", ["true", "finished"], ["failed first"]) { $0.contains { $0 > 4 } },
    OperatorCase("tryContains where", ["failed second"], ["failed second"]) {
      $0.tryContains { _ in throw TestError.second }.mapError(typed)
    },
    OperatorCase("allSatisfy", ["true", "finished"], ["failed first"]) { $0.allSatisfy { $0 > 0 } },
    OperatorCase("allSatisfy not", ["false", "finished"], ["false", "finished"]) { $0.allSatisfy { $0 < 2 } },
    OperatorCase("tryAllSatisfy", ["failed second"], ["failed second"]) {
      $0.tryAllSatisfy { _ in throw TestError.second }.mapError(typed)
    },
    OperatorCase("ignoreOutput", ["finished"], ["failed first"]) { $0.ignoreOutput() },
    OperatorCase("replaceEmpty", numbers, failed) { $0.replaceEmpty(with: 0) },
    OperatorCase("replaceEmpty of nothing", ["0", "finished"], ["failed first"]) {
      $0.filter { _ in false }.replaceEmpty(with: 0)
    },
  ]

  static let failures: [OperatorCase] = [
    OperatorCase("replaceError", numbers, ["1", "2", "3", "0", "finished"]) {
      $0.replaceError(with: 0).setFailureType(to: TestError.self)
    },
    OperatorCase("catch", numbers, ["1", "2", "3", "8", "9", "finished"]) {
      $0.catch { _ in [8, 9].publisher.setFailureType(to: TestError.self) }
    },
    OperatorCase("tryCatch", numbers, ["1", "2", "3", "failed second"]) {
      $0.tryCatch { _ -> Numbers in throw TestError.second }.mapError(typed)
    },
    OperatorCase("retry", numbers, ["1", "2", "3", "1", "2", "3", "failed first"]) { $0.retry(1) },
  ]

  static let combining: [OperatorCase] = [
    OperatorCase("append", numbers.dropLast() + ["8", "9", "finished"], failed) { $0.append(8, 9) },
    OperatorCase("append nothing", numbers, failed) { $0.append(Empty()) },
    OperatorCase("prepend", ["8", "9"] + numbers, ["8", "9"] + failed) { $0.prepend(8, 9) },
    OperatorCase("merge", numbers, failed) { $0.merge(with: Empty()) },
    OperatorCase("merge three", numbers, failed) { $0.merge(with: Empty(), Empty()) },
    OperatorCase("merge many", numbers, failed) { Publishers.MergeMany([$0]) },
    OperatorCase(
      "flatMap", ["1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6", "6", "finished"],
      ["1", "1", "2", "2", "3", "3", "failed first"]
    ) { $0.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher } },
    OperatorCase("flatMap just", numbers, failed) { $0.flatMap { Just($0) } },
    OperatorCase("switchToLatest", numbers, failed) {
      $0.map { Just($0).setFailureType(to: TestError.self) }.switchToLatest()
    },
    OperatorCase(
      "combineLatest", ["(0, 1)", "(0, 2)", "(0, 3)", "(0, 4)", "(0, 5)", "(0, 6)", "finished"],
      ["(0, 1)", "(0, 2)", "(0, 3)", "failed first"]
    ) { Just(0).setFailureType(to: TestError.self).combineLatest($0) },
    OperatorCase(
      "combineLatest three", numbers.map { $0 == "finished" ? $0 : "12\($0)" }, ["121", "122", "123", "failed first"]
    ) {
      Just(1).setFailureType(to: TestError.self).combineLatest(Just(2).setFailureType(to: TestError.self), $0) {
        $0 * 100 + $1 * 10 + $2
      }
    },
    OperatorCase(
      "combineLatest four", numbers.map { $0 == "finished" ? $0 : "12\($0)" }, ["121", "122", "123", "failed first"]
    ) {
      let one = Just(1).setFailureType(to: TestError.self)
      return one.combineLatest(Just(2).setFailureType(to: TestError.self), one, $0) { $0 * 100 + $1 * 10 + $3 }
    },
    OperatorCase("zip", ["(8, 1)", "(9, 2)", "finished"], ["(8, 1)", "(9, 2)", "finished"]) {
      [8, 9].publisher.setFailureType(to: TestError.self).zip($0)
    },
    OperatorCase("zip three", ["6", "12", "finished"], ["6", "12", "finished"]) {
      let two = [2, 4].publisher.setFailureType(to: TestError.self)
      return two.zip([3, 6].publisher.setFailureType(to: TestError.self), $0) { $0 + $1 + $2 }
    },
    OperatorCase("zip four", ["4", "8", "finished"], ["4", "8", "finished"]) {
      let two = [1, 2].publisher.setFailureType(to: TestError.self)
      return two.zip(two, two, $0) { $0 + $1 + $2 + $3 }
    },
  ]

  /// Ask upstream for more than they are asked for: a failure overtakes the values that they keep, and publishers that
  /// come at once replace one another.
  var asksAhead: Bool { description.hasPrefix("merge") || description.hasPrefix("flatMap") || isSwitching }
  var isSwitching: Bool { description == "switchToLatest" }

  static let passing: [OperatorCase] = [
    OperatorCase("eraseToAnyPublisher", numbers, failed) { $0.eraseToAnyPublisher() },
    OperatorCase("handleEvents", numbers, failed) { $0.handleEvents() },
    OperatorCase("print", numbers, failed) { $0.print("", to: Nowhere()) },
    OperatorCase("receive on", numbers, failed) { $0.receive(on: ImmediateScheduler.shared) },
    OperatorCase("subscribe on", numbers, failed) { $0.subscribe(on: ImmediateScheduler.shared) },
    OperatorCase("delay", numbers, failed) { $0.delay(for: 1, scheduler: ImmediateScheduler.shared) },
    OperatorCase("deferred", numbers, failed) { numbers in Deferred { numbers } },
  ]

  private struct Nowhere: TextOutputStream {
    func write(_ string: String) {}
  }
}

extension Int {
  fileprivate var binary: String { String(self, radix: 2) }
}
