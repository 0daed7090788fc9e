/// A number of sample frames.
public typealias AVAudioFrameCount = UInt32
/// A position in sample frames.
public typealias AVAudioFramePosition = Int64
/// A number of packets.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32

/// How much an encoder or converter cares.
public enum AVAudioQuality: Int, Sendable {
  case min = 0
  case low = 0x20
  case medium = 0x40
  case high = 0x60
  case max = 0x7F
}

/// The usual formats of linear samples.
public enum AVAudioCommonFormat: UInt, Sendable {
  case otherFormat = 0
  case pcmFormatFloat32 = 1
  case pcmFormatFloat64 = 2
  case pcmFormatInt16 = 3
  case pcmFormatInt32 = 4
}
