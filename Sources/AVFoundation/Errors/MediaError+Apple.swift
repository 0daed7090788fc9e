package import Foundation
import FoundationNetworking
package import MediaRuntime

extension MediaError {
  /// Apple's error for this one: domain, number, a sentence, and the engine's own error underneath.
  package var appleError: NSError {
    let (domain, number) = appleDomainAndCode
    var userInfo = localizedTexts
    userInfo[NSUnderlyingErrorKey] = EngineError(self)
    if let address {
      if let url = URL(string: address), url.scheme != nil {
        userInfo[NSURLErrorFailingURLErrorKey] = url
      } else {
        userInfo[NSFilePathErrorKey] = address
      }
    }
    return NSError(domain: domain, code: number, userInfo: userInfo)
  }

  /// The whole text as the description, because most programs show nothing else, and its two parts on their own.
  var localizedTexts: [String: Any] {
    var texts = [NSLocalizedDescriptionKey: message, NSLocalizedFailureReasonErrorKey: reason]
    texts[NSLocalizedRecoverySuggestionErrorKey] = remedy
    return texts
  }

  private var appleDomainAndCode: (String, Int) {
    if let url = urlErrorCode { return (NSURLErrorDomain, url.rawValue) }
    return (AVFoundationErrorDomain, avErrorCode.rawValue)
  }

  /// Addresses and files that can't be reached are the loading system's errors at Apple's.
  private var urlErrorCode: URLError.Code? {
    switch code {
    case .sourceMissing: .fileDoesNotExist
    case .sourceUnreadable: .noPermissionsToReadFile
    case .sourceIsFolder: .fileIsDirectory
    case .addressMalformed: .badURL
    case .addressUnsupported: .unsupportedURL
    case .interrupted: .cancelled
    default: nil
    }
  }

  private var avErrorCode: AVError.Code {
    switch code {
    case .outOfMemory: .outOfMemory
    case .sourceEmpty, .containerUnknown, .subtitlesUnknown, .subtitlesTooLarge: .fileFormatNotRecognized
    case .sourceChanged, .sourceReadFailed, .seekFailed: .failedToLoadMediaData
    case .containerDamaged, .containerTruncated, .containerIndexMissing, .containerInitOnly: .fileFailedToParse
    case .containerLoneSegment, .containerNoTracks, .containerInterleaveTooWide: .fileFormatNotRecognized
    case .contentProtected: .contentIsProtected
    case .decoderMissing, .decoderOpenFailed: .decoderNotFound
    case .decodeFailed: .decodeFailed
    case .conversionFailed: .formatUnsupported
    case .imageMissing: .noImageAtTime
    default:
      switch code.stage {
      case .source, .network: .failedToLoadMediaData
      case .container, .playlist: .failedToParse
      case .decode: .decodeFailed
      case .output, .cache, .writing, .unknown: .unknown
      }
    }
  }
}

extension AVError {
  /// An error of the façade's own.
  static func make(_ code: Code, _ message: String) -> NSError {
    NSError(domain: AVFoundationErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
  }
}

extension Error {
  /// Any error as an `NSError`, safely: a plain Swift error can't be cast to one on Linux.
  var asNSError: NSError {
    if let error = self as? MediaError { return error.appleError }
    if type(of: self) is NSError.Type || self is AVError { return self as NSError }
    let custom = self as? any CustomNSError
    var userInfo = custom?.errorUserInfo ?? [:]
    let texts = self as? any LocalizedError
    let described: [(String, String?)] = [
      (NSLocalizedDescriptionKey, texts?.errorDescription), (NSLocalizedFailureReasonErrorKey, texts?.failureReason),
      (NSLocalizedRecoverySuggestionErrorKey, texts?.recoverySuggestion), (NSHelpAnchorErrorKey, texts?.helpAnchor),
    ]
    for (key, text) in described where userInfo[key] == nil { userInfo[key] = text }
    if userInfo[NSLocalizedDescriptionKey] == nil { userInfo[NSLocalizedDescriptionKey] = String(describing: self) }
    return NSError(
      domain: custom.map { type(of: $0).errorDomain } ?? String(reflecting: type(of: self)),
      code: custom?.errorCode ?? 1, userInfo: userInfo)
  }
}
