package import CoreMedia

/// What a player delivered of a file, from opening to its end.
package struct PlaybackReport: Codable, Sendable {
  package struct Frame: Codable, Hashable, Sendable {
    package var value: Int64
    package var timescale: Int32
    package var hash: UInt64

    package init(value: Int64, timescale: Int32, hash: UInt64) {
      self.value = value
      self.timescale = timescale
      self.hash = hash
    }

    package var time: CMTime { CMTime(value: value, timescale: timescale) }
  }

  package struct Video: Codable, Sendable {
    /// Position among the demuxer's streams.
    package var stream: Int
    package var frames: [Frame]

    package init(stream: Int, frames: [Frame]) {
      self.stream = stream
      self.frames = frames
    }
  }

  package struct Audio: Codable, Sendable {
    package var stream: Int
    package var samples: Int64
    package var rate: Int

    package init(stream: Int, samples: Int64, rate: Int) {
      self.stream = stream
      self.samples = samples
      self.rate = rate
    }
  }

  package struct Chapter: Codable, Hashable, Sendable {
    /// Seconds.
    package var start: Double
    package var end: Double
    package var title: String

    package init(start: Double, end: Double, title: String) {
      self.start = start
      self.end = end
      self.title = title
    }
  }

  package struct Failure: Codable, Hashable, Sendable {
    package var code: Int
    package var message: String

    package init(code: Int, message: String) {
      self.code = code
      self.message = message
    }
  }

  package var video: Video?
  package var audio: Audio?
  package var chapters: [Chapter] = []
  package var covers = 0
  /// Seconds; nil while unknown.
  package var duration: Double?
  package var isReady = false
  /// Why the item failed.
  package var failure: Failure?
  package var didPlayToEndCount = 0
  package var failedToPlayToEndCount = 0
  /// Nothing was left to do, and neither an end nor a failure had come.
  package var isStuck = false
  /// Engine objects alive after everything was let go.
  package var leaks: [String: Int] = [:]

  package init() {}
}
