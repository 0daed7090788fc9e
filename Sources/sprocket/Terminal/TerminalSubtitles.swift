import AVFoundation
import MediaEngine
import MediaRuntime
import SubtitleRendering
import VideoOutput

/// Subtitles over the picture in the terminal, in that picture's own pixels.
@MainActor
final class TerminalSubtitles {
  private let renderer: SubtitleRenderer

  /// - Parameter fonts: those that came with the film.
  init(fonts: [AttachedFont] = [], appearance: SubtitleAppearance = SubtitleAppearance()) {
    renderer = SubtitleRenderer(fonts: fonts, appearance: appearance)
  }

  /// Why text is not drawn; nil when it is.
  var problem: String? { renderer.problem?.message }

  /// The picture with what is shown over it.
  /// - Parameters:
  ///   - image: upright, of the size that the terminal gets.
  ///   - time: in item time.
  ///   - stored: the size of the film's stored picture, upright; scripts of films whose pixels are not square need it.
  func composed(_ image: RGBImage, _ shown: ShownSubtitles, at time: CMTime, stored: CGSize = .zero) -> RGBImage {
    guard !shown.isEmpty else { return image }
    let sides = 0...CGFloat(1 << 20)
    let isKnown = sides.contains(stored.width) && sides.contains(stored.height)
    let overlay = renderer.overlay(
      of: shown, at: time,
      SubtitleGeometry(
        width: image.width, height: image.height, storageWidth: isKnown ? Int(stored.width) : 0,
        storageHeight: isKnown ? Int(stored.height) : 0))
    guard !overlay.isEmpty else { return image }
    var composed = image
    composed.bytes.withUnsafeMutableBytes {
      _ = overlay.draw(
        into: $0, width: image.width, height: image.height, bytesPerRow: image.width * 3, layout: .rgb)
    }
    return composed
  }
}
