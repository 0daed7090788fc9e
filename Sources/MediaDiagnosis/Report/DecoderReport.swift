import FFmpegBackend

/// A decoder as `sprocket info --decoders` tells it.
package struct DecoderReport: Encodable, Sendable {
  /// FFmpeg's name of the decoder.
  package var name: String
  package var codec: String
  /// `video`, `audio` or `subtitle`.
  package var kind: String
  package var summary: String
  /// The decoder is a device's own, or is sped up by one.
  package var hardware: [String]
  /// Those of `hardware` that were found on this machine.
  package var found: [String]
  package var isExperimental: Bool

  init(_ decoder: DecoderInfo, devices: [String]) {
    name = decoder.name
    codec = decoder.codec
    kind = decoder.kind.rawValue
    summary = decoder.summary
    hardware = decoder.isHardware ? [decoder.name] : decoder.accelerators
    found = hardware.filter { name in devices.contains { name == $0 || name.hasSuffix("_" + $0) } }
    isExperimental = decoder.isExperimental
  }
}
