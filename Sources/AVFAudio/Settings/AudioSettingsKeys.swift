// The keys of audio settings dictionaries, by their documented names and values.

/// Four-character code of the format. Number.
public let AVFormatIDKey = "AVFormatIDKey"
/// Samples per second. Number.
public let AVSampleRateKey = "AVSampleRateKey"
/// Number.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// Bits per sample: 8, 16, 24 or 32.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Each channel in its own buffer.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// An `AVAudioQuality` of the encoder.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// Bits per second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
/// An `AudioChannelLayout` as data.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"

public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"
