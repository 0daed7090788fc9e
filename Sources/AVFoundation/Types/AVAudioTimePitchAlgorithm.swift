internal import MediaEngine

/// How sound keeps or loses its pitch at rates other than 1.
public struct AVAudioTimePitchAlgorithm: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension AVAudioTimePitchAlgorithm {
  public static let lowQualityZeroLatency = Self(rawValue: "LowQualityZeroLatency")
  /// Pitch kept by overlapping pieces; for speech.
  public static let timeDomain = Self(rawValue: "TimeDomain")
  /// Pitch kept in the frequency domain; for music.
  public static let spectral = Self(rawValue: "Spectral")
  /// Pitch follows the rate.
  public static let varispeed = Self(rawValue: "Varispeed")

  var engineAlgorithm: PitchAlgorithm {
    switch self {
    case .varispeed: .varispeed
    case .spectral: .spectral
    default: .timeDomain
    }
  }
}
