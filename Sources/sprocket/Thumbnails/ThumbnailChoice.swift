import AVFoundation
import MediaRuntime

/// The picture for a film of which nobody said a time: the key frame a tenth in, or, where that is black or blank, the
/// first of some later ones that is not; else the one with most to see. As desktops' thumbnailers do.
final class ThumbnailChoice: Sendable {
  typealias Found = (image: CGImage, time: CMTime)

  private struct State {
    var rest: ArraySlice<CMTime>
    var best: (found: Found, spread: Double)?
    var error: (any Error)?
  }

  /// `@unchecked Sendable`: used by one call after the other.
  private struct Maker: @unchecked Sendable {
    let generator: AVAssetImageGenerator
  }

  private let maker: Maker
  private let state: Lock<State>
  private let completion: @Sendable (Found?, (any Error)?) -> Void

  /// Brightness and spread, of 255, below which a picture shows nothing.
  static let dark = 24.0
  static let flat = 6.0

  /// - Parameter completion: called once, on a thread of the engine's.
  init(
    _ generator: AVAssetImageGenerator, duration: CMTime,
    _ completion: @escaping @Sendable (Found?, (any Error)?) -> Void
  ) {
    maker = Maker(generator: generator)
    let length = duration.isNumeric && duration > .zero ? duration : .zero
    let shares: [Double] = length > .zero ? [0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 0] : [0]
    state = Lock(State(rest: shares.map { CMTimeMultiplyByFloat64(length, multiplier: $0) }[...]))
    self.completion = completion
  }

  func next() {
    guard let time = state.withLock({ $0.rest.popFirst() }) else {
      let (best, error) = state.withLock { ($0.best, $0.error) }
      return completion(best?.found, error)
    }
    maker.generator.generateCGImageAsynchronously(for: time) { [self] image, actualTime, error in
      if let image {
        let (mean, spread) = image.liveliness
        if mean >= Self.dark, spread >= Self.flat { return completion((image, actualTime), nil) }
        state.withLock { state in
          if state.best.map({ $0.spread < spread }) ?? true { state.best = ((image, actualTime), spread) }
        }
      } else if let error {
        state.withLock { $0.error = $0.error ?? error }
      }
      next()
    }
  }
}
