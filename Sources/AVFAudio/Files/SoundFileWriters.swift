import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaRuntime

/// Makes the writer that a format needs.
enum SoundFileWriters {
  /// Creates the file, or empties it.
  /// - Parameter survivesKill: the file plays at every moment.
  static func open(_ url: URL, _ format: SoundFileFormat, survivesKill: Bool) throws(MediaError) -> any SoundFileWriter
  {
    if case .linear = format.coding {
      guard LinearFileWriter.canWrite(format) else {
        throw .writingUnsupported("Such linear samples can't stand in such a file.")
      }
      return try LinearFileWriter(OutputFile(url), format)
    }
    return try EncodedFileWriter(OutputFile(url), format, survivesKill: survivesKill)
  }
}
