import CFFmpeg
import Glibc
import MediaIO
import MediaRuntime

/// One stream of sound in a container of libavformat's, written to our own file.
final class SoundMuxer {
  private let file: OutputFile
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let stream: UnsafeMutablePointer<AVStream>
  private var position: Int64 = 0
  /// Why the file took no more.
  private var failure: MediaError?
  private var isFinished = false

  private static let bufferSize = 32 * 1_024
  /// How much sound a fragment of a movie, or a page of Ogg, holds: what a kill costs.
  private static let pieceMicroseconds = 250_000

  init(
    _ file: OutputFile, _ name: String, encoder: UnsafeMutablePointer<AVCodecContext>, survivesKill: Bool
  ) throws(MediaError) {
    self.file = file
    var made: UnsafeMutablePointer<AVFormatContext>?
    guard avformat_alloc_output_context2(&made, nil, name, nil) >= 0, let context = made else {
      throw MediaError(
        .encoderMissing,
        "FFmpeg can't write files of the kind “\(name)” here. Install one that can, or write a WAV file.")
    }
    self.context = context
    guard let stream = avformat_new_stream(context, nil), let buffer = av_malloc(Self.bufferSize) else {
      avformat_free_context(context)
      throw .outOfMemory
    }
    self.stream = stream
    stream.pointee.time_base = encoder.pointee.time_base
    context.pointee.pb = ff_writing_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), Unmanaged.passUnretained(self).toOpaque(),
      { @Sendable muxer, bytes, size in SoundMuxer.from(muxer)?.take(bytes, size) ?? -1 },
      { @Sendable muxer, offset, whence in SoundMuxer.from(muxer)?.move(offset, whence) ?? -1 })
    guard context.pointee.pb != nil else {
      av_free(buffer)
      throw .outOfMemory
    }
    // Each packet goes to the file at once.
    context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
    try check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder))
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    // The lengths of edits have the movie's ticks: with fewer, the end would not be exact.
    av_dict_set(&options, "movie_timescale", "\(encoder.pointee.sample_rate)", 0)
    if survivesKill {
      // The movie's header comes with the first fragment, which is when the encoder's delay is known.
      av_dict_set(&options, "movflags", "+empty_moov+delay_moov+default_base_moof", 0)
      av_dict_set(&options, "frag_duration", "\(Self.pieceMicroseconds)", 0)
      av_dict_set(&options, "page_duration", "\(Self.pieceMicroseconds)", 0)
    }
    try check(avformat_write_header(context, &options))
  }

  deinit {
    if let io = context.pointee.pb {
      av_freep(&io.pointee.buffer)
      avio_context_free(&context.pointee.pb)
    }
    avformat_free_context(context)
  }

  func write(_ packet: PacketBox, timeBase: AVRational) throws(MediaError) {
    packet.packet.pointee.stream_index = stream.pointee.index
    av_packet_rescale_ts(packet.packet, timeBase, stream.pointee.time_base)
    try check(av_write_frame(context, packet.packet))
  }

  func finish() throws(MediaError) {
    guard !isFinished else { return }
    isFinished = true
    let status = av_write_trailer(context)
    avio_flush(context.pointee.pb)
    try check(status)
  }

  private func check(_ status: Int32) throws(MediaError) {
    if let failure { throw failure }
    guard status >= 0 else {
      throw MediaError(
        .writeFailed, "The container can't hold this sound. Choose another kind of file.", status: status,
        address: file.path)
    }
  }

  // MARK: Callbacks

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> SoundMuxer? {
    pointer.map { Unmanaged<SoundMuxer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func take(_ bytes: UnsafePointer<UInt8>?, _ size: Int32) -> Int32 {
    do throws(MediaError) {
      try file.put(UnsafeRawBufferPointer(start: bytes, count: Int(max(size, 0))), at: position)
      position += Int64(size)
      return size
    } catch {
      failure = failure ?? error
      return ff_error(EIO)
    }
  }

  private func move(_ offset: Int64, _ whence: Int32) -> Int64 {
    switch whence {
    case AVSEEK_SIZE: return file.length
    case SEEK_CUR: position += offset
    case SEEK_END: position = file.length + offset
    default: position = offset
    }
    position = max(position, 0)
    return position
  }
}
