import Foundation
import MediaEngine
import MediaRuntime

enum PropertyStatus {
  case notYetLoaded, loading, loaded
  case failed(NSError)
}

/// How an object's properties, named as in Objective-C, come to be known.
protocol PropertyLoading {
  /// The completion comes once, on any thread.
  func load(_ keys: [String], _ completion: @escaping @Sendable (Result<Void, NSError>) -> Void)
  func status(of key: String) -> PropertyStatus
  func isCancelled(_ key: String) -> Bool
}

/// Who asked for which keys of an asset, over the engine's one load.
final class PropertyLoader: PropertyLoading, Sendable {
  private struct State {
    var loading: Set<String> = []
    var cancelled: Set<String> = []
  }

  private let core: AssetCore
  private let state = Lock(State())

  init(_ core: AssetCore) {
    self.core = core
  }

  func load(_ keys: [String], _ completion: @escaping @Sendable (Result<Void, NSError>) -> Void) {
    let wanted = Set(keys)
    state.withLock { state in
      state.loading.formUnion(wanted)
      state.cancelled.subtract(wanted)
    }
    core.load { [self] result in
      state.withLock { state in
        state.loading.subtract(wanted)
        if case .failure(let error) = result, error.code == .interrupted { state.cancelled.formUnion(wanted) }
      }
      completion(result.map { _ in () }.mapError { Self.error($0) })
    }
  }

  func status(of key: String) -> PropertyStatus {
    switch core.description {
    case .success: return .loaded
    case .failure(let error): return .failed(Self.error(error))
    case nil:
      return state.withLock { state in
        if state.loading.contains(key) { return .loading }
        return state.cancelled.contains(key) ? .failed(Self.cancelled) : .notYetLoaded
      }
    }
  }

  func isCancelled(_ key: String) -> Bool {
    state.withLock { $0.cancelled.contains(key) }
  }

  func cancel() {
    core.cancelLoading()
  }

  private static var cancelled: NSError {
    AVError.make(.operationCancelled, "Loading was cancelled. Load the property again.")
  }

  private static func error(_ error: MediaError) -> NSError {
    error.code == .interrupted ? cancelled : error.appleError
  }
}
