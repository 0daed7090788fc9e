import CFFmpeg
import MediaEngine

/// Works out each picture's format: what the frame itself says, over what its stream says. Pictures that are alike share one.
struct PictureFormats {
  private struct Key: Equatable {
    var width: Int32
    var height: Int32
    var format: Int32
    var aspect: (Int32, Int32)
    var color: (UInt32, UInt32, UInt32, UInt32, UInt32)
    var sideData: Int32

    init(_ frame: AVFrame) {
      width = frame.width
      height = frame.height
      format = frame.format
      aspect = (frame.sample_aspect_ratio.num, frame.sample_aspect_ratio.den)
      color = (
        frame.color_primaries.rawValue, frame.color_trc.rawValue, frame.colorspace.rawValue,
        frame.color_range.rawValue, UInt32(bitPattern: Int32(truncatingIfNeeded: frame.chroma_location.rawValue))
      )
      sideData = frame.nb_side_data
    }

    static func == (left: Key, right: Key) -> Bool {
      left.width == right.width && left.height == right.height && left.format == right.format
        && left.aspect == right.aspect && left.color == right.color && left.sideData == 0 && right.sideData == 0
    }
  }

  private let stream: VideoFormat
  private let pixelAspect: AVRational
  private var last: (key: Key, format: VideoFormat)?

  /// - Parameter pixelAspect: the container's, which goes before the frame's.
  init(stream: VideoFormat, pixelAspect: AVRational) {
    self.stream = stream
    self.pixelAspect = pixelAspect
  }

  mutating func format(of frame: UnsafePointer<AVFrame>) -> VideoFormat {
    let key = Key(frame.pointee)
    if let last, last.key == key { return last.format }
    var format = stream
    format.width = Int(frame.pointee.width)
    format.height = Int(frame.pointee.height)
    if pixelAspect.isPositive {
      format.pixelAspect = (Int(pixelAspect.num), Int(pixelAspect.den))
    } else if frame.pointee.sample_aspect_ratio.isPositive {
      format.pixelAspect = (Int(frame.pointee.sample_aspect_ratio.num), Int(frame.pointee.sample_aspect_ratio.den))
    }
    if let layout = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format)) {
      format.bitDepth = max(Int(layout.pointee.comp.0.depth), 1)
    }
    format.color = ColorDescription(frame.pointee, over: stream.color)
    readSideData(frame, into: &format)
    last = (key, format)
    return format
  }

  private func readSideData(_ frame: UnsafePointer<AVFrame>, into format: inout VideoFormat) {
    if let side = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA), let data = side.pointee.data,
      side.pointee.size >= MemoryLayout<AVMasteringDisplayMetadata>.size
    {
      let value = UnsafeRawPointer(data).load(as: AVMasteringDisplayMetadata.self)
      format.color.masteringDisplay = HDRPayload.masteringDisplay(value) ?? format.color.masteringDisplay
    }
    if let side = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL), let data = side.pointee.data,
      side.pointee.size >= MemoryLayout<AVContentLightMetadata>.size
    {
      let value = UnsafeRawPointer(data).load(as: AVContentLightMetadata.self)
      format.color.contentLightLevel = HDRPayload.contentLightLevel(value)
    }
  }
}
