/// How the first and last frames of a converter come about.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// Input from before the first frame and from behind the last one is given.
  case pre = 0
  /// Only from behind the last one; what lies before the first is taken for silence.
  case normal = 1
  case none = 2
}

/// Frames that a converter wants beside those that it converts.
public struct AVAudioConverterPrimeInfo: Hashable, Sendable {
  public var leadingFrames: AVAudioFrameCount
  public var trailingFrames: AVAudioFrameCount

  public init() { self.init(leadingFrames: 0, trailingFrames: 0) }

  public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
    self.leadingFrames = leadingFrames
    self.trailingFrames = trailingFrames
  }
}

/// What an input block has to give.
public enum AVAudioConverterInputStatus: Int, Sendable {
  case haveData = 0
  /// Nothing now, but there may be more later.
  case noDataNow = 1
  case endOfStream = 2
}

/// How a conversion went.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The output has frames.
  case haveData = 0
  /// The input has nothing now; the output has what could be made of it so far, perhaps nothing.
  case inputRanDry = 1
  /// Everything has been given; the output has none.
  case endOfStream = 2
  case error = 3
}

/// Gives a converter its input.
///
/// It is told how many frames are wanted, says what it has, and returns a buffer of the input format; nil, or one without
/// frames, unless it has said `haveData`. The buffer may be used again as soon as the block is called again.
public typealias AVAudioConverterInputBlock = (
  _ inNumberOfPackets: AVAudioPacketCount, _ outStatus: UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"
