import CFFmpeg
import MediaRuntime

/// Changes the rate of interleaved floats by libswresample. Owned by one converter.
final class Resampler {
  private var context: OpaquePointer?
  private let channels: Int
  private let from: Int
  private let to: Int
  private var buffer: [Float] = []
  /// Frames that are converted at once: the room for what may come of them is made whole, and a packet may hold any
  /// number of frames.
  private static let slice = 4_096

  /// libswresample's own filter length.
  static let usualFilter = 32

  /// - Parameter filter: taps of the filter at the lower rate; more let higher frequencies through, and cost more.
  init(channels: Int, from: Int, to: Int, filter: Int = usualFilter) throws(MediaError) {
    self.channels = channels
    self.from = from
    self.to = to
    var layout = AVChannelLayout()
    av_channel_layout_default(&layout, Int32(clamping: channels))
    // Both sides have the same channels; two copies because the function may write to either.
    var target = layout
    var made: OpaquePointer?
    let status = swr_alloc_set_opts2(
      &made, &target, AV_SAMPLE_FMT_FLT, Int32(clamping: to), &layout, AV_SAMPLE_FMT_FLT, Int32(clamping: from), 0, nil)
    av_channel_layout_uninit(&layout)
    context = made
    if filter != Self.usualFilter {
      av_opt_set_int(made.map { UnsafeMutableRawPointer($0) }, "filter_size", Int64(filter), 0)
    }
    let opened = status < 0 ? status : swr_init(made)
    guard opened >= 0 else {
      throw MediaError(
        .conversionFailed, "Sound of \(from) Hz can't be converted to \(to) Hz. Choose another output device.",
        status: opened)
    }
  }

  deinit { swr_free(&context) }

  /// Output frames that the input inside amounts to.
  var delay: Int { Int(clamping: swr_get_delay(context, Int64(to))) }

  /// Resamples and hands the result to `body`; an empty input with `isEnd` gives what is left.
  func process(_ input: UnsafeBufferPointer<Float>, isEnd: Bool, _ body: (UnsafeBufferPointer<Float>) -> Void)
    throws(MediaError)
  {
    guard !input.isEmpty else {
      if isEnd { try convert(input, body) }
      return
    }
    var left = input[...]
    while !left.isEmpty {
      let part = left.prefix(Self.slice * channels)
      left = left.dropFirst(part.count)
      try convert(UnsafeBufferPointer(rebasing: part), body)
    }
  }

  /// One slice; an empty one takes out what is inside.
  private func convert(_ input: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void)
    throws(MediaError)
  {
    let frames = input.count / channels
    let room = max(Int(swr_get_out_samples(context, Int32(clamping: frames))), 0) + 32
    if buffer.count < room * channels { buffer = [Float](repeating: 0, count: room * channels) }
    var taken: UnsafePointer<UInt8>? = input.baseAddress.map {
      UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self)
    }
    let made = buffer.withUnsafeMutableBytes { bytes -> Int32 in
      var out: UnsafeMutablePointer<UInt8>? = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      if frames == 0 { return swr_convert(context, &out, Int32(clamping: room), nil, 0) }
      return swr_convert(context, &out, Int32(clamping: room), &taken, Int32(clamping: frames))
    }
    guard made >= 0 else {
      throw MediaError(
        .conversionFailed,
        "The sound's rate could not be converted. Choose another output device, or convert the media to 48,000 Hz.",
        status: made)
    }
    buffer.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[0..<Int(made) * channels])) }
  }
}
