import AVFoundation
import MediaRuntime

/// A failure as a person reads it, and the exit code that it means.
struct PlayFailure: Sendable {
  let message: String
  let exitCode: ExitCode

  init(_ error: (any Error)?) {
    guard let error else {
      message = "Playing stopped without a reason."
      exitCode = .playbackFailed
      return
    }
    let cocoa = error as NSError
    message = cocoa.localizedDescription
    let cause = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError
    let isEmpty = cause?.domain == EngineError.domain && cause?.code == MediaError.Code.sourceEmpty.number
    exitCode = isEmpty ? .sourceUnavailable : Self.exitCode(domain: cocoa.domain, code: cocoa.code)
  }

  private static func exitCode(domain: String, code: Int) -> ExitCode {
    switch domain {
    case NSURLErrorDomain, NSPOSIXErrorDomain, NSCocoaErrorDomain: return .sourceUnavailable
    case AVFoundationErrorDomain:
      switch AVError.Code(rawValue: code) {
      case .fileFormatNotRecognized, .fileFailedToParse, .failedToParse, .decoderNotFound, .undecodableMediaData,
        .contentIsProtected, .decodeFailed, .formatUnsupported, .noSourceTrack:
        return .notMedia
      case .failedToLoadMediaData, .contentIsUnavailable, .noLongerPlayable: return .sourceUnavailable
      case .diskFull: return .outputFailed
      default: return .playbackFailed
      }
    default: return .playbackFailed
    }
  }
}
