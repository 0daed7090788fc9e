import AVFAudio
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
    case .diskFull: .diskFull
    case .encoderMissing: .encoderNotFound
    case .encodeFailed: .encodeFailed
    case .writingUnsupported: .unsupportedOutputSettings
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
    return self is AVError ? self as NSError : plainNSError
  }
}
