import CFFmpeg
package import MediaEngine
import MediaIO
package import MediaRuntime

/// Sound by libavcodec, cut to what the media declares, with a time that counts samples.
///
/// `@unchecked Sendable`: the engine calls it on one queue at a time.
package final class FFmpegAudioDecoder: AudioDecoder, @unchecked Sendable {
  private let decoder: DecoderContext
  private let format: AudioFormat
  private var generation: Generation
  private var ready: [FrameBox] = []
  private var line: SampleLine
  private var isFinished = false

  package var name: String { decoder.name }
  package var complaints: Complaints { decoder.complaints.complaints }

  init(_ track: MediaTrack, _ generation: Generation) throws(MediaError) {
    let decoder = try DecoderContext(track) { context, _ in context.pointee.thread_count = 1 }
    self.decoder = decoder
    self.generation = generation
    format = track.audio ?? AudioFormat(sampleRate: 0, channelCount: 0, channelMask: 0)
    line = SampleLine(timeBase: decoder.configuration.timeBase, origin: decoder.configuration.origin)
  }

  package func send(_ packet: MediaPacket) throws(MediaError) {
    guard let box = packet.payload as? PacketBox else {
      throw MediaError(.decodeFailed, "The packet was made by another back end. Open the media again.")
    }
    generation = packet.generation
    guard box.packet.pointee.size > 0 else { return }
    var status = avcodec_send_packet(decoder.context, box.packet)
    while status == .again {
      guard let frame = FrameBox() else { throw .outOfMemory }
      guard avcodec_receive_frame(decoder.context, frame.frame) >= 0 else { break }
      ready.append(frame)
      status = avcodec_send_packet(decoder.context, box.packet)
    }
    guard status >= 0 else { throw decoder.decodeFailure(status) }
  }

  package func receive() throws(MediaError) -> Decoded<AudioBlock> {
    while true {
      if !ready.isEmpty {
        if let block = try block(ready.removeFirst()) { return .output(block) }
        continue
      }
      guard let box = FrameBox() else { throw .outOfMemory }
      let status = avcodec_receive_frame(decoder.context, box.frame)
      switch status {
      case 0...: if let block = try block(box) { return .output(block) }
      case .again: return .needsInput
      case .endOfFile: return isFinished ? .end : .needsInput
      default: throw decoder.decodeFailure(status)
      }
    }
  }

  package func finish() {
    isFinished = true
    _ = avcodec_send_packet(decoder.context, nil)
  }

  /// Nil when all of the frame's samples are priming or padding, or it has none.
  private func block(_ box: FrameBox) throws(MediaError) -> AudioBlock? {
    let frame = box.frame
    let count = Int(frame.pointee.nb_samples)
    guard count > 0 else { return nil }
    guard let format = AudioFormat(frame.pointee, like: self.format) else {
      throw MediaError(
        .decodeFailed,
        "The sound claims \(frame.pointee.sample_rate) samples a second in \(frame.pointee.ch_layout.nb_channels) channels, which nothing can play. Fetch the file again, or convert it."
      )
    }
    let start = line.place(frame.pointee.pts, count: count, rate: format.sampleRate)
    var kept = count
    if let end = decoder.configuration.soundEnd, format.sampleRate > 0 {
      // The end was stated at the track's rate; HE-AAC comes out at twice that.
      let scaled =
        self.format.sampleRate == format.sampleRate
        ? end
        : rescale(
          end, AVRational(num: 1, den: Int32(clamping: self.format.sampleRate)),
          AVRational(num: 1, den: Int32(clamping: format.sampleRate))) ?? end
      kept = min(count, Int(clamping: scaled &- start))
    }
    guard kept > 0 else { return nil }
    return AudioBlock(
      startSample: start, sampleCount: kept, format: format, generation: generation,
      storage: FrameSamples(box, count: kept))
  }
}
