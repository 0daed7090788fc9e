import CFFmpeg
import Foundation
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// Pictures by libavcodec, in presentation order.
///
/// With a hardware device the last two groups of packets are kept: when the device fails, a software decoder goes
/// through them again and gives what had not been given. No frame is lost, except where a group is larger than
/// `PacketHistory.limit`: such media go on from their next key frame. Damaged packets are no failure of the device.
///
/// `@unchecked Sendable`: the engine calls it on one queue at a time.
package final class FFmpegVideoDecoder: VideoDecoder, @unchecked Sendable {
  private let track: MediaTrack
  private let threads: Int
  private var decoder: DecoderContext
  private var device: (any HardwareDevice)?
  private let timeBase: TimeBase
  private let origin: Int64
  private var generation: Generation
  private var times: DecodeTimes
  /// Frames that came out while a packet did not go in.
  private var ready: [FrameBox] = []
  private var formats: PictureFormats
  private var lastEnd: Int64?
  private var isFinished = false

  private var history = PacketHistory()
  /// What is to be decoded again after a device's failure, newest first: one packet goes in whenever no frame comes out.
  private var replay: [PacketBox] = []
  private var lastGiven: Int64?
  /// Frames up to here were given by the device before it failed.
  private var alreadyGiven: Int64?

  package var name: String { device.map { "\($0.name) \(decoder.configuration.codecName)" } ?? decoder.name }
  package var complaints: Complaints { decoder.complaints.complaints }

  /// - Parameter devices: the first of them that takes the track decodes it, else the processor.
  init(_ track: MediaTrack, threads: Int, devices: [any HardwareDevice] = [], _ generation: Generation)
    throws(MediaError)
  {
    self.track = track
    self.threads = threads
    var opened: DecoderContext?
    for wanted in devices {
      do throws(MediaError) {
        opened = try DecoderContext(track, device: wanted) { context, _ in context.pointee.thread_count = 1 }
        device = wanted
        break
      } catch {
        guard error.code != .contentProtected else { throw error }
        Log.ffmpeg.debug("\(wanted.name) does not decode \(track.codec.name): \(error)")
      }
    }
    let decoder: DecoderContext
    if let opened { decoder = opened } else { decoder = try Self.software(track, threads) }
    self.decoder = decoder
    self.generation = generation
    timeBase = track.timeBase
    origin = decoder.configuration.origin
    times = DecodeTimes(decoder.configuration.timeBase)
    formats = PictureFormats(
      stream: track.video ?? VideoFormat(width: 0, height: 0), pixelAspect: decoder.configuration.pixelAspect)
  }

  private static func software(_ track: MediaTrack, _ threads: Int) throws(MediaError) -> DecoderContext {
    try DecoderContext(track) { context, _ in
      context.pointee.thread_count = Int32(clamping: max(threads, 1))
      context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
    }
  }

  package func send(_ packet: MediaPacket, skippingNonReference: Bool) throws(MediaError) {
    guard var box = packet.payload as? PacketBox else {
      throw MediaError(.decodeFailed, "The packet was made by another back end. Open the media again.")
    }
    generation = packet.generation
    guard box.packet.pointee.size > 0 else { return }
    let context = decoder.context
    context.pointee.skip_frame = skippingNonReference ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
    let time = times.time(of: box.packet.pointee, in: context.pointee, frameRate: decoder.configuration.frameRate)
    if known(box.packet.pointee.dts) == nil, let time, let ticks = rescale(time, .microseconds, timeBase.rational) {
      box = try copy(box, decodeTime: ticks)
    }
    guard let device else {
      guard replay.isEmpty else { return replay.insert(box, at: 0) }
      return try put(box)
    }
    history.append(box, isKeyframe: packet.isKeyframe)
    guard device.check() >= 0 else { return try fallBack() }
    do throws(MediaError) {
      try put(box)
    } catch {
      guard !error.isDamage else { throw error }
      try fallBack()
    }
  }

  package func receive() throws(MediaError) -> Decoded<VideoFrame> {
    while true {
      guard let box = try nextFrame() else { return isFinished ? .end : .needsInput }
      if let box = try downloaded(box), let frame = frame(box) { return .output(frame) }
    }
  }

  package func finish() {
    isFinished = true
    if replay.isEmpty { _ = avcodec_send_packet(decoder.context, nil) }
  }

  package func flush(_ generation: Generation) {
    self.generation = generation
    avcodec_flush_buffers(decoder.context)
    ready.removeAll()
    times.reset()
    lastEnd = nil
    isFinished = false
    history.removeAll()
    replay.removeAll()
    lastGiven = nil
    alreadyGiven = nil
  }

  // MARK: Packets

  private func put(_ box: PacketBox) throws(MediaError) {
    var status = avcodec_send_packet(decoder.context, box.packet)
    while status == .again {
      guard let frame = FrameBox() else { throw .outOfMemory }
      guard avcodec_receive_frame(decoder.context, frame.frame) >= 0 else { break }
      ready.append(frame)
      status = avcodec_send_packet(decoder.context, box.packet)
    }
    guard status >= 0 else { throw decoder.decodeFailure(status) }
  }

  /// The packet with a time of its own; the bytes are shared.
  private func copy(_ box: PacketBox, decodeTime: Int64) throws(MediaError) -> PacketBox {
    guard let copy = PacketBox(), av_packet_ref(copy.packet, box.packet) >= 0 else { throw .outOfMemory }
    copy.packet.pointee.dts = decodeTime
    return copy
  }

  // MARK: Frames

  private func nextFrame() throws(MediaError) -> FrameBox? {
    while true {
      if !ready.isEmpty { return ready.removeFirst() }
      guard let box = FrameBox() else { throw .outOfMemory }
      let status = avcodec_receive_frame(decoder.context, box.frame)
      if status >= 0 { return box }
      if status == .again, let packet = replay.popLast() {
        again(packet)
        continue
      }
      if status == .again || status == .endOfFile { return nil }
      guard device != nil, status != Int32(FF_ERROR_INVALIDDATA) else { throw decoder.decodeFailure(status) }
      try fallBack()
    }
  }

  /// Decodes a packet a second time; what was wrong with it was told the first time.
  private func again(_ packet: PacketBox) {
    do throws(MediaError) { try put(packet) } catch { Log.ffmpeg.debug("\(error)") }
    if replay.isEmpty, isFinished { _ = avcodec_send_packet(decoder.context, nil) }
  }

  /// Nil when the device failed: the frame comes again from software.
  private func downloaded(_ box: FrameBox) throws(MediaError) -> FrameBox? {
    guard let device else { return box }
    guard let copy = FrameBox() else { throw .outOfMemory }
    let status = device.download(box.frame, into: copy.frame)
    if status == 1 { return box }
    if status >= 0 { return copy }
    try fallBack()
    return nil
  }

  private func frame(_ box: FrameBox) -> VideoFrame? {
    let frame = box.frame
    let duration = MediaPacket.durations.contains(frame.pointee.pkt_duration) ? frame.pointee.pkt_duration : 0
    let stated = known(frame.pointee.best_effort_timestamp).map { $0 &- origin }
    let time = stated.flatMap { MediaPacket.ticks.contains($0) ? $0 : nil } ?? lastEnd ?? 0
    let end = time &+ (duration > 0 ? duration : frameDuration)
    lastEnd = MediaPacket.ticks.contains(end) ? end : time
    if let given = alreadyGiven {
      guard time > given else { return nil }
      alreadyGiven = nil
    }
    lastGiven = time
    return VideoFrame(
      presentationTime: time, duration: duration, timeBase: timeBase, generation: generation,
      isKeyframe: frame.pointee.key_frame != 0, picture: FramePicture(box, format: formats.format(of: frame)))
  }

  /// Ticks of a picture whose packet names no duration.
  private var frameDuration: Int64 {
    let rate = decoder.context.pointee.framerate
    guard rate.isPositive else { return 0 }
    return rescale(1, AVRational(num: rate.den, den: rate.num), timeBase.rational) ?? 0
  }

  // MARK: Hardware

  /// Goes on in software with the frames that the device still owed.
  private func fallBack() throws(MediaError) {
    guard let failed = device else { return }
    Log.ffmpeg.info("\(failed.name) failed; decoding goes on in software")
    device = nil
    decoder = try Self.software(track, threads)
    ready.removeAll()
    alreadyGiven = lastGiven
    lastEnd = nil
    replay = history.takeAll().reversed()
    if replay.isEmpty, isFinished { _ = avcodec_send_packet(decoder.context, nil) }
  }
}

extension MediaError {
  /// The decoder found fault with the bytes, and not with itself or its device.
  fileprivate var isDamage: Bool { (cause as? FFmpegStatus)?.code == Int32(FF_ERROR_INVALIDDATA) }
}
