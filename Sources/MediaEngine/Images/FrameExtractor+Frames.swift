import MediaIO
import MediaRuntime

extension FrameExtractor {
  /// Gives a frame to the target that waits for it. Frames come in the order of their times.
  func took(_ frame: VideoFrame) -> Progress {
    let time = frame.presentationTime
    last = frame
    for index in outstanding.indices
    where time <= max(outstanding[index].target.ticks, outstanding[index].packetTime ?? .min) {
      outstanding[index].candidate = frame
    }
    guard let first = outstanding.first else { return .working }
    if let wanted = first.packetTime {
      if time == wanted { return found(frame) }
      guard time > wanted else { return .working }
      return again(first, first.candidate ?? frame)
    }
    guard time > first.target.ticks else { return .working }
    return found(first.candidate ?? frame)
  }

  /// The decoder has given all it had.
  func settle() -> Progress {
    guard let first = outstanding.first else { return .working }
    if first.packetTime != nil {
      guard let candidate = first.candidate, candidate.presentationTime == first.packetTime else {
        return again(first, first.candidate)
      }
      return found(candidate)
    }
    guard let candidate = first.candidate, isShown(candidate, first.target) else {
      outstanding.removeFirst()
      let missing = MediaError.noImage(at: first.target.time, media.source.address)
      return .failed(first.target.index, first.candidate == nil ? failure ?? missing : missing)
    }
    return found(candidate)
  }

  /// The last frame is shown to the end of the media.
  private func isShown(_ frame: VideoFrame, _ target: Target) -> Bool {
    let end = end(after: frame.presentationTime, duration: frame.duration)
    return target.ticks < end || target.earliest.map { $0 < end } ?? true
  }

  func found(_ frame: VideoFrame) -> Progress {
    let first = outstanding.removeFirst()
    return .found(first.target.index, frame)
  }

  /// The picture did not come as its packet promised: everything is decoded from the key frame on.
  private func again(_ missed: Outstanding, _ candidate: VideoFrame?) -> Progress {
    outstanding.removeFirst()
    var target = missed.target
    target.isBlind = true
    targets.insert(target, at: targets.startIndex)
    // Those that wait behind it lose their packets by the seek.
    for waiting in outstanding.reversed() { targets.insert(waiting.target, at: targets.startIndex + 1) }
    outstanding = []
    forgetPosition()
    return .working
  }
}
