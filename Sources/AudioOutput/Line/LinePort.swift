import MediaEngine
import MediaRuntime
import Synchronization

/// The lock-free way from the engine to the device thread, and the clock back.
///
/// The engine's side is one queue at a time; the device's side is whoever holds the device's lock.
final class LinePort: Sendable {
  struct Command: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
      /// `count` frames follow in the ring of samples.
      case write
      case truncate
    }
    var kind: Kind
    var frame: Int64
    var count: Int
  }

  let format: AudioDeviceFormat
  /// Frames that may lie between the one being heard and the end.
  let capacity: Int64
  let clock = PublishedClock()

  private let commands = SingleProducerRing<Command>(capacity: 1024)
  private let samples: SingleProducerRing<Float>

  private let wantsRunning = Atomic<Bool>(false)
  private let isAudioOnly: Atomic<Bool>
  private let end = Atomic<Int64>(0)
  /// How far the device has what was written.
  private let handedOver = Atomic<Int64>(0)
  private let isCalled = Atomic<Bool>(false)

  init(format: AudioDeviceFormat, mode: AudioLatencyMode, capacity: Int) {
    self.format = format
    self.capacity = Int64(capacity)
    isAudioOnly = Atomic(mode == .audioOnly)
    // The largest target passes at once, whether or not the device's thread keeps up.
    let largest = Int(AudioTargets(.audioOnly, sampleRate: format.sampleRate).target) + format.sampleRate / 4
    samples = SingleProducerRing(capacity: largest * format.channelCount)
  }

  var mode: AudioLatencyMode { isAudioOnly.load(ordering: .acquiring) ? .audioOnly : .interactive }
  var targets: AudioTargets { AudioTargets(mode, sampleRate: format.sampleRate) }
  var writtenEnd: Int64 { end.load(ordering: .acquiring) }
  var isRunningWanted: Bool { wantsRunning.load(ordering: .acquiring) }

  // MARK: The engine's side

  func setRunning(_ running: Bool) { wantsRunning.store(running, ordering: .releasing) }
  func setMode(_ mode: AudioLatencyMode) { isAudioOnly.store(mode == .audioOnly, ordering: .releasing) }

  /// - Parameter floor: frames before it come too late.
  /// - Returns: frames taken, the late ones included.
  func write(_ source: UnsafeBufferPointer<Float>, at frame: Int64, floor: Int64, heard: Int64) -> Int {
    let channels = format.channelCount
    let given = source.count / channels
    let late = Int(min(max(floor - frame, 0), Int64(given)))
    let room = max(0, heard + capacity - frame - Int64(late))
    let count = min(given - late, samples.writable / channels, Int(min(room, Int64(Int32.max))))
    guard count > 0, commands.writable > 0 else { return late }
    samples.write(UnsafeBufferPointer(rebasing: source[late * channels..<(late + count) * channels]))
    _ = commands.push(Command(kind: .write, frame: frame + Int64(late), count: count))
    let last = frame + Int64(late + count)
    if last > end.load(ordering: .relaxed) { end.store(last, ordering: .releasing) }
    return late + count
  }

  func truncate(at frame: Int64) {
    guard frame < end.load(ordering: .relaxed) else { return }
    // Without room in the ring the device hears too much, once; a thousand cuts do not come between two wake-ups.
    guard commands.push(Command(kind: .truncate, frame: frame, count: 0)) else { return }
    end.store(frame, ordering: .releasing)
  }

  /// Frames on their way to the device.
  var pendingFrames: Int { Int(samples.written &- samples.consumed) / format.channelCount }
  /// The largest target passes without this at 48 kHz.
  var isNearlyFull: Bool {
    pendingFrames * format.channelCount > samples.capacity / 8 * 7 || commands.writable < 512
  }
  var handedOverEnd: Int64 { handedOver.load(ordering: .acquiring) }

  /// True for the first caller since the device last looked: that one has to wake it.
  func call() -> Bool { !isCalled.exchange(true, ordering: .acquiringAndReleasing) }

  // MARK: The device's side

  /// To be asked before the rings are emptied: what is written later calls again.
  func takeCall() -> Bool { isCalled.exchange(false, ordering: .acquiringAndReleasing) }

  func nextCommand() -> Command? { commands.pop() }
  func read(into target: UnsafeMutableBufferPointer<Float>) -> Int { samples.read(into: target) }
  func setHandedOver(_ frame: Int64) { handedOver.store(frame, ordering: .releasing) }
}
