package import MediaIO
package import MediaRuntime

/// Writes files of linear samples. The header is right after every write, in one write of its own: whenever the process
/// ends, the file holds all that was written.
package final class LinearFileWriter: SoundFileWriter {
  package let format: SoundFileFormat
  private let file: OutputFile
  private let header: any LinearHeader
  private let headerSize: Int64
  private var dataSize: Int64 = 0
  private var buffer: [UInt8] = []
  /// Frames that are converted at once.
  private static let piece = 8_192

  /// - Throws: `writingUnsupported` for a coding that the container can't have.
  package init(_ file: OutputFile, _ format: SoundFileFormat) throws(MediaError) {
    self.file = file
    self.format = format
    header = try Self.header(format)
    let bytes = header.bytes(dataSize: 0)
    headerSize = Int64(bytes.count)
    try file.put(bytes, at: 0)
  }

  /// Whether a container has linear samples of this form.
  package static func canWrite(_ format: SoundFileFormat) -> Bool { (try? header(format)) != nil }

  private static func header(_ format: SoundFileFormat) throws(MediaError) -> any LinearHeader {
    guard case .linear(let samples) = format.coding, format.sampleRate > 0, (1...512).contains(format.channelCount)
    else { throw .writingUnsupported("Files of linear samples have a rate and 1 to 512 channels.") }
    switch format.container {
    case .wave where !samples.isBigEndian && (samples.kind == .unsigned) == (samples.bits == 8):
      return WaveHeader(
        AudioDeviceFormat(
          sampleRate: format.sampleRate, channelCount: format.channelCount, channelMask: format.channelMask), samples)
    case .aiff where samples.kind == .signed && (samples.isBigEndian || samples.bits == 8):
      return AIFFHeader(
        channelCount: format.channelCount, sampleRate: format.sampleRate, sampleFormat: samples, isCompressible: false)
    case .aifc where samples.isBigEndian || samples.kind == .signed && (samples.bits == 16 || samples.bits == 8):
      return AIFFHeader(
        channelCount: format.channelCount, sampleRate: format.sampleRate, sampleFormat: samples, isCompressible: true)
    case .caf where samples.kind != .unsigned:
      return CAFHeader(
        channelCount: format.channelCount, sampleRate: format.sampleRate, channelMask: format.channelMask,
        sampleFormat: samples)
    default:
      throw .writingUnsupported(
        "Linear samples of \(samples.bits) bits in that order and kind can't stand in such a file.")
    }
  }

  private var frameSize: Int { format.channelCount * header.sampleFormat.byteCount }

  package var frameCount: Int64 { dataSize / Int64(frameSize) }

  package func write(_ samples: SamplePlanes, frames: Int) throws(MediaError) {
    var done = 0
    while done < frames {
      let count = min(Self.piece, frames - done)
      try append(samples.advanced(by: done), count)
      done += count
    }
  }

  private func append(_ samples: SamplePlanes, _ frames: Int) throws(MediaError) {
    let size = frames * frameSize
    guard dataSize + Int64(size) <= header.limit else {
      throw MediaError(
        .diskFull, "AIFF files end at 4 GiB; what was written so far is kept. Write into a CAF or WAV file.",
        address: file.path)
    }
    if buffer.count != size { buffer = [UInt8](repeating: 0, count: size) }
    let written: Result<Void, MediaError> = buffer.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return .success(()) }
      let target = SamplePlanes(
        interleaved: base, format: header.sampleFormat, channelCount: format.channelCount)
      samples.copy(to: target, frames: frames)
      return Result { () throws(MediaError) in try file.put(UnsafeRawBufferPointer(bytes), at: headerSize + dataSize) }
    }
    // Where there was no room for all, whole frames of it are kept.
    let whole = min(file.length - headerSize, dataSize + Int64(size)) / Int64(frameSize) * Int64(frameSize)
    if whole > dataSize {
      dataSize = whole
      try file.put(header.bytes(dataSize: dataSize), at: 0)
    }
    try written.get()
  }

  package func finish() throws(MediaError) {
    // Chunks begin at even places.
    if format.container != .caf, dataSize % 2 != 0 { try file.put([0], at: headerSize + dataSize) }
  }
}

extension MediaError {
  package static func writingUnsupported(_ reason: String) -> MediaError {
    MediaError(.writingUnsupported, "\(reason) Choose other settings for the file, or another kind of file.")
  }
}
