package import CoreMedia
import MediaRuntime

/// What the fakes were asked to do.
package final class FakeLog: Sendable {
  package struct Counts: Sendable {
    package var opens = 0
    package var packetsRead = 0
    package var seeks: [CMTime] = []
    package var liveDemuxers = 0
    package var liveDecoders = 0
    package var videoPackets = 0
    /// Packets whose picture was left out because it was not wanted.
    package var skipped: [Int] = []
    package var audioPackets = 0
    package var videoFlushes = 0
    package var audioDecoders = 0
    /// Faults of the engine that a decoder can see.
    package var misuses: [String] = []
    package var liveFrames = 0
    package var mostLiveFrames = 0

    package init() {}
  }

  private let state = Lock(Counts())

  package init() {}

  package func note(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }
  package var counts: Counts { state.withLock { $0 } }
}
