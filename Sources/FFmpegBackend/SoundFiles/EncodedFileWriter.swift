import CFFmpeg
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// Writes a file of coded sound: an encoder and a muxer of FFmpeg's.
///
/// Whole frames are encoded; a file that may be cut at any time loses what is less than one, what the encoder looks ahead,
/// and in a movie the fragment that is not complete.
package final class EncodedFileWriter: SoundFileWriter {
  package let format: SoundFileFormat
  package private(set) var frameCount: Int64 = 0
  private let encoder: UnsafeMutablePointer<AVCodecContext>
  private let muxer: SoundMuxer
  private let sampleFormat: SampleFormat
  private let isPlanar: Bool
  /// Being filled; sent when it is full.
  private var frame: FrameBox?
  private var filled = 0
  private var isFinished = false

  /// - Parameter survivesKill: the file plays at every moment, at the price of some bytes.
  /// - Throws: `encoderMissing`, `writingUnsupported`, `writeFailed`, `diskFull`.
  package init(_ file: OutputFile, _ format: SoundFileFormat, survivesKill: Bool) throws(MediaError) {
    let coding = try EncoderChoice(format)
    guard let codec = avcodec_find_encoder_by_name(coding.encoder) else {
      throw MediaError(
        .encoderMissing, "FFmpeg has no encoder “\(coding.encoder)” here. Install one that has, or write a WAV file.")
    }
    guard let encoder = avcodec_alloc_context3(codec) else { throw .outOfMemory }
    self.encoder = encoder
    self.format = format
    sampleFormat = coding.samples
    isPlanar = av_sample_fmt_is_planar(coding.sampleFormat) != 0
    encoder.pointee.sample_fmt = coding.sampleFormat
    encoder.pointee.sample_rate = Int32(clamping: format.sampleRate)
    encoder.pointee.bits_per_raw_sample = Int32(coding.rawBits)
    encoder.pointee.time_base = AVRational(num: 1, den: Int32(clamping: format.sampleRate))
    encoder.pointee.bit_rate = Int64(coding.bitRate)
    encoder.pointee.thread_count = 1
    Self.setLayout(&encoder.pointee.ch_layout, format)
    coding.setOptions(encoder)
    if coding.wantsGlobalHeader { encoder.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    var made: UnsafeMutablePointer<AVCodecContext>? = encoder
    let opened = avcodec_open2(encoder, codec, nil)
    guard opened >= 0 else {
      avcodec_free_context(&made)
      throw .writingUnsupported(
        "The encoder “\(coding.encoder)” does not take \(format.sampleRate) Hz in \(format.channelCount) channels with these settings."
      )
    }
    do throws(MediaError) {
      muxer = try SoundMuxer(file, coding.muxer, encoder: encoder, survivesKill: survivesKill)
    } catch {
      avcodec_free_context(&made)
      throw error
    }
  }

  deinit {
    var made: UnsafeMutablePointer<AVCodecContext>? = encoder
    avcodec_free_context(&made)
  }

  private static func setLayout(_ layout: inout AVChannelLayout, _ format: SoundFileFormat) {
    let isNamed = format.channelMask.nonzeroBitCount == format.channelCount
    guard !isNamed || av_channel_layout_from_mask(&layout, format.channelMask) < 0 else { return }
    av_channel_layout_default(&layout, Int32(clamping: format.channelCount))
  }

  /// Samples of a whole frame.
  private var frameSize: Int { encoder.pointee.frame_size > 0 ? Int(encoder.pointee.frame_size) : 4_096 }

  package func write(_ samples: SamplePlanes, frames: Int) throws(MediaError) {
    var done = 0
    while done < frames {
      let frame: FrameBox
      if let open = self.frame { frame = open } else { frame = try newFrame() }
      let count = min(frames - done, frameSize - filled)
      samples.advanced(by: done).copy(to: planes(of: frame).advanced(by: filled), frames: count)
      done += count
      filled += count
      if filled == frameSize { try send() }
    }
  }

  private func newFrame() throws(MediaError) -> FrameBox {
    guard let new = FrameBox() else { throw .outOfMemory }
    new.frame.pointee.format = encoder.pointee.sample_fmt.rawValue
    new.frame.pointee.nb_samples = Int32(frameSize)
    new.frame.pointee.sample_rate = encoder.pointee.sample_rate
    guard av_channel_layout_copy(&new.frame.pointee.ch_layout, &encoder.pointee.ch_layout) >= 0,
      av_frame_get_buffer(new.frame, 0) >= 0
    else { throw .outOfMemory }
    frame = new
    filled = 0
    return new
  }

  private func planes(of box: FrameBox) -> SamplePlanes {
    let data = (0..<(isPlanar ? format.channelCount : 1)).compactMap { channel in
      box.frame.pointee.extended_data[channel].map { UnsafeMutableRawPointer($0) }
    }
    if isPlanar { return SamplePlanes(format: sampleFormat, channels: data, stride: sampleFormat.byteCount) }
    guard let base = data.first else { return SamplePlanes(format: sampleFormat, channels: [], stride: 0) }
    return SamplePlanes(interleaved: base, format: sampleFormat, channelCount: format.channelCount)
  }

  /// What is in the frame goes to the encoder.
  private func send() throws(MediaError) {
    guard let frame, filled > 0 else { return }
    frame.frame.pointee.nb_samples = Int32(filled)
    frame.frame.pointee.pts = frameCount
    let count = filled
    self.frame = nil
    filled = 0
    frameCount += Int64(count)
    try check(avcodec_send_frame(encoder, frame.frame))
    try drain()
  }

  private func drain() throws(MediaError) {
    while true {
      guard let packet = PacketBox() else { throw .outOfMemory }
      let status = avcodec_receive_packet(encoder, packet.packet)
      if status == .again || status == .endOfFile { return }
      try check(status)
      try muxer.write(packet, timeBase: encoder.pointee.time_base)
    }
  }

  package func finish() throws(MediaError) {
    guard !isFinished else { return }
    isFinished = true
    // A disk that is full now may still take the few bytes that close the file.
    var failure: MediaError?
    do throws(MediaError) {
      try send()
      try check(avcodec_send_frame(encoder, nil))
      try drain()
    } catch {
      failure = error
    }
    do throws(MediaError) { try muxer.finish() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  private func check(_ status: Int32) throws(MediaError) {
    guard status >= 0 else {
      throw MediaError(
        .encodeFailed, "The sound could not be encoded; what was written so far is kept. Choose another format.",
        status: status)
    }
  }
}
