public import Foundation
import MediaRuntime

/// A class whose properties may have to be read from media first.
public protocol AVAsynchronousKeyValueLoading: NSObjectProtocol {
  /// The state of a property named as in Objective-C (`duration`, `playable`).
  func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus

  /// Loads properties; the handler is called once, on any thread, when all are loaded, failed or cancelled.
  /// At once when they are already.
  @preconcurrency
  func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)?)
}

extension AVAsynchronousKeyValueLoading {
  /// Loads a property. One load serves all who wait; cancelling the task does not cancel it for the others.
  /// - Throws: an `NSError` of `AVFoundationErrorDomain` or `NSURLErrorDomain`.
  public func load<T>(
    _ property: AVAsyncProperty<Self, T>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> T {
    try await loadValues([property.key], isolation: isolation)
    return try value(of: property)
  }

  /// Loads several properties; the values come in the order of the arguments.
  public func load<A, B, each C>(
    _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>,
    _ others: repeat AVAsyncProperty<Self, each C>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, repeat each C) {
    var keys = [first.key, second.key]
    for other in repeat each others { keys.append(other.key) }
    try await loadValues(keys, isolation: isolation)
    return (try value(of: first), try value(of: second), repeat try value(of: each others))
  }

  /// How far a property's loading has come, without waiting.
  public func status<T>(of property: AVAsyncProperty<Self, T>) -> AVAsyncProperty<Self, T>.Status {
    switch loader?.status(of: property.key) ?? .loaded {
    case .notYetLoaded: return .notYetLoaded
    case .loading: return .loading
    case .failed(let error): return .failed(error)
    case .loaded:
      do {
        return .loaded(try value(of: property))
      } catch {
        return .failed(error.asNSError)
      }
    }
  }

  private var loader: (any PropertyLoading)? { (self as? any LoadableProperties)?.loader }

  private func value<T>(of property: AVAsyncProperty<Self, T>) throws -> T {
    do {
      return try property.read(self)
    } catch {
      throw error.asNSError
    }
  }

  private func loadValues(_ keys: [String], isolation: isolated (any Actor)?) async throws {
    guard let loader else { return }
    try await withCheckedThrowingContinuation(isolation: isolation) {
      (continuation: CheckedContinuation<Void, any Error>) in
      loader.load(keys) { result in
        switch result {
        case .success: continuation.resume()
        case .failure(let error): continuation.resume(throwing: error)
        }
      }
    }
  }
}

/// What classes of ours tell the generic code above.
protocol LoadableProperties: AVAsynchronousKeyValueLoading {
  /// Nil when everything is known from the start.
  var loader: (any PropertyLoading)? { get }
}

extension LoadableProperties {
  func keyStatus(_ key: String, _ outError: NSErrorPointer) -> AVKeyValueStatus {
    switch loader?.status(of: key) ?? .loaded {
    case .notYetLoaded: return .unknown
    case .loading: return .loading
    case .loaded: return .loaded
    case .failed(let error):
      outError?.pointee = error
      return loader?.isCancelled(key) == true ? .cancelled : .failed
    }
  }

  func loadKeys(_ keys: [String], _ handler: (@Sendable () -> Void)?) {
    guard let loader else {
      handler?()
      return
    }
    loader.load(keys) { _ in handler?() }
  }
}
