public import CoreGraphics
public import CoreMedia
public import Foundation
import MediaEngine
import MediaRuntime

extension AVAssetImageGenerator {
  /// One picture and its own time. A task that is cancelled gets `AVError.operationCancelled`.
  public func image(
    at time: CMTime, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (image: CGImage, actualTime: CMTime) {
    let single = SingleImage()
    let extraction = extraction
    // An asset that is let go would give up loading. It is not used.
    let asset = Unchecked(asset)
    let run = extraction.start([request(time)], settings, isDirect: true) { run, _, result in
      single.set(result)
      withExtendedLifetime((extraction, asset)) { run.take() }
    }
    return try await withTaskCancellationHandler {
      let result = await single.value(isolation: isolation)
      return try result.map { ($0.image, $0.time) }.get()
    } onCancel: {
      run.cancel()
    }
  }

  /// Pictures in the order of their times, made while they are taken: a few ahead. Each time has one element. Letting go
  /// of the sequence cancels the rest.
  public func images(for times: [CMTime]) -> Images {
    Images(ImageStream(times, asset, extraction, times.map(request), settings))
  }

  /// One picture; the handler is called once, on a thread of the engine's.
  @preconcurrency
  public func generateCGImageAsynchronously(
    for requestedTime: CMTime, completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
  ) {
    generate([requestedTime]) { _, result in
      switch result {
      case .success(let made): handler(made.image, made.time, nil)
      case .failure(let error): handler(nil, .invalid, error)
      }
    }
  }

  /// Many pictures, in the order of their times; the handler is called once for each, on a thread of the engine's, one
  /// call after the other.
  @preconcurrency
  public func generateCGImagesAsynchronously(
    forTimes requestedTimes: [NSValue], completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler
  ) {
    let times = requestedTimes.map(\.timeValue)
    generate(times) { index, result in
      guard times.indices.contains(index) else { return }
      switch result {
      case .success(let made): handler(times[index], made.image, made.time, .succeeded, nil)
      case .failure(let error):
        let isCancelled =
          error.domain == AVFoundationErrorDomain && error.code == AVError.Code.operationCancelled.rawValue
        handler(times[index], nil, .invalid, isCancelled ? .cancelled : .failed, error)
      }
    }
  }

  /// One picture, waited for.
  /// - Parameter actualTime: receives the picture's own time.
  public func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
    let gate = Gate<Swift.Result<MadeImage, NSError>?>(
      asset.core.environment.scheduler, "image of \(asset.core.url.lastPathComponent)", nil)
    let extraction = extraction
    let run = extraction.start([request(requestedTime)], settings, isDirect: true) { run, _, result in
      let made = MadeImage.of(result)
      gate.withLock(signal: true) { $0 = made }
      run.take()
    }
    let answer = gate.wait("a picture", ready: { $0 != nil }, take: { $0 })
    withExtendedLifetime(run) {}
    guard case .value(let result?) = answer else {
      throw AVError.make(.operationCancelled, "The picture was given up because the process is shutting down.")
    }
    let made = try result.get()
    actualTime?.pointee = made.time
    return made.image
  }

  private func generate(
    _ times: [CMTime], _ handler: @escaping @Sendable (Int, Swift.Result<MadeImage, NSError>) -> Void
  ) {
    let extraction = extraction
    // The run keeps both until it has answered everything, also when the generator is gone; an asset that is let go would
    // give up loading. It is not used.
    let asset = Unchecked(asset)
    _ = extraction.start(times.map(request), settings, isDirect: false) { run, index, result in
      handler(index, MadeImage.of(result))
      withExtendedLifetime((extraction, asset)) { run.take() }
    }
  }
}
