import CFFmpeg
import MediaEngine
package import Foundation
package import MediaRuntime

/// Writes one picture in a still format.
package enum StillEncoder {
  package enum Format: String, Sendable {
    case png, jpeg, webp

    var encoder: String {
      switch self {
      case .png: "png"
      case .jpeg: "mjpeg"
      case .webp: "libwebp"
      }
    }
  }

  /// - Parameters:
  ///   - pixels: rows of 32-bit RGBA, not premultiplied.
  ///   - quality: 0…1, for formats that lose; nil, or what is not a number, leaves it to us.
  package static func encode(
    _ pixels: [UInt8], width: Int, height: Int, hasAlpha: Bool, as format: Format, quality: Double?
  ) throws(MediaError) -> Data {
    guard width > 0, height > 0, width <= 1 << 15, height <= 1 << 15, pixels.count >= width * height * 4 else {
      throw MediaError(
        .writeFailed, "A picture of \(width) × \(height) can't be written. Scale it to at most 32,768 pixels a side.")
    }
    guard let codec = avcodec_find_encoder_by_name(format.encoder) else {
      throw MediaError(
        .writeFailed, "FFmpeg has no encoder for \(format.rawValue) here. Install one that has, or write PNG.")
    }
    var made = avcodec_alloc_context3(codec)
    defer { avcodec_free_context(&made) }
    guard let context = made, let source = FrameBox(), let frame = FrameBox(), let packet = PacketBox() else {
      throw .outOfMemory
    }
    let target = pixelFormat(format, hasAlpha: hasAlpha)
    context.pointee.width = Int32(width)
    context.pointee.height = Int32(height)
    context.pointee.time_base = AVRational(num: 1, den: 25)
    context.pointee.pix_fmt = target
    context.pointee.color_range = AVCOL_RANGE_JPEG
    context.pointee.thread_count = 1
    let quality = quality.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } ?? 0.85
    if format == .jpeg {
      context.pointee.flags |= AV_CODEC_FLAG_QSCALE
      context.pointee.global_quality = Int32((31 - quality * 29).rounded()) * FF_QP2LAMBDA
    }
    if format == .webp { av_opt_set_double(context.pointee.priv_data, "quality", quality * 100, 0) }
    try check(avcodec_open2(context, codec, nil))
    try fill(frame.frame, target, Int32(width), Int32(height))
    try convert(pixels, source.frame, to: frame.frame)
    frame.frame.pointee.quality = context.pointee.global_quality
    try check(avcodec_send_frame(context, frame.frame))
    try check(avcodec_send_frame(context, nil))
    try check(avcodec_receive_packet(context, packet.packet))
    guard let bytes = packet.packet.pointee.data else { throw .outOfMemory }
    return Data(bytes: bytes, count: Int(packet.packet.pointee.size))
  }

  private static func pixelFormat(_ format: Format, hasAlpha: Bool) -> AVPixelFormat {
    switch format {
    case .png: hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24
    case .jpeg: AV_PIX_FMT_YUVJ444P
    case .webp: hasAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P
    }
  }

  private static func fill(
    _ frame: UnsafeMutablePointer<AVFrame>, _ format: AVPixelFormat, _ width: Int32, _ height: Int32
  )
    throws(MediaError)
  {
    frame.pointee.format = format.rawValue
    frame.pointee.width = width
    frame.pointee.height = height
    try check(av_frame_get_buffer(frame, 0))
  }

  private static func convert(
    _ pixels: [UInt8], _ source: UnsafeMutablePointer<AVFrame>, to frame: UnsafeMutablePointer<AVFrame>
  )
    throws(MediaError)
  {
    try fill(source, AV_PIX_FMT_RGBA, frame.pointee.width, frame.pointee.height)
    let rowBytes = Int(frame.pointee.width) * 4
    guard let base = source.pointee.data.0 else { throw .outOfMemory }
    for row in 0..<Int(frame.pointee.height) {
      pixels.withUnsafeBufferPointer { bytes in
        if let start = bytes.baseAddress {
          (base + row * Int(source.pointee.linesize.0)).update(from: start + row * rowBytes, count: rowBytes)
        }
      }
    }
    let planes = frame.pointee.data
    let lines = frame.pointee.linesize
    try Scaler.convert(
      source, color: .fullRangeRGB, planes: [planes.0, planes.1, planes.2, planes.3],
      strides: [lines.0, lines.1, lines.2, lines.3], format: AVPixelFormat(frame.pointee.format),
      isFullRange: frame.pointee.format != AV_PIX_FMT_YUV420P.rawValue
        && frame.pointee.format != AV_PIX_FMT_YUVA420P.rawValue, width: frame.pointee.width,
      height: frame.pointee.height)
  }

  private static func check(_ status: Int32) throws(MediaError) {
    guard status >= 0 else {
      throw MediaError(.writeFailed, "The picture could not be written. Try another format.", status: status)
    }
  }
}

extension ColorDescription {
  /// What pixels of a picture file mean; JPEG's matrix is BT.601.
  static let fullRangeRGB: ColorDescription = {
    var color = ColorDescription()
    color.matrix = 5
    color.isFullRange = true
    return color
  }()
}
