import CoreGraphics
public import Foundation

/// A request for the value of an item that makes it late. It is answered once, from any thread, at any time.
open class AVMetadataItemValueRequest: NSObject {
  /// The item whose value is wanted.
  open private(set) weak var metadataItem: AVMetadataItem?
  private let value: LateValue

  init(_ item: AVMetadataItem, _ value: LateValue) {
    metadataItem = item
    self.value = value
  }

  deinit {
    // Nobody can answer any more.
    value.answer(.failure(AVError.make(.unknown, "The item's value was asked for and never given.")))
  }

  open func respond(value: any NSCopying & NSObjectProtocol) { self.value.answer(.success(value)) }

  /// The value can't be had.
  open func respond(error: any Error) { value.answer(.failure(error.asNSError)) }
}

/// A value that its app makes when it is first wanted; copies of an item share it.
final class LateValue: Sendable {
  typealias Value = any NSCopying & NSObjectProtocol
  typealias Handler = (AVMetadataItemValueRequest) -> Void

  private struct State {
    /// Nil once it has been called.
    var handler: Handler?
    var answer: Result<Value, NSError>?
    var waiters: [@Sendable (Result<Void, NSError>) -> Void] = []
  }

  private let state: ValueLock<State>

  init(_ handler: @escaping Handler) {
    state = ValueLock(State(handler: handler))
  }

  var answer: Result<Value, NSError>? { state.withLock { $0.answer } }

  var isAskedFor: Bool { state.withLock { $0.handler == nil } }

  /// Calls the handler, unless somebody has.
  func ask(for item: AVMetadataItem) {
    let handler = state.withLock { state in
      defer { state.handler = nil }
      return state.handler
    }
    handler?(AVMetadataItemValueRequest(item, self))
  }

  /// The first answer counts.
  func answer(_ answer: Result<Value, NSError>) {
    let waiters = state.withLock { state in
      guard state.answer == nil else { return [] as [@Sendable (Result<Void, NSError>) -> Void] }
      state.answer = answer
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter(answer.map { _ in () }) }
  }

  func whenAnswered(_ completion: @escaping @Sendable (Result<Void, NSError>) -> Void) {
    let answer = state.withLock { state in
      if state.answer == nil { state.waiters.append(completion) }
      return state.answer
    }
    if let answer { completion(answer.map { _ in () }) }
  }
}

/// Loads the late value of one item; its other properties are known.
struct LateValueLoader: PropertyLoading {
  let item: AVMetadataItem
  let value: LateValue

  private static let keys: Set = ["value", "stringValue", "numberValue", "dateValue", "dataValue"]

  func load(_ keys: [String], _ completion: @escaping @Sendable (Result<Void, NSError>) -> Void) {
    guard !Self.keys.isDisjoint(with: keys) else { return completion(.success(())) }
    value.ask(for: item)
    value.whenAnswered(completion)
  }

  func status(of key: String) -> PropertyStatus {
    guard Self.keys.contains(key) else { return .loaded }
    switch value.answer {
    case .success: return .loaded
    case .failure(let error): return .failed(error)
    case nil: return value.isAskedFor ? .loading : .notYetLoaded
    }
  }

  func isCancelled(_ key: String) -> Bool { false }
}
