import AVFoundation
import Foundation
import MediaEngine
import MediaRuntime
import SubtitleRendering

/// Draws a film's subtitles into its pictures.
///
/// `@unchecked Sendable`: everything that changes is used under its lock.
final class ThumbnailSubtitles: @unchecked Sendable {
  private enum Source {
    case track(CueReader)
    case file(CueTimeline, header: String)
  }

  private let lock = Lock(())
  private let source: Source
  private let renderer: SubtitleRenderer
  /// Of the film's stored picture, upright.
  private let stored: (width: Int, height: Int)
  private var firstProblem: String?

  private init(_ source: Source, fonts: [AttachedFont], stored: (width: Int, height: Int)) {
    self.source = source
    self.stored = stored
    renderer = SubtitleRenderer(fonts: fonts)
  }

  /// What went wrong first; nil when all was drawn.
  var problem: String? { lock.withLock { _ in firstProblem } }

  /// The picture with what is shown at a time; the picture itself where it can't be drawn.
  func draw(over image: CGImage, at time: CMTime) -> CGImage {
    lock.withLock { _ in
      do throws(MediaError) {
        let layer: SubtitleLayer
        switch source {
        case .track(let reader): layer = try reader.layer(at: time)
        case .file(let cues, let header): layer = SubtitleLayer(cues: cues.shown(at: time), scriptHeader: header)
        }
        let geometry = SubtitleGeometry(
          width: image.width, height: image.height, storageWidth: stored.width, storageHeight: stored.height)
        let overlay = renderer.overlay(of: ShownSubtitles([layer]), at: time, geometry)
        if let problem = renderer.problem { throw problem }
        if let drawn = overlay.drawn(over: image) { return drawn }
      } catch {
        firstProblem = firstProblem ?? "Subtitles are missing: \(error.message)"
      }
      return image
    }
  }

  // MARK: Opening

  /// - Parameter completion: called once, on an engine queue.
  static func open(
    _ wish: SubtitleWish, of asset: AVURLAsset,
    _ completion: @escaping @Sendable (Result<ThumbnailSubtitles, MediaError>) -> Void
  ) {
    // The asset has set the engine up.
    guard let environment = EngineEnvironment.current else { return completion(.failure(wish.missing(in: []))) }
    let stored = storedSize(of: asset)
    let url = asset.url
    let options = asset.mediaSelectionGroup(forMediaCharacteristic: .legible)?.options ?? []
    let file: URL
    if case .file(let named) = wish {
      file = named
    } else {
      guard let option = wish.option(of: options), let place = options.firstIndex(of: option) else {
        return completion(.failure(wish.missing(in: options)))
      }
      // Files beside the film follow its own tracks.
      let beside = AVURLAsset.subtitleFiles(besideMediaAt: url)
      let own = options.count - beside.count
      guard place >= own else {
        let queue = environment.scheduler.queue("subtitles of \(url.lastPathComponent)", .blocking)
        queue.post("open subtitles") {
          completion(
            Result { () throws(MediaError) in
              let reader = try CueReader(url, environment)
              let tracks = reader.description.tracks(of: .legible)
              guard tracks.indices.contains(place) else { throw wish.missing(in: []) }
              try reader.select(tracks[place])
              return ThumbnailSubtitles(.track(reader), fonts: reader.description.fonts, stored: stored)
            })
          queue.close()
        }
        return
      }
      file = beside[place - own]
    }
    // Scripts beside a film may use the fonts in it.
    let fonts = (try? asset.core.description?.get())?.fonts ?? []
    SideFile.load(file, environment) { result in
      completion(
        result.map { file in
          ThumbnailSubtitles(
            .file(CueTimeline(file.cues), header: file.script?.header ?? ""), fonts: fonts, stored: stored)
        })
    }
  }

  private static func storedSize(of asset: AVURLAsset) -> (width: Int, height: Int) {
    guard let track = asset.tracks(withMediaType: .video).first, let first = track.formatDescriptions.first,
      let format = first as? CMFormatDescription
    else { return (0, 0) }
    let size = CMVideoFormatDescriptionGetDimensions(format)
    let isTurned = abs(track.preferredTransform.b) > abs(track.preferredTransform.a)
    let (width, height) = (Int(size.width), Int(size.height))
    return isTurned ? (height, width) : (width, height)
  }
}
