import CoreGraphics
import CoreMedia
import Foundation
import ImageIO
import MediaEngine
import MediaRuntime

/// A picture as apps get it.
struct MadeImage: Sendable {
  let image: CGImage
  let time: CMTime

  static func of(_ result: Result<ExtractedImage, MediaError>) -> Result<MadeImage, NSError> {
    switch result {
    case .success(let extracted):
      do throws(MediaError) {
        return .success(try MadeImage(extracted))
      } catch {
        return .failure(error.appleError)
      }
    case .failure(let error) where error.code == .interrupted:
      return .failure(AVError.make(.operationCancelled, error.message))
    case .failure(let error): return .failure(error.appleError)
    }
  }

  private init(_ extracted: ExtractedImage) throws(MediaError) {
    time = extracted.time
    guard let color = extracted.dynamicRange else {
      image = try PixelBufferImage.image(of: extracted.buffer, isOpaque: true)
      return
    }
    let isGamma = color.transfer == 18
    let space =
      switch color.primaries {
      case 1: isGamma ? CGColorSpace.itur_709_HLG : CGColorSpace.itur_709_PQ
      case 12: isGamma ? CGColorSpace.displayP3_HLG : CGColorSpace.displayP3_PQ
      default: isGamma ? CGColorSpace.itur_2100_HLG : CGColorSpace.itur_2100_PQ
      }
    image = try PixelBufferImage.deepImage(of: extracted.buffer, space)
  }
}

/// One picture that somebody waits for.
final class SingleImage: Sendable {
  private struct State {
    var result: Result<MadeImage, NSError>?
    var waiting: CheckedContinuation<Result<MadeImage, NSError>, Never>?
  }

  private let state = Lock(State())

  func set(_ result: Result<ExtractedImage, MediaError>) {
    let made = MadeImage.of(result)
    let waiting = state.withLock { state in
      state.result = made
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: made)
  }

  func value(isolation: isolated (any Actor)?) async -> Result<MadeImage, NSError> {
    await withCheckedContinuation(isolation: isolation) { continuation in
      let known = state.withLock { state -> Result<MadeImage, NSError>? in
        if state.result == nil { state.waiting = continuation }
        return state.result
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
