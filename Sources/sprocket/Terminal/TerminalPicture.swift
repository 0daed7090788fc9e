import AVFoundation
import MediaEngine
import MediaRuntime
import VideoOutput

/// The picture in the terminal: takes the player's frames at the item's own pace and writes them in the terminal's form.
@MainActor
final class TerminalPicture {
  private let screen: TerminalScreen
  private let wantedStyle: TerminalPictureStyle?
  private let reservedRows: Int
  private var blocks = HalfBlockEncoder(depth: .trueColor)
  private let sixel = SixelEncoder()
  private let kitty = KittyEncoder(id: 4212)
  private var style = TerminalPictureStyle.none
  private var placement: PicturePlacement?
  private var orientation = PictureOrientation.up
  private var output: AVPlayerItemVideoOutput?
  private var frameObserver: (player: AVPlayer, token: Any)?
  private var lastImage: RGBImage?
  private let subtitles = SubtitleOutput()
  private var shown = ShownSubtitles()
  /// Made with the item's fonts when there is something to draw.
  private var drawing: TerminalSubtitles?
  /// Told once for each item: subtitles can't be drawn, and why.
  var onProblem: ((String) -> Void)?

  /// The item whose picture is shown; nil for none.
  var item: AVPlayerItem? {
    didSet {
      guard item !== oldValue else { return }
      if let output { oldValue?.remove(output) }
      output = nil
      lastImage = nil
      oldValue?.core.removeOutput(subtitles)
      shown = ShownSubtitles()
      drawing = nil
      item?.core.addOutput(subtitles)
      if item == nil { remove() }
      attach()
    }
  }

  /// Something else is on the screen; the picture comes back with the next `draw`.
  var isHidden = false {
    didSet { if isHidden, !oldValue { remove() } }
  }

  weak var player: AVPlayer?

  init(screen: TerminalScreen, wantedStyle: TerminalPictureStyle?, reservedRows: Int) {
    self.screen = screen
    self.wantedStyle = wantedStyle
    self.reservedRows = reservedRows
    var handlers = SubtitleOutput.Handlers()
    handlers.onChange = { [weak self] shown, _ in
      RealScheduler.shared.deliver("subtitles", to: nil) { MainActor.assumeIsolated { self?.show(shown) } }
    }
    subtitles.setHandlers(handlers)
  }

  private func show(_ new: ShownSubtitles) {
    shown = new
    draw(force: false)
  }

  /// The terminal was entered or has another size.
  func screenChanged() {
    style = wantedStyle ?? screen.capabilities.style
    blocks = HalfBlockEncoder(depth: screen.capabilities.depth)
    if let output { item?.remove(output) }
    output = nil
    lastImage = nil
    attach()
  }

  /// Takes the picture off the screen.
  func remove() {
    if style == .kitty { screen.write(kitty.delete()) }
    blocks.forget()
  }

  private func attach() {
    if let frameObserver { frameObserver.player.removeTimeObserver(frameObserver.token) }
    frameObserver = nil
    placement = nil
    guard style != .none, let item, let player else { return }
    let size = item.presentationSize
    guard size.width > 0, size.height > 0 else { return }
    let video = item.tracks.compactMap(\.assetTrack).first { $0.mediaType == .video }
    let transform = video?.preferredTransform ?? .identity
    orientation = PictureOrientation(
      a: Double(transform.a), b: Double(transform.b), c: Double(transform.c), d: Double(transform.d))
    let place = PicturePlacement(
      aspect: Double(size.width / size.height), in: screen.geometry, reservedRows: reservedRows, style: style)
    placement = place
    let output = AVPlayerItemVideoOutput(pixelBufferAttributes: [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
      kCVPixelBufferWidthKey as String: orientation.isTurned ? place.pixelHeight : place.pixelWidth,
      kCVPixelBufferHeightKey as String: orientation.isTurned ? place.pixelWidth : place.pixelHeight,
    ])
    item.add(output)
    self.output = output
    // Half a frame's time by the item's clock: fires with the film, not while it stands, and once after each jump.
    let rate = min(max(Double(video?.nominalFrameRate ?? 30), 5), 60)
    let interval = CMTime(value: 1, timescale: CMTimeScale((rate * 2).rounded()))
    let token = player.addPeriodicTimeObserver(forInterval: interval, queue: nil) { [weak self] time in
      MainActor.assumeIsolated { self?.frameMayBeDue(at: time) }
    }
    frameObserver = (player, token)
    frameMayBeDue(at: item.currentTime())
  }

  private func frameMayBeDue(at time: CMTime) {
    guard let output, output.hasNewPixelBuffer(forItemTime: time),
      let buffer = output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil),
      let image = RGBImage(bgra: buffer, orientation: orientation)
    else { return }
    lastImage = image
    draw(force: false)
  }

  func draw(force: Bool) {
    guard !isHidden, let placement, let lastImage else { return }
    if force { blocks.forget() }
    switch style {
    case .blocks:
      let texts = SubtitleRows.texts(of: shown, in: placement)
      screen.write(blocks.encode(drawn(pictures, over: lastImage), at: placement, texts: texts))
    case .sixel: screen.write(sixel.encode(drawn(shown, over: lastImage), at: placement))
    case .kitty: screen.write(kitty.encode(drawn(shown, over: lastImage), at: placement))
    case .none: break
    }
  }

  /// What has no text that could stand among the blocks.
  private var pictures: ShownSubtitles {
    ShownSubtitles(
      shown.layers.map { layer in
        var layer = layer
        layer.cues.removeAll { $0.text != nil }
        return layer
      })
  }

  private func drawn(_ subtitles: ShownSubtitles, over image: RGBImage) -> RGBImage {
    guard !subtitles.isEmpty, let item else { return image }
    let description = try? item.core.asset.description?.get()
    let drawing = drawing ?? TerminalSubtitles(fonts: description?.fonts ?? [])
    let hadProblem = drawing.problem != nil
    self.drawing = drawing
    let format = description?.tracks(of: .video).first?.video
    let stored = CGSize(width: format?.width ?? 0, height: format?.height ?? 0)
    let composed = drawing.composed(
      image, subtitles, at: item.currentTime(),
      stored: orientation.isTurned ? CGSize(width: stored.height, height: stored.width) : stored)
    if let problem = drawing.problem, !hadProblem { onProblem?(problem) }
    return composed
  }
}
