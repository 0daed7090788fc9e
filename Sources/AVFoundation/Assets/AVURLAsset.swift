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
}

extension SourceOptions {
  /// Reads Apple's options; what has another type than expected counts as absent.
  init(_ options: [String: Any]?) {
    self.init()
    guard let options else { return }
    prefersPreciseTiming = options[AVURLAssetPreferPreciseDurationAndTimingKey] as? Bool
    mimeType = options[AVURLAssetOverrideMIMETypeKey] as? String
    httpHeaders = options[AVURLAssetHTTPHeaderFieldsKey] as? [String: String] ?? [:]
    if let agent = options[AVURLAssetHTTPUserAgentKey] as? String { httpHeaders["User-Agent"] = agent }
  }
}

/// The undocumented but widely used option: extra HTTP header fields.
let AVURLAssetHTTPHeaderFieldsKey = "AVURLAssetHTTPHeaderFieldsKey"
