import CFFmpeg
package import CoreMedia
import MediaEngine
package import MediaIO
package import MediaRuntime

extension FFmpegDemuxer {
  /// Bytes that a seek may hold while it looks for the key frame.
  private static let heldLimit = 96 << 20

  package func seek(to target: CMTime, _ generation: Generation) throws(MediaError) {
    try seek(to: target, showsKeyframe: false, generation)
  }

  package func seek(to target: CMTime, showsKeyframe: Bool, _ generation: Generation) throws(MediaError) {
    let context = try reopened(generation)
    guard source.isSeekable else {
      throw MediaError(
        .seekFailed, "The media comes from a pipe, which can't go back or ahead. Save it to a file.",
        address: source.address)
    }
    forgetEnd()
    leadIn = nil
    guard let index = seekStream(context), index < clocks.count else { return try rewind(generation) }
    let clock = clocks[index]
    let isVideo = context.pointee.streams[index]?.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    guard let wanted = target > .zero ? TimeBase(clock.timeBase).ticks(target) : Int64(0), wanted > 0 else {
      return try rewind(generation)
    }
    let second = max(rescale(1, AVRational(num: 1, den: 1), clock.timeBase) ?? 1, 1)
    // Sound decodes from anywhere, but its first frames need what came before: MP3's reservoir, Opus's convergence.
    var from = isVideo ? wanted : wanted &- second * 3 / 10
    // Containers that are searched by time stop anywhere; a key frame is likely a little before.
    if isVideo && isSearched(context) { from = from &- second }
    var step = second
    for _ in 0..<12 {
      guard from > 0, try move(index, to: from &+ clock.origin, generation) else { break }
      if try settle(index, wanted, isVideo: isVideo, generation) {
        if isVideo { try planLeadIn(index, to: wanted, showsKeyframe: showsKeyframe) }
        return
      }
      from = min(from, wanted) &- step
      step = step &* 4
    }
    try rewind(generation)
    _ = try settle(index, wanted, isVideo: isVideo, isAtStart: true, generation)
  }

  /// Sound's decoders need what came before: where that lies before the key frame, reading begins there, and pictures
  /// are left out up to the key frame. Only where bytes cost nothing. The key frame itself goes ahead, so that it is
  /// decoded meanwhile.
  private func planLeadIn(_ index: Int, to wanted: Int64, showsKeyframe: Bool) throws(MediaError) {
    let context = try opened()
    guard !source.mayBlock, hasSound(context), !isSearched(context), let keyframe = pending.firstTime(of: index) else {
      return
    }
    let lead = rescale(3, AVRational(num: 1, den: 10), clocks[index].timeBase) ?? 0
    let from = max((showsKeyframe ? keyframe : wanted) &- lead, 0)
    guard from < keyframe else { return }
    pending.removeAll { $0.track != index }
    leadIn = LeadIn(track: index, from: from, keyframe: keyframe, wanted: wanted)
  }

  /// Behind the key frame that went ahead: goes back for the sound before it, and on from the packet after it.
  func takeLeadIn(_ plan: LeadIn, _ generation: Generation) throws(MediaError) {
    leadIn = nil
    let origin = clocks[plan.track].origin
    if try move(plan.track, to: plan.from &+ origin, generation),
      try settle(plan.track, plan.keyframe, isVideo: true, readsThrough: true, generation),
      pending.firstTime(of: plan.track) == plan.keyframe
    {
      return pending.removeFirst(of: plan.track)
    }
    guard try move(plan.track, to: plan.wanted &+ origin, generation) else { return }
    _ = try settle(plan.track, plan.wanted, isVideo: true, generation)
    if pending.firstTime(of: plan.track) == plan.keyframe { pending.removeFirst(of: plan.track) }
  }

  private func hasSound(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    (0..<Int(context.pointee.nb_streams)).contains { index in
      guard let stream = context.pointee.streams[index]?.pointee else { return false }
      return stream.discard != AVDISCARD_ALL && stream.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
  }

  /// What positions are counted by: the wanted video, else sound, else anything wanted.
  private func seekStream(_ context: UnsafeMutablePointer<AVFormatContext>) -> Int? {
    let wanted = (0..<Int(context.pointee.nb_streams)).filter { index in
      context.pointee.streams[index].map { $0.pointee.discard != AVDISCARD_ALL } ?? false
    }
    func first(_ kind: AVMediaType) -> Int? {
      wanted.first { context.pointee.streams[$0]?.pointee.codecpar?.pointee.codec_type == kind }
    }
    return first(AVMEDIA_TYPE_VIDEO) ?? first(AVMEDIA_TYPE_AUDIO) ?? wanted.first
  }

  /// libavformat finds a time there by looking at packets, not in an index of key frames.
  private func isSearched(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    let name = String(c: context.pointee.iformat?.pointee.name) ?? ""
    return ["mpegts", "mpeg", "ogg", "nut", "asf"].contains(name)
  }

  private func move(_ index: Int, to timestamp: Int64, _ generation: Generation) throws(MediaError) -> Bool {
    let context = try opened()
    guard let reader else { throw .closed(source.address) }
    pending.removeAll()
    reader.begin(generation)
    reader.forgetEnd()
    try readFragmentsInOrder(context, index)
    let status = av_seek_frame(context, Int32(index), timestamp, AVSEEK_FLAG_BACKWARD)
    if reader.wasInterrupted { throw .interrupted(source.address) }
    if let failure = reader.failure { throw failure }
    return status >= 0
  }

  /// libavformat mixes up the composition offsets of fragments that it reads in another order than the file's (seen with
  /// 5.1: two seeks back and one ahead), so all of them are read in that order once, before the first seek.
  private func readFragmentsInOrder(_ context: UnsafeMutablePointer<AVFormatContext>, _ index: Int)
    throws(MediaError)
  {
    guard let fragments, !hasReadFragments, let stream = context.pointee.streams[index] else { return }
    hasReadFragments = true
    let track = stream.pointee.id
    for entry in fragments.entries where entry.track == track {
      _ = av_seek_frame(context, Int32(index), entry.time, AVSEEK_FLAG_BACKWARD)
      if reader?.wasInterrupted == true {
        hasReadFragments = false
        throw .interrupted(source.address)
      }
    }
  }

  /// Reads until it is known which key frame comes at or before the target; keeps what was read from it on.
  /// - Parameter readsThrough: the first key frame at or before the target need not be the last one.
  /// - Returns: false when the position lies behind it already.
  private func settle(
    _ index: Int, _ wanted: Int64, isVideo: Bool, isAtStart: Bool = false, readsThrough: Bool = false,
    _ generation: Generation
  ) throws(MediaError) -> Bool {
    let context = try opened()
    var hasKeyframe = false
    let isSearched = readsThrough || isSearched(context)
    while let packet = try next(generation) {
      guard packet.track == index else {
        pending.append(packet)
        if pending.size > Self.heldLimit { return hasKeyframe }
        continue
      }
      let shown = packet.presentationTime ?? packet.decodeTime.map { latestShow(of: packet, decodedAt: $0, isVideo) }
      if !isVideo {
        pending.append(packet)
        return shown.map { $0 <= wanted } ?? true
      }
      // Nothing better than the first key frame comes before it.
      let isFirst = isAtStart && !hasKeyframe
      if packet.isKeyframe, isFirst || shown.map({ $0 <= wanted }) ?? true {
        // The last one before the target counts; what came before it is not needed.
        if !pending.isEmpty { dropPackets(before: packet.decodeTime ?? wanted, of: index) }
        hasKeyframe = true
        pending.append(packet)
        if !isSearched { return true }
      } else if hasKeyframe {
        pending.append(packet)
      }
      if let decoded = packet.decodeTime ?? shown, decoded > wanted { return hasKeyframe }
      if pending.size > Self.heldLimit { return hasKeyframe }
    }
    return hasKeyframe || !isVideo
  }

  /// A picture without a time of its own (AVI has none) is shown later than it is decoded, by 16 pictures at most:
  /// those before it in an open group can't be decoded from it.
  private func latestShow(of packet: MediaPacket, decodedAt time: Int64, _ isVideo: Bool) -> Int64 {
    isVideo ? time &+ packet.duration &* 16 : time
  }

  /// Of the other tracks half a second is kept: containers interleave loosely.
  private func dropPackets(before time: Int64, of index: Int) {
    let base = clocks[index].timeBase
    let margin = rescale(1, AVRational(num: 1, den: 2), base) ?? 0
    pending.removeAll { packet in
      guard packet.track != index else { return true }
      guard packet.track < clocks.count, let shown = packet.presentationTime ?? packet.decodeTime else { return false }
      return av_compare_ts(shown &+ packet.duration, clocks[packet.track].timeBase, time &- margin, base) < 0
    }
  }
}
