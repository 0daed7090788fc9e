import CFFmpeg
import CoreVideo
import Foundation
import MediaEngine
import MediaRuntime

/// Makes Apple's pixel buffers of decoded pictures.
enum PixelBuffers {
  /// Over the decoder's own memory where Apple has its format, else converted once.
  static func make(of picture: FramePicture) throws(MediaError) -> CVPixelBuffer {
    let frame = picture.box.frame
    let format = AVPixelFormat(frame.pointee.format)
    let isFullRange = picture.format.color.isFullRange
    if let same = PixelFormats.same(as: format, isFullRange: isFullRange), let planes = planes(of: frame),
      let buffer = CVPixelBuffer(
        width: Int(frame.pointee.width), height: Int(frame.pointee.height), format: same, planes: planes,
        owner: picture.box)
    {
      attach(picture.format, to: buffer)
      return buffer
    }
    guard let nearest = PixelFormats.nearest(to: format, isFullRange: isFullRange) else {
      throw MediaError(
        .conversionFailed,
        "Pictures in the format \(String(c: av_get_pix_fmt_name(format)) ?? "\(frame.pointee.format)") can't be shown. Convert the media to another format."
      )
    }
    return try convert(picture, to: nearest, width: picture.format.width, height: picture.format.height)
  }

  static func convert(_ picture: FramePicture, to format: OSType, width: Int, height: Int) throws(MediaError)
    -> CVPixelBuffer
  {
    guard let target = PixelFormats.target(format), width > 0, height > 0, width <= 1 << 15, height <= 1 << 15 else {
      throw MediaError(
        .conversionFailed, "Pictures can't be given in the pixel format or size that was asked for. Ask for BGRA.")
    }
    let buffer = try empty(format, width: width, height: height)
    try Scaler.convert(
      picture.box.frame, color: picture.format.color, into: buffer, format: target.format,
      isFullRange: target.isFullRange)
    var result = picture.format
    result.color.isFullRange = target.isFullRange
    attach(result, to: buffer)
    return buffer
  }

  static func empty(_ format: OSType, width: Int, height: Int) throws(MediaError) -> CVPixelBuffer {
    var made: CVPixelBuffer?
    let status = CVPixelBufferCreate(nil, width, height, format, nil, &made)
    if let made { return made }
    guard status != kCVReturnAllocationFailed else { throw .outOfMemory }
    throw MediaError(
      .conversionFailed,
      "There is no buffer of \(width) × \(height) pixels in the format that was asked for (\(status)). Ask for BGRA, and for a smaller size."
    )
  }

  static func planes(of frame: UnsafePointer<AVFrame>) -> [PixelPlane]? {
    let format = AVPixelFormat(frame.pointee.format)
    guard let layout = av_pix_fmt_desc_get(format)?.pointee else { return nil }
    var result: [PixelPlane] = []
    for index in 0..<Int(av_pix_fmt_count_planes(format)) {
      guard let base = ImageBytes.plane(frame, index) else { return nil }
      let isChroma = index == 1 || index == 2
      let width = isChroma ? -((-frame.pointee.width) >> Int32(layout.log2_chroma_w)) : frame.pointee.width
      let height = isChroma ? -((-frame.pointee.height) >> Int32(layout.log2_chroma_h)) : frame.pointee.height
      result.append(
        PixelPlane(
          baseAddress: UnsafeMutableRawPointer(base), bytesPerRow: ImageBytes.stride(frame, index), width: Int(width),
          height: Int(height)))
    }
    return result
  }

  /// Colour, pixel aspect and HDR facts, under Apple's keys.
  static func attach(_ format: VideoFormat, to buffer: CVPixelBuffer) {
    func set(_ key: CFString, _ value: Any?) {
      if let value { CVBufferSetAttachment(buffer, key, value, .shouldPropagate) }
    }
    let color = format.color
    set(kCVImageBufferColorPrimariesKey, CVColorPrimariesGetStringForIntegerCodePoint(Int32(clamping: color.primaries)))
    set(
      kCVImageBufferTransferFunctionKey, CVTransferFunctionGetStringForIntegerCodePoint(Int32(clamping: color.transfer))
    )
    set(kCVImageBufferYCbCrMatrixKey, CVYCbCrMatrixGetStringForIntegerCodePoint(Int32(clamping: color.matrix)))
    if format.pixelAspect.horizontal != format.pixelAspect.vertical {
      set(
        kCVImageBufferPixelAspectRatioKey,
        [
          kCVImageBufferPixelAspectRatioHorizontalSpacingKey: format.pixelAspect.horizontal,
          kCVImageBufferPixelAspectRatioVerticalSpacingKey: format.pixelAspect.vertical,
        ])
    }
    let locations = [
      "left": kCVImageBufferChromaLocation_Left, "center": kCVImageBufferChromaLocation_Center,
      "topLeft": kCVImageBufferChromaLocation_TopLeft, "top": kCVImageBufferChromaLocation_Top,
      "bottomLeft": kCVImageBufferChromaLocation_BottomLeft, "bottom": kCVImageBufferChromaLocation_Bottom,
    ]
    if let location = color.chromaLocation.flatMap({ locations[$0] }) {
      set(kCVImageBufferChromaLocationTopFieldKey, location)
      set(kCVImageBufferChromaLocationBottomFieldKey, location)
    }
    set(kCVImageBufferMasteringDisplayColorVolumeKey, color.masteringDisplay)
    set(kCVImageBufferContentLightLevelInfoKey, color.contentLightLevel)
  }
}
