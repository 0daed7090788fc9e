import AVFAudio
public import Foundation
import MediaEngine
import MediaIO
import MediaRuntime

/// Media behind an address. Making one does no I/O and never fails; errors come when something is loaded.
// @unchecked Sendable: the engine's asset is Sendable, the made tracks are behind a lock, the rest is immutable.
open class AVURLAsset: AVAsset, @unchecked Sendable {
  /// The address, as given.
  public let url: URL
  /// Sent with every request of this asset's media.
  public let httpSessionIdentifier = UUID()

  /// - Parameter options: by the `AVURLAsset…Key` names.
  public init(url: URL, options: [String: Any]? = nil) {
    self.url = url
    super.init(core: AssetCore(url: url, options: SourceOptions(options), environment: .forNewObjects))
  }

  /// Sprocket's own: files in the folder of a film that are subtitles of it: those of its own name, and those that add a
  /// language or a role to it. Reads the folder; empty where there are none, and for anything but files.
  public static func subtitleFiles(besideMediaAt url: URL) -> [URL] { SideFileName.files(beside: url) }
}

extension SourceOptions {
  /// Reads Apple's options; what has another type than expected counts as absent.
  init(_ options: [String: Any]?) {
    self.init()
    guard let options else { return }
    prefersPreciseTiming = options[AVURLAssetPreferPreciseDurationAndTimingKey] as? Bool
    mimeType = options[AVURLAssetOverrideMIMETypeKey] as? String
    subtitleFiles = options[AVURLAssetSubtitleFilesKey] as? [URL] ?? []
    httpHeaders = options[AVURLAssetHTTPHeaderFieldsKey] as? [String: String] ?? [:]
    if let agent = options[AVURLAssetHTTPUserAgentKey] as? String { httpHeaders["User-Agent"] = agent }
  }
}

/// The undocumented but widely used option: extra HTTP header fields.
let AVURLAssetHTTPHeaderFieldsKey = "AVURLAssetHTTPHeaderFieldsKey"
