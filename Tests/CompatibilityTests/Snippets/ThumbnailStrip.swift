import AVFoundation

/// The strip of pictures under a scrubber, in the forms that apps write.
@MainActor
final class ThumbnailStrip {
  private let generator: AVAssetImageGenerator
  private(set) var pictures: [(time: CMTime, image: CGImage)] = []
  private(set) var failures = 0

  init(asset: AVAsset) {
    generator = AVAssetImageGenerator(asset: asset)
    generator.appliesPreferredTrackTransform = true
    generator.maximumSize = CGSize(width: 160, height: 160)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
  }

  func fill(_ times: [CMTime]) async {
    for await result in generator.images(for: times) {
      switch result {
      case .success(requestedTime: let requested, image: let image, actualTime: let actual):
        if actual <= requested { pictures.append((actual, image)) }
      case .failure(requestedTime: _, error: _):
        failures += 1
      }
    }
  }

  func poster() async throws -> CGImage {
    let (image, _) = try await generator.image(at: CMTime(seconds: 1, preferredTimescale: 600))
    return image
  }

  func preview(at seconds: Double) async throws -> CGImage {
    try await generator.image(at: CMTime(seconds: seconds, preferredTimescale: 600)).image
  }

  /// As in Objective-C's days.
  nonisolated static func legacyPictures(
    of url: URL, at seconds: [Double], done: @escaping @Sendable (AVAssetImageGenerator.Result) -> Void
  ) {
    let generator = AVAssetImageGenerator(asset: AVAsset(url: url))
    let times = seconds.map { NSValue(time: CMTime(seconds: $0, preferredTimescale: 600)) }
    generator.generateCGImagesAsynchronously(forTimes: times) { _, image, _, result, error in
      switch result {
      case .succeeded: done(image == nil ? .failed : .succeeded)
      case .failed: done((error as? AVError)?.code == .noImageAtTime ? .failed : .cancelled)
      case .cancelled: done(.cancelled)
      @unknown default: break
      }
    }
  }

  func copied(at seconds: Double) throws -> CGImage {
    try generator.copyCGImage(at: CMTime(seconds: seconds, preferredTimescale: 600), actualTime: nil)
  }
}
