import CoreMedia
package import Foundation
import MediaIO
package import MediaRuntime

/// Subtitles in a file beside the media's.
package enum SideFile {
  /// Reads and parses a file on a queue of its own; the completion comes there.
  /// - Throws (as its result): 1xxx, `subtitlesUnknown`, `subtitlesTooLarge`.
  package static func load(
    _ url: URL, _ environment: EngineEnvironment,
    completion: @escaping @Sendable (Result<SubtitleFile, MediaError>) -> Void
  ) {
    let queue = environment.scheduler.queue("side file \(url.lastPathComponent)", .blocking)
    queue.post("read side file") {
      let result: Result<SubtitleFile, MediaError>
      do throws(MediaError) {
        let source = try environment.sources.source(
          for: url, options: SourceOptions(), scheduler: environment.scheduler)
        defer { source.close() }
        result = .success(
          try SubtitleFile(
            try read(source), language: SideFileName(url).languageTag, address: url.absoluteString))
      } catch {
        result = .failure(error)
      }
      completion(result)
      queue.close()
    }
  }

  private static func read(_ source: any ByteSource) throws(MediaError) -> [UInt8] {
    source.want(.first)
    try source.open(.first)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    // One byte more than is taken says that there are too many.
    while bytes.count <= SubtitleLimits.bytes {
      var failure: MediaError?
      let count = piece.withUnsafeMutableBytes { buffer -> Int in
        do throws(MediaError) {
          return try source.read(buffer, at: Int64(bytes.count), .first)
        } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      guard count > 0 else { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }
}

extension MediaDescription {
  /// Ids of side files' tracks begin here: containers count theirs from 1.
  private static let firstSideID: Int32 = 0x4000_0000

  /// With a track for each file; nothing of it is read.
  func adding(sideFiles: [URL]) -> MediaDescription {
    guard !sideFiles.isEmpty else { return self }
    var description = self
    for (number, url) in sideFiles.enumerated() {
      var track = MediaTrack(
        id: Self.firstSideID &+ Int32(clamping: number), index: MediaTrack.indices.upperBound + number, kind: .subtitle,
        timeBase: TimeBase(1, 1_000), codec: SideFileName.codec(of: url),
        timeRange: CMTimeRange(start: .zero, duration: duration))
      track.sideFile = url
      track.isEnabled = false
      let name = SideFileName(url)
      track.languageCode = name.languageCode
      track.extendedLanguageTag = name.languageTag
      track.title = name.title
      track.characteristics = name.characteristics
      track.formatDescription = try? CMFormatDescription(
        mediaType: .subtitle, mediaSubType: .init(rawValue: track.codec.fourCC))
      description.tracks.append(track)
    }
    return description
  }
}
