package import MediaEngine
package import MediaRuntime

/// How a device that is only counted, not heard, behaves.
package struct TimedDevice: Sendable {
  /// How much faster than nominal its clock runs, in parts per million.
  package var skew: Int
  /// Frames between being fetched by the device and being heard.
  package var latency: Int64
  /// Frames the device fetches at a time; fetched frames can't be changed.
  package var burst: Int64

  package init(skew: Int = 0, latency: Int64 = 0, burst: Int64) {
    self.skew = skew
    self.latency = max(latency, 0)
    self.burst = max(burst, 1)
  }
}

/// The line of a device that is only counted: pure, told the time by its owner.
///
/// Nothing needs to be done when the device fetches: whoever touches the line next brings it up to date first, and the
/// result is the same as if each burst had had a timer.
package struct TimedLine {
  /// What became of the frames, for tests and statistics.
  package struct Counts: Hashable, Sendable {
    /// Written before the floor, dropped.
    package var late: Int64 = 0
    /// Written again before being heard.
    package var rewritten: Int64 = 0
    /// Heard as silence because nothing was written.
    package var missing: Int64 = 0
    package var underruns = 0

    package init() {}
  }

  package let format: AudioDeviceFormat
  package private(set) var rate: FrameRate
  package private(set) var device: TimedDevice
  package private(set) var targets: AudioTargets
  package private(set) var counts = Counts()
  package private(set) var writtenEnd: Int64 = 0
  /// Whether the clock runs; during the first `latency` frames of it nothing is heard yet.
  package private(set) var isRunning = false
  /// Every frame before it was heard and handed to the taker.
  package private(set) var heardEnd: Int64 = 0

  private let store: FrameStore
  private var anchorFrame: Int64 = 0
  /// When `anchorFrame` is heard.
  private var anchorTime = HostTime.zero
  private var fetchedEnd: Int64 = 0
  private var isGap = false
  private var hasAsked = false

  package init(format: AudioDeviceFormat, device: TimedDevice, targets: AudioTargets) {
    self.format = format
    self.device = device
    self.targets = targets
    rate = FrameRate(format.sampleRate, skew: device.skew)
    let capacity = max(AudioTargets.capacity(sampleRate: format.sampleRate), Int(device.latency + device.burst) * 2)
    store = FrameStore(capacity: capacity, channelCount: format.channelCount)
  }

  // MARK: Time

  /// The frame being heard.
  package func heard(at now: HostTime) -> Int64 {
    guard isRunning else { return anchorFrame }
    return anchorFrame + max(0, rate.frames(in: now - anchorTime))
  }

  package func position(at now: HostTime) -> AudioPosition {
    let moves = isRunning && now >= anchorTime
    let frame = heard(at: now)
    let time = moves ? anchorTime + rate.duration(of: frame - anchorFrame) : now
    return AudioPosition(frame: frame, time: time, isRunning: moves, measuredRate: rate.actual)
  }

  /// When a frame begins to be heard if the clock runs on; nil while it rests.
  package func time(of frame: Int64) -> HostTime? {
    isRunning ? anchorTime + rate.duration(of: frame - anchorFrame) : nil
  }

  /// When the line begins to move after a start.
  package var startTime: HostTime { anchorTime }

  package func floor(at now: HostTime) -> Int64 {
    guard isRunning else { return max(anchorFrame, heardEnd) }
    return max(fetched(at: now), fetchedEnd)
  }

  private func fetched(at now: HostTime) -> Int64 {
    let next = anchorFrame + max(0, rate.frames(in: now - fetchStart))
    return (next / device.burst + 1) * device.burst
  }

  private var fetchStart: HostTime { anchorTime - rate.duration(of: device.latency) }

  // MARK: Commands

  /// Brings the line up to date. `take` gets each heard frame once, in order; nil samples are silence.
  /// - Returns: whether a gap began.
  package mutating func advance(
    to now: HostTime, _ take: (_ samples: UnsafeBufferPointer<Float>?, _ frames: Range<Int64>) -> Void
  ) -> Bool {
    let heard = heard(at: now)
    if heard > heardEnd {
      var next = heardEnd
      store.forEachRun(in: heardEnd..<max(heardEnd, min(heard, writtenEnd))) { samples, frame in
        if frame > next { take(nil, next..<frame) }
        let count = Int64(samples.count / format.channelCount)
        take(samples, frame..<frame + count)
        next = frame + count
      }
      if next < heard {
        take(nil, next..<heard)
        counts.missing += heard - next
      }
      heardEnd = heard
      store.discard(before: heard)
    }
    guard isRunning else { return false }
    fetchedEnd = max(fetchedEnd, fetched(at: now))
    let gap = fetchedEnd > writtenEnd
    defer { isGap = gap }
    if gap, !isGap { counts.underruns += 1 }
    return gap && !isGap
  }

  /// The caller has advanced the line to `now`, as for all commands.
  package mutating func setRunning(_ running: Bool, at now: HostTime) {
    guard running != isRunning else { return }
    anchorFrame = heard(at: now)
    isRunning = running
    isGap = false
    hasAsked = false
    if running {
      anchorTime = now + rate.duration(of: device.latency)
      fetchedEnd = anchorFrame
    } else {
      // The device gives back what it had fetched and not played.
      fetchedEnd = anchorFrame
    }
  }

  package mutating func setTargets(_ targets: AudioTargets) {
    self.targets = targets
    hasAsked = false
  }

  /// Changes the clock from now on: another device, or none.
  package mutating func setSkew(_ skew: Int, at now: HostTime) {
    let next = FrameRate(format.sampleRate, skew: skew)
    if isRunning, now >= anchorTime {
      let frame = heard(at: now)
      anchorTime = anchorTime + rate.duration(of: frame - anchorFrame)
      anchorFrame = frame
    }
    rate = next
    device.skew = skew
  }

  package mutating func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64, now: HostTime) -> Int {
    let given = Int64(samples.count / format.channelCount)
    let floor = floor(at: now)
    let late = min(max(floor - frame, 0), given)
    counts.late += late
    guard late < given else { return Int(given) }
    let first = frame + late
    store.discard(before: min(heardEnd, first))
    let rest = UnsafeBufferPointer(rebasing: samples[(Int(late) * format.channelCount)...])
    let stored = store.write(rest, at: first)
    counts.rewritten += max(0, min(writtenEnd, stored.upperBound) - first)
    if stored.upperBound > writtenEnd { hasAsked = false }
    writtenEnd = max(writtenEnd, stored.upperBound)
    return Int(stored.upperBound - frame)
  }

  package mutating func truncate(at frame: Int64, now: HostTime) {
    let end = min(writtenEnd, max(frame, floor(at: now)))
    guard end < writtenEnd else { return }
    writtenEnd = end
    store.truncate(at: end)
    hasAsked = false
  }

  /// Plays silence instead of what is queued in the next frames: a device that lost its queue.
  package mutating func dropQueue(_ frames: Int64, at now: HostTime) {
    let zeros = [Float](repeating: 0, count: Int(max(frames, 0)) * format.channelCount)
    let first = heard(at: now)
    _ = zeros.withUnsafeBufferPointer { store.write($0, at: first) }
    counts.underruns += 1
  }

  // MARK: Asking

  /// Whether more is to be asked for now; true once until more is written.
  package mutating func takesAsking(at now: HostTime) -> Bool {
    guard isRunning, !hasAsked, writtenEnd - heard(at: now) < targets.lowWater else { return false }
    hasAsked = true
    return true
  }

  /// When the line wants to be looked at next; nil if only a command can change anything.
  package func nextEvent(after now: HostTime) -> HostTime? {
    guard isRunning else { return nil }
    var next: HostTime?
    if !hasAsked { next = time(of: writtenEnd - targets.lowWater + 1) }
    if !isGap {
      let burst = (writtenEnd / device.burst) * device.burst
      let gap = fetchStart + rate.duration(of: burst - anchorFrame)
      next = next.map { min($0, gap) } ?? gap
    }
    return next.map { max($0, now) }
  }
}
