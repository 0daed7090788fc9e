package import MediaEngine
import MediaIO
package import MediaRuntime

/// A WAV file that grows; its header is right after every append. Used by one queue at a time.
package final class WaveFile {
  private let header: WaveHeader
  private let file: OutputFile
  private var dataSize: UInt64 = 0

  package var path: String { file.path }

  /// Creates the file, or empties it.
  package init(path: String, format: AudioDeviceFormat) throws(MediaError) {
    header = WaveHeader(format)
    file = try OutputFile(path: path)
    try file.put(header.bytes(dataSize: UInt64(0)), at: 0)
  }

  package func append(_ samples: [Float]) throws(MediaError) {
    let bytes = samples.withUnsafeBytes { Array($0) }
    try file.put(bytes, at: Int64(WaveHeader.size) + Int64(clamping: dataSize))
    dataSize += UInt64(bytes.count)
    try file.put(header.bytes(dataSize: dataSize), at: 0)
  }

  /// Piece by piece: a gap may be an hour long.
  package func appendSilence(frames: Int) throws(MediaError) {
    var rest = frames
    while rest > 0 {
      let count = min(rest, 65_536)
      try append([Float](repeating: 0, count: count * header.format.channelCount))
      rest -= count
    }
  }
}
