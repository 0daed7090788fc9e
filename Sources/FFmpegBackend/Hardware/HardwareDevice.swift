import CFFmpeg

/// Where a decoder may leave its work: a GPU or a media processor. Tests put a failing one in its place.
protocol HardwareDevice: AnyObject, Sendable {
  /// Such as `vaapi`.
  var name: String { get }

  /// The device's own decoder for a codec, where it is not FFmpeg's software one with an accelerator.
  func decoder(for codec: AVCodecID) -> UnsafePointer<AVCodec>?

  /// Sets the device on a decoder that is not open yet; false when it can't decode this codec.
  func attach(to context: UnsafeMutablePointer<AVCodecContext>, codec: UnsafePointer<AVCodec>) -> Bool

  /// Asked before each packet; a negative code makes the decoder go on in software.
  func check() -> Int32

  /// Brings a decoded surface to system memory, into an empty frame. FFmpeg's code.
  /// Frames that are in system memory already are left where they are: 1.
  func download(_ surface: UnsafePointer<AVFrame>, into frame: UnsafeMutablePointer<AVFrame>) -> Int32
}

extension HardwareDevice {
  func check() -> Int32 { 0 }

  func download(_ surface: UnsafePointer<AVFrame>, into frame: UnsafeMutablePointer<AVFrame>) -> Int32 {
    guard surface.pointee.hw_frames_ctx != nil else { return 1 }
    let status = av_hwframe_transfer_data(frame, surface, 0)
    return status < 0 ? status : av_frame_copy_props(frame, surface)
  }
}

/// A device behind FFmpeg's hwcontext (VAAPI).
///
/// `@unchecked Sendable`: the device reference is made once and only counted afterwards.
final class AcceleratorDevice: HardwareDevice, @unchecked Sendable {
  let name: String
  private var reference: UnsafeMutablePointer<AVBufferRef>?
  private let kind: AVHWDeviceType

  /// Nil when there is no such device.
  init?(_ kind: AVHWDeviceType, path: String? = nil) {
    self.kind = kind
    name = String(c: av_hwdevice_get_type_name(kind)) ?? "hardware"
    guard av_hwdevice_ctx_create(&reference, kind, path, nil, 0) >= 0 else { return nil }
  }

  deinit { av_buffer_unref(&reference) }

  func decoder(for codec: AVCodecID) -> UnsafePointer<AVCodec>? { nil }

  func attach(to context: UnsafeMutablePointer<AVCodecContext>, codec: UnsafePointer<AVCodec>) -> Bool {
    var index: Int32 = 0
    while let config = avcodec_get_hw_config(codec, index) {
      index += 1
      guard config.pointee.device_type == kind,
        Int(config.pointee.methods) & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX != 0
      else { continue }
      context.pointee.hw_device_ctx = av_buffer_ref(reference)
      // The decoder offers formats best first, software ones last; the software one follows if the surface can't be made.
      context.pointee.get_format = { @Sendable _, formats in
        var place = 0
        while let format = formats?[place], format != AV_PIX_FMT_NONE {
          if format == AV_PIX_FMT_VAAPI || format == AV_PIX_FMT_DRM_PRIME { return format }
          place += 1
        }
        return formats?[0] ?? AV_PIX_FMT_NONE
      }
      return context.pointee.hw_device_ctx != nil
    }
    return false
  }
}

/// Stateful decoders of the kernel (V4L2 memory-to-memory), by FFmpeg's decoders of that name.
final class KernelDecoderDevice: HardwareDevice {
  let name = "v4l2m2m"

  func decoder(for codec: AVCodecID) -> UnsafePointer<AVCodec>? {
    guard let base = String(c: avcodec_get_name(codec)) else { return nil }
    return avcodec_find_decoder_by_name(base + "_v4l2m2m")
  }

  func attach(to context: UnsafeMutablePointer<AVCodecContext>, codec: UnsafePointer<AVCodec>) -> Bool {
    (String(c: codec.pointee.name) ?? "").hasSuffix("_v4l2m2m")
  }
}
