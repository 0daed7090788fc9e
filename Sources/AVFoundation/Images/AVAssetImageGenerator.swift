public import CoreGraphics
public import CoreMedia
public import Foundation
import MediaEngine
import MediaRuntime

/// Still pictures of an asset's video, off the playback path.
///
/// With the tolerances that it comes with (infinite), the picture of the nearest key frame is given, which is decoded
/// alone; with tolerances of zero the picture that is shown at the time. Many times that are asked for together are found
/// in one pass. Settings are taken when pictures are asked for; later changes do not touch them.
///
/// Beyond the end there is no picture (`AVError.noImageAtTime`) unless `requestedTimeToleranceBefore` reaches back to the
/// last one. Cover pictures are no video.
open class AVAssetImageGenerator: NSObject {
  /// How an answer to `generateCGImagesAsynchronously` came about.
  public enum Result: Int, Sendable {
    case succeeded = 0
    case failed = 1
    case cancelled = 2
  }

  /// What becomes of high dynamic range.
  public struct DynamicRangePolicy: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Tone-mapped to sRGB with 8 bits a component.
    public static let forceSDR = DynamicRangePolicy(rawValue: "ForceSDR")
    /// As the media has it: 16 bits a component in a colour space of ITU-R BT.2100.
    public static let matchSource = DynamicRangePolicy(rawValue: "MatchSource")
  }

  public let asset: AVAsset

  /// Turns and mirrors pictures as the video track says.
  open var appliesPreferredTrackTransform = false
  /// The box in pixels that pictures are scaled down into; a side of 0 is free. They are never scaled up.
  open var maximumSize = CGSize.zero
  /// Nil is the clean aperture. Containers' clean apertures are not read: it equals the production aperture, with square
  /// pixels; `encodedPixels` leaves the pixels as they are stored.
  open var apertureMode: AVVideoApertureMode?
  open var dynamicRangePolicy = DynamicRangePolicy.forceSDR
  /// How much earlier than asked for a picture may be.
  open var requestedTimeToleranceBefore = CMTime.positiveInfinity
  /// How much later than asked for a picture may be.
  open var requestedTimeToleranceAfter = CMTime.positiveInfinity

  let extraction: ImageExtraction

  /// Works with any asset; media without video give errors for each picture.
  public init(asset: AVAsset) {
    self.asset = asset
    extraction = ImageExtraction(asset.core)
    super.init()
  }

  /// Answers what has no answer yet with `.cancelled`, at once.
  open func cancelAllCGImageGeneration() {
    extraction.cancelAll()
  }

  /// What the settings are now.
  var settings: ImageSettings {
    var settings = ImageSettings()
    settings.appliesTransform = appliesPreferredTrackTransform
    settings.maximumSize = maximumSize
    settings.aperture = apertureMode == .encodedPixels ? .encoded : .presentation
    settings.keepsDynamicRange = dynamicRangePolicy == .matchSource
    return settings
  }

  func request(_ time: CMTime) -> ImageRequest {
    for tolerance in [requestedTimeToleranceBefore, requestedTimeToleranceAfter]
    where !tolerance.isValid || tolerance.isIndefinite || tolerance < .zero {
      preconditionFailure("Image generation needs tolerances that are valid and not negative; got \(tolerance).")
    }
    return ImageRequest(
      time: time, toleranceBefore: requestedTimeToleranceBefore, toleranceAfter: requestedTimeToleranceAfter)
  }
}

/// Called once for each time: the time asked for, the picture, its own time, how it came about, the error.
public typealias AVAssetImageGeneratorCompletionHandler =
  @Sendable (CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?) -> Void
