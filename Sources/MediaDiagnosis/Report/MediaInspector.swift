package import Foundation
import FFmpegBackend
import MediaEngine
import MediaIO
import MediaRuntime

/// Opens media and reports on it, without playing.
package enum MediaInspector {
  package enum Outcome: Sendable {
    case report(MediaReport)
    /// - Parameter isSource: the bytes are the trouble, not what is in them.
    case failure(message: String, isSource: Bool)
  }

  /// Calls back once, on an engine queue. Needs an installed engine environment.
  /// - Parameter exact: read everything through for an exact duration, unless an index states every sample.
  package static func inspect(
    _ url: URL, address: String, exact: Bool, _ completion: @escaping @Sendable (Outcome) -> Void
  ) {
    guard let environment = EngineEnvironment.current else {
      return completion(.failure(message: "The engine is not set up: make an asset or player first.", isSource: false))
    }
    var options = SourceOptions()
    options.prefersPreciseTiming = exact
    options.measuresTiming = exact
    let asset = AssetCore(url: url, options: options, environment: environment)
    // A link's own size is of no interest, and a pipe has none.
    let file = url.resolvingSymlinksInPath()
    let bytes = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize.map(Int64.init)
    asset.load { result in
      // The asset must outlive its load.
      withExtendedLifetime(asset) {
        switch result {
        case .success(let media):
          completion(.report(MediaReport(media, address: address, bytes: media.isSeekable ? bytes : nil)))
        case .failure(let error):
          completion(.failure(message: error.message, isSource: error.code.stage == .source))
        }
      }
    }
  }

  /// The decoders of this machine. Devices are looked for at the first call.
  package static func decoders() -> [DecoderReport] {
    let devices = HardwareProbe.deviceNames
    return FFmpegMediaBackend.availableDecoders().map { DecoderReport($0, devices: devices) }
  }
}
