import CFFmpeg
import MediaEngine
import MediaIO
import MediaRuntime

/// Finds out which container the bytes are, within bounds and without opening anything else.
enum FormatProbe {
  /// Bytes that are looked at before giving up.
  static let limit: Int64 = 1 << 20

  /// Containers that are lists of other files or addresses: opening one would read what the app never named.
  private static let refused: Set<String> = [
    "hls", "applehttp", "concat", "concatf", "dash", "imf", "sdp", "rtsp", "rtp", "image2", "webm_dash_manifest",
    "ffmetadata", "vapoursynth", "avisynth", "lavfi", "tee", "sbg", "xbin", "tty", "bin", "adf", "idf",
  ]

  /// The name given to libavformat: it weighs the extension, and must see nothing more of the address.
  static func name(for hints: SourceHints) -> String {
    let letters = (hints.pathExtension ?? "").unicodeScalars.filter {
      $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
    }
    return letters.isEmpty ? "media" : "media." + String(String.UnicodeScalarView(letters.prefix(12)))
  }

  /// A container that libavformat took, if it is one that may not be opened.
  static func refusal(of format: UnsafePointer<AVInputFormat>?, address: String) -> MediaError? {
    let names = (String(c: format?.pointee.name) ?? "").split(separator: ",").map(String.init)
    return names.first { refused.contains($0) }.map { list(named: $0, address: address) }
  }

  /// Why nothing was recognised, told by the first bytes.
  static func failure(_ reader: SourceReader, status: Int32) -> MediaError {
    let address = reader.source.address
    let start = (try? reader.bytes(at: 0, count: 8)) ?? nil
    if let start, start.starts(with: Array("#EXTM3U".utf8)) { return list(named: "an M3U playlist", address: address) }
    if let start, start.starts(with: Array("ffconcat".utf8)) { return list(named: "a concat script", address: address) }
    return MediaError(
      .containerUnknown,
      "The content is no media format that is known here. Check that the file is complete, and not a web page or a document under a media name.",
      status: status, address: address)
  }

  private static func list(named name: String, address: String) -> MediaError {
    MediaError(
      .containerUnknown,
      "The content is a list of other media (\(name)) or none at all, so it is not opened as a file. Open the media that it names.",
      address: address)
  }

  /// Sound behind an ID3v2 tag that is larger than what is probed: only a picture would be seen.
  static func behindTag(_ reader: SourceReader) throws(MediaError) -> UnsafePointer<AVInputFormat>? {
    guard reader.source.isSeekable, let header = try reader.bytes(at: 0, count: 10),
      header.starts(with: Array("ID3".utf8)), header[6...].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = header[6...].reduce(Int64(0)) { $0 << 7 | Int64($1) } + 10
    guard size > limit / 2 else { return nil }
    let count = Int(min((reader.source.length ?? .max) - size, 64 << 10))
    guard count > 0, var bytes = try reader.bytes(at: size, count: count) else { return nil }
    bytes += [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
    return bytes.withUnsafeMutableBufferPointer { buffer in
      var data = AVProbeData()
      data.buf = buffer.baseAddress
      data.buf_size = Int32(count)
      return "media".withCString { name in
        data.filename = name
        return av_probe_input_format(&data, 1).map { UnsafePointer($0) }
      }
    }
  }
}
