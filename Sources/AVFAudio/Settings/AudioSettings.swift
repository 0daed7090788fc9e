import CoreMedia
import Foundation
import MediaEngine

/// A settings dictionary as values. Numbers may come as any type of number, as they do from Swift and from plists.
struct AudioSettings {
  private let values: [String: Any]

  init(_ values: [String: Any]) { self.values = values }

  private func number(_ key: String) -> Double? {
    switch values[key] {
    case let value as NSNumber: value.doubleValue
    case let value as Bool: value ? 1 : 0
    case let value as any BinaryInteger: Double(value)
    case let value as any BinaryFloatingPoint: Double(value)
    case let value as AVAudioQuality: Double(value.rawValue)
    default: nil
    }
  }

  private func whole(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0) } }
  private func flag(_ key: String) -> Bool? { number(key).map { $0 != 0 } }

  var formatID: AudioFormatID? { whole(AVFormatIDKey).flatMap { AudioFormatID(exactly: $0) } }
  var fileType: UInt32? { whole(AVAudioFileTypeKey).flatMap { UInt32(exactly: $0) } }
  var sampleRate: Double? { number(AVSampleRateKey) }
  var channelCount: Int? { whole(AVNumberOfChannelsKey) }
  var bitDepth: Int? { whole(AVLinearPCMBitDepthKey) }
  var bitDepthHint: Int? { whole(AVEncoderBitDepthHintKey) }
  var isFloat: Bool? { flag(AVLinearPCMIsFloatKey) }
  var isBigEndian: Bool? { flag(AVLinearPCMIsBigEndianKey) }
  var isNonInterleaved: Bool? { flag(AVLinearPCMIsNonInterleaved) }
  var bitRate: Int? { whole(AVEncoderBitRateKey) }
  var bitRatePerChannel: Int? { whole(AVEncoderBitRatePerChannelKey) }
  var quality: Int? { whole(AVEncoderAudioQualityKey) }
  var bitRateStrategy: String? { values[AVEncoderBitRateStrategyKey] as? String }

  /// `AVChannelLayoutKey`'s data.
  var layout: ManagedAudioChannelLayout? {
    guard let data = values[AVChannelLayoutKey] as? Data, data.count >= 12 else { return nil }
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(data.count, MemoryLayout<AudioChannelLayout>.size),
      alignment: MemoryLayout<AudioChannelLayout>.alignment)
    defer { copy.deallocate() }
    copy.initializeMemory(as: UInt8.self, repeating: 0)
    copy.copyBytes(from: data)
    guard let base = copy.baseAddress else { return nil }
    return ManagedAudioChannelLayout(
      UnsafePointer(base.assumingMemoryBound(to: AudioChannelLayout.self)), size: data.count)
  }

  /// Nil without format, rate or channels, and for linear samples that do not exist.
  var stream: AudioStreamBasicDescription? {
    guard let formatID, let sampleRate, sampleRate.isFinite, sampleRate >= 0,
      let channels = channelCount.flatMap({ UInt32(exactly: $0) }), (1...1_024).contains(channels)
    else { return nil }
    guard formatID == kAudioFormatLinearPCM else {
      var stream = AudioStreamBasicDescription()
      stream.mSampleRate = sampleRate
      stream.mFormatID = formatID
      stream.mChannelsPerFrame = channels
      return stream
    }
    let isFloat = isFloat ?? false
    let bits = bitDepth ?? (isFloat ? 32 : 16)
    guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits) else { return nil }
    var stream = AudioStreamBasicDescription.linearPCM(
      sampleRate: sampleRate, channels: channels, bytes: UInt32(bits / 8), isFloat: isFloat,
      isInterleaved: !(isNonInterleaved ?? false))
    if isBigEndian ?? false { stream.mFormatFlags |= kAudioFormatFlagIsBigEndian }
    return stream
  }

  static func dictionary(_ stream: AudioStreamBasicDescription, _ layout: ManagedAudioChannelLayout?) -> [String: Any] {
    var settings: [String: Any] = [
      AVFormatIDKey: stream.mFormatID, AVSampleRateKey: stream.mSampleRate,
      AVNumberOfChannelsKey: stream.mChannelsPerFrame,
    ]
    if stream.mFormatID == kAudioFormatLinearPCM {
      let flags = stream.mFormatFlags
      settings[AVLinearPCMBitDepthKey] = stream.mBitsPerChannel
      settings[AVLinearPCMIsFloatKey] = flags & kAudioFormatFlagIsFloat != 0
      settings[AVLinearPCMIsBigEndianKey] = flags & kAudioFormatFlagIsBigEndian != 0
      settings[AVLinearPCMIsNonInterleaved] = flags & kAudioFormatFlagIsNonInterleaved != 0
    }
    settings[AVChannelLayoutKey] = layout.map { layout in
      layout.withUnsafePointer { Data(bytes: $0, count: layout.sizeInBytes) }
    }
    return settings
  }
}
