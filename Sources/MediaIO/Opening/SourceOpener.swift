package import Foundation
package import MediaRuntime

/// From an address to bytes. No I/O happens here: the source opens when it is first used.
package protocol SourceOpener: AnyObject, Sendable {
  /// - Throws: `addressMalformed`, `addressUnsupported` (with the remedy).
  func source(for url: URL, options: SourceOptions, scheduler: any Scheduler) throws(MediaError) -> any ByteSource
}

package struct SourceOptions: Sendable {
  package var httpHeaders: [String: String] = [:]
  package var mimeType: String?
  package var prefersPreciseTiming: Bool?
  /// The duration is to be measured, whatever the header states.
  package var measuresTiming = false
  /// Subtitles in files of their own.
  package var subtitleFiles: [URL] = []

  package init() {}
}
