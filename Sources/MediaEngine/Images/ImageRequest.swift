package import CoreGraphics
package import CoreMedia
package import CoreVideo

/// A still picture that is wanted of media.
package struct ImageRequest: Sendable {
  /// Item time. Beyond the end when positive infinity.
  package var time: CMTime
  /// How much earlier and later the picture may be; infinite: whatever is decoded quickest.
  package var toleranceBefore: CMTime
  package var toleranceAfter: CMTime

  package init(time: CMTime, toleranceBefore: CMTime = .zero, toleranceAfter: CMTime = .zero) {
    self.time = time
    self.toleranceBefore = toleranceBefore
    self.toleranceAfter = toleranceAfter
  }
}

/// What becomes of a decoded frame on its way to a still picture.
package struct ImageSettings: Hashable, Sendable {
  package enum Aperture: Hashable, Sendable {
    /// Square pixels: the pixel aspect is applied.
    case presentation
    /// The pixels as they are stored.
    case encoded
  }

  /// Turned and mirrored as the track says.
  package var appliesTransform = false
  /// The box that the picture is fitted into, never enlarged; a side of 0 is free.
  package var maximumSize = CGSize.zero
  package var aperture = Aperture.presentation
  /// HDR stays what it is, with 16 bits a component; else it is tone-mapped to 8-bit sRGB.
  package var keepsDynamicRange = false

  package init() {}
}

/// A still picture, upright and scaled as asked.
package struct ExtractedImage: Sendable {
  /// 32-bit BGRA in sRGB; 64-bit RGBA in the media's own transfer function and primaries when HDR is kept.
  package var buffer: CVPixelBuffer
  /// When the media shows it: exact.
  package var time: CMTime
  /// The colour of `buffer` by H.273 when HDR was kept; nil for sRGB.
  package var dynamicRange: ColorDescription?
}
