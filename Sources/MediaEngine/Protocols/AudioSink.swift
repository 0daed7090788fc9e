package import MediaRuntime

/// What a device plays: interleaved 32-bit floats.
package struct AudioDeviceFormat: Hashable, Sendable {
  package var sampleRate: Int
  package var channelCount: Int
  /// FFmpeg's channel mask.
  package var channelMask: UInt64

  package init(sampleRate: Int, channelCount: Int, channelMask: UInt64) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelMask = channelMask
  }

  package static let stereo48 = AudioDeviceFormat(sampleRate: 48_000, channelCount: 2, channelMask: 0x3)
}

/// How much sound a sink keeps between the engine and the ear.
package enum AudioLatencyMode: Hashable, Sendable {
  /// About 100 ms: films, anything whose picture must follow.
  case interactive
  /// A second or more, few wake-ups: sound alone.
  case audioOnly
}

/// A sound device as a line of frames, numbered from 0 and counted by the device's own clock.
///
/// The engine writes at absolute frames. Frames behind `writtenEnd` extend the line; frames from `rewriteFloor` on that
/// were written but not played may be written again: that is how volume, mute, pause and rate act within 50 ms although
/// a second of sound is queued. Nothing here waits: calls go to the device thread through lock-free rings.
/// The sink belongs to the player and outlives items. A device that is lost is replaced inside the sink
/// (another device, else a silent one in real time), frames go on counting.
///
/// Threads: `setRunning`, `setLatency`, `setSoundEnd`, `write`, `truncate` and `close` come from one queue at a time, in order.
/// `position`, `writtenEnd`, `rewriteFloor`, `targetFrames` and `format` may be read anywhere, at any time.
package protocol AudioSink: AnyObject, Sendable {
  /// Fixed for the sink's life; a device change is adapted inside.
  var format: AudioDeviceFormat { get }

  /// Starts or stops the device's clock (cork). Frames written stay; from the stop on every frame not yet heard can be
  /// rewritten. The line moves, or rests, some milliseconds later (`position().isRunning`, events `started`, `stopped`).
  func setRunning(_ running: Bool)
  func setLatency(_ mode: AudioLatencyMode)

  /// Goes over to another device, frames go on counting; nil is the default one, followed when it changes.
  func setDevice(_ name: String?)

  /// Writes interleaved frames at an absolute frame number ≤ `writtenEnd`, or beyond it after an underrun (the gap is
  /// silence). Frames before `rewriteFloor` come too late: they are dropped and counted as taken.
  /// Returns how many frames were taken: fewer than given when the sink's ring is full (ask again on `needsFrames`).
  /// At least `targetFrames` can always be queued, also while stopped.
  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) -> Int

  /// Cuts what was written from a frame on (≥ `rewriteFloor`); `writtenEnd` becomes that frame.
  func truncate(at frame: Int64)

  /// The sound ends at this frame: what is written from there on only fills up until it is told to stop. nil: it does not.
  func setSoundEnd(_ frame: Int64?)

  /// The frame after the last one written.
  var writtenEnd: Int64 { get }
  /// The first frame that can still be changed before it is heard; the frame of `position` while the line rests.
  var rewriteFloor: Int64 { get }
  /// How many frames the sink wants to have queued beyond the one being heard.
  var targetFrames: Int64 { get }

  /// What is being heard: frame `frame` at instant `time`, and whether the line moves. Never goes back.
  /// Beyond `writtenEnd` the device plays silence and frames go on counting (an underrun).
  func position() -> AudioPosition

  /// Events go to `handler` on `queue`, one at a time, until the sink is closed. Set once, before `setRunning(true)`.
  func setEventHandler(on queue: SerialQueue, _ handler: @escaping @Sendable (AudioSinkEvent) -> Void)

  func close()
}

extension AudioSink {
  /// For sinks that have no devices to choose from.
  package func setDevice(_ name: String?) {}

  /// For sinks that play silence as well as anything.
  package func setSoundEnd(_ frame: Int64?) {}
}

package struct AudioPosition: Hashable, Sendable {
  package var frame: Int64
  package var time: HostTime
  package var isRunning: Bool
  /// Device frames per second of host time as measured (skew included); nominal when not yet known.
  package var measuredRate: Double

  package init(frame: Int64, time: HostTime, isRunning: Bool, measuredRate: Double) {
    self.frame = frame
    self.time = time
    self.isRunning = isRunning
    self.measuredRate = measuredRate
  }
}

package enum AudioSinkEvent: Sendable {
  /// Time to fill up to `targetFrames` again. Comes while running, once per falling below the sink's low-water mark
  /// (between a half and nearly all of the target); the next one only after more frames were written.
  case needsFrames
  /// After `setRunning(true)`: the line moves now.
  case started
  /// After `setRunning(false)`: the line rests; `position` is final.
  case stopped
  /// Nothing was queued when the device wanted it; counted once per gap.
  case underrun
  /// The device went away; the sink plays on another one, or silently in real time, with the same frame count.
  case deviceLost(MediaError)
  case deviceRecovered
  /// The desktop asks for silence (a call comes in), or gives leave again.
  case interruptionBegan
  case interruptionEnded
}

/// Opens sinks. Production: libpulse, else a silent sink in real time with a warning.
package protocol AudioSinkFactory: AnyObject, Sendable {
  /// - Parameter preferred: the rate and layout of the first item; the sink may choose another.
  /// - Parameter device: a device's name; nil is the default device, followed when it changes.
  func sink(preferred: AudioDeviceFormat, device: String?, mode: AudioLatencyMode, scheduler: any Scheduler)
    -> any AudioSink
}
