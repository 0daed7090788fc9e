import AVFoundation
import FFmpegBackend
import ImageIO
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport

/// All frames of a clip by a plain decode from its start: when each is shown and which number is burnt into it.
struct FrameList {
  struct Frame: Equatable {
    var time: CMTime
    var number: Int?
  }

  let frames: [Frame]

  init(_ url: URL) throws {
    let backend = FFmpegMediaBackend()
    let source = FileSource(path: url.path)
    try source.open(.first)
    let demuxer = backend.demuxer(source, hints: SourceHints(pathExtension: url.pathExtension))
    defer { demuxer.close() }
    let description = try demuxer.open(.first)
    guard let track = description.tracks(of: .video).first else {
      frames = []
      return
    }
    demuxer.select([track.index])
    let decoder = try backend.videoDecoder(for: track, threads: 1, .first)
    var found: [Frame] = []
    func take() throws {
      while case .output(let frame) = try decoder.receive() {
        found.append(Frame(time: frame.time, number: FrameCode.read(try frame.picture.pixelBuffer())))
      }
    }
    reading: while true {
      switch try demuxer.read(.first) {
      case .packet(let packet):
        try? decoder.send(packet, skippingNonReference: false)
        try take()
      case .description: break
      case .end: break reading
      }
    }
    decoder.finish()
    try take()
    frames = found
  }

  /// What is shown at a time: the last frame that has begun, else the first.
  func shown(at time: CMTime) -> Frame? { frames.last { $0.time <= time } ?? frames.first }
}

extension CGImage {
  /// The number burnt into it.
  var frameNumber: Int? {
    guard let data = dataProvider?.data, bitsPerPixel == 32 else { return nil }
    return FrameCode.read(width: width, height: height) { x, y in Int(data[y * bytesPerRow + x * 4 + 1]) }
  }
}
