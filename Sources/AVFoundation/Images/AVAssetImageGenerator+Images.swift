public import CoreGraphics
public import CoreMedia
import Foundation
import MediaEngine
import MediaRuntime

extension AVAssetImageGenerator {
  /// The pictures of many times, one after the other. It is its own iterator: one consumer goes through it once.
  public struct Images: AsyncSequence, AsyncIteratorProtocol, Sendable {
    public typealias AsyncIterator = Images
    public typealias Failure = Never

    /// The picture of one time, or why there is none.
    public enum Element: Sendable {
      case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
      case failure(requestedTime: CMTime, error: any Error)

      public var requestedTime: CMTime {
        switch self {
        case .success(let time, _, _), .failure(let time, _): time
        }
      }

      public var image: CGImage {
        get throws {
          switch self {
          case .success(_, let image, _): return image
          case .failure(_, let error): throw error
          }
        }
      }

      public var actualTime: CMTime {
        get throws {
          switch self {
          case .success(_, _, let time): return time
          case .failure(_, let error): throw error
          }
        }
      }
    }

    private let stream: ImageStream

    init(_ stream: ImageStream) {
      self.stream = stream
    }

    public func makeAsyncIterator() -> Images { self }

    /// Nil behind the last one. When the task is cancelled, what is left fails with `AVError.operationCancelled`.
    public mutating func next() async -> Element? { await stream.next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await stream.next(isolation: actor)
    }
  }
}

/// What has been made for a sequence and not been taken yet.
final class ImageStream: Sendable {
  typealias Element = AVAssetImageGenerator.Images.Element

  private struct State {
    var ready: [Element] = []
    var waiting: [CheckedContinuation<Element?, Never>] = []
    /// Elements that are not made yet.
    var left: Int
  }

  private let times: [CMTime]
  private let state: Lock<State>
  private let run = Lock<ImageRun?>(nil)
  /// Nobody else may keep it while the consumer thinks.
  private let extraction: ImageExtraction
  /// An asset that is let go would give up loading. It is not used.
  private let asset: Unchecked<AVAsset>

  init(
    _ times: [CMTime], _ asset: AVAsset, _ extraction: ImageExtraction, _ requests: [ImageRequest],
    _ settings: ImageSettings
  ) {
    self.times = times
    self.asset = Unchecked(asset)
    self.extraction = extraction
    state = Lock(State(left: times.count))
    let started = extraction.start(requests, settings, isDirect: true) { [weak self] _, index, result in
      self?.made(index, MadeImage.of(result))
    }
    run.withLock { $0 = started }
  }

  deinit {
    run.withLock { $0 }?.cancel()
  }

  private func made(_ index: Int, _ result: Result<MadeImage, NSError>) {
    let time = times.indices.contains(index) ? times[index] : .invalid
    let element: Element =
      switch result {
      case .success(let made): .success(requestedTime: time, image: made.image, actualTime: made.time)
      case .failure(let error): .failure(requestedTime: time, error: error)
      }
    let (first, rest) = state.withLock {
      state -> (CheckedContinuation<Element?, Never>?, [CheckedContinuation<Element?, Never>]) in
      state.left -= 1
      let first = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      if first == nil { state.ready.append(element) }
      guard state.left == 0 else { return (first, []) }
      defer { state.waiting = [] }
      return (first, state.waiting)
    }
    if let first {
      first.resume(returning: element)
      run.withLock { $0 }?.take()
    }
    for waiting in rest { waiting.resume(returning: nil) }
  }

  func next(isolation: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let answer = state.withLock { state -> Element?? in
          if !state.ready.isEmpty { return .some(state.ready.removeFirst()) }
          if state.left == 0 { return .some(nil) }
          state.waiting.append(continuation)
          return nil
        }
        guard let answer else { return }
        continuation.resume(returning: answer)
        if answer != nil { run.withLock { $0 }?.take() }
      }
    } onCancel: {
      run.withLock { $0 }?.cancel()
    }
  }
}
