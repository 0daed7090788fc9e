import AVFoundation
import Foundation
import Testing

/// Sound made for tests, and folders for files.
enum TestSound {
  /// A ramp of whole 16-bit numbers that differs by channel, as floats: it passes every form of at least 16 bits unchanged.
  static func ramp(_ frame: Int, _ channel: Int) -> Float {
    Float(Int16(truncatingIfNeeded: frame * 7 + channel * 1_001)) / 32_768
  }

  static func sine(_ hertz: Double, _ frame: Int, rate: Double) -> Float {
    Float(0.5 * sin(2 * .pi * hertz * Double(frame) / rate))
  }

  /// A buffer of standard format with a sound by frame and channel.
  static func buffer(
    _ frames: Int, rate: Double = 48_000, channels: AVAudioChannelCount = 2, from first: Int = 0,
    _ sound: (Int, Int) -> Float = ramp
  ) throws -> AVAudioPCMBuffer {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    return try buffer(format, frames, from: first, sound)
  }

  static func buffer(_ format: AVAudioFormat, _ frames: Int, from first: Int = 0, _ sound: (Int, Int) -> Float = ramp)
    throws -> AVAudioPCMBuffer
  {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(max(frames, 1))))
    buffer.frameLength = AVAudioFrameCount(frames)
    let data = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<frames { data[channel][frame * buffer.stride] = sound(first + frame, channel) }
    }
    return buffer
  }

  /// The frames of a channel of floats.
  static func samples(_ buffer: AVAudioPCMBuffer, _ channel: Int = 0) -> [Float] {
    guard let data = buffer.floatChannelData else { return [] }
    return (0..<Int(buffer.frameLength)).map { data[channel][$0 * buffer.stride] }
  }

  /// All that is left of a file, by channel.
  static func read(_ file: AVAudioFile, piece: AVAudioFrameCount = 10_000) throws -> [[Float]] {
    var all = [[Float]](repeating: [], count: Int(file.processingFormat.channelCount))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: piece))
    while true {
      try file.read(into: buffer)
      guard buffer.frameLength > 0 else { return all }
      for channel in all.indices { all[channel] += samples(buffer, channel) }
    }
  }

  /// A folder that is removed after the body.
  static func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
