package import MediaEngine

/// How many frames are to be queued in a latency mode, and when more are asked for.
package struct AudioTargets: Hashable, Sendable {
  package var target: Int64
  /// Below this many queued frames more are asked for.
  package var lowWater: Int64
  /// What a server is told to hand over at a time, at least.
  package var request: Int64

  package init(target: Int64, lowWater: Int64, request: Int64) {
    self.target = target
    self.lowWater = lowWater
    self.request = request
  }

  /// Interactive: 120 ms, of which a server takes about a third ahead; more is asked for below 110 ms.
  /// Sound alone: 4 s. PulseAudio's device renders half of what is left without two requests ahead, 1.5 s at a time, and
  /// gives back all its memory blocks and asks for as much at the same moment; asked for in pieces of nearly its target
  /// it would render in the smallest pieces it can, and wake us for each block.
  package init(_ mode: AudioLatencyMode, sampleRate: Int) {
    let rate = Int64(sampleRate)
    switch mode {
    case .interactive: self.init(target: rate * 12 / 100, lowWater: rate * 11 / 100, request: rate * 25 / 1000)
    case .audioOnly: self.init(target: rate * 4, lowWater: rate * 3, request: rate / 2)
    }
  }

  /// Frames kept between what was heard and what was written, in every mode.
  package static func capacity(sampleRate: Int) -> Int { sampleRate * 53 / 10 }
}
