import CoreMedia
package import Foundation
package import MediaRuntime

/// The domains in which Apple tells of failures with sound.
package enum AudioErrorDomain {
  /// Of files and of conversion.
  package static let audio = "com.apple.coreaudio.avfaudio"
  /// Of players and recorders.
  package static let status = "NSOSStatusErrorDomain"
}

extension MediaError {
  /// Apple's error for a failure with sound: a status, a sentence, and the engine's own error underneath.
  /// - Parameter call: what was tried, as Apple's errors name it.
  package func audioError(_ domain: String, call: String? = nil) -> NSError {
    var userInfo = localizedTexts
    userInfo[NSUnderlyingErrorKey] = EngineError(self)
    userInfo["failed call"] = call
    if let address {
      let url = URL(string: address)
      userInfo[NSFilePathErrorKey] = url.flatMap { $0.isFileURL ? $0.path : nil } ?? address
    }
    return NSError(domain: domain, code: Int(audioStatus), userInfo: userInfo)
  }

  private var audioStatus: OSStatus {
    switch code {
    case .outOfMemory: -108
    case .sourceUnreadable: -54
    case .containerUnknown, .containerNoTracks, .containerLoneSegment, .sourceIsFolder: Self.status("typ?")
    case .sourceEmpty, .containerDamaged, .containerTruncated, .containerIndexMissing, .decodeFailed:
      Self.status("dta?")
    case .decoderMissing, .decoderOpenFailed, .contentProtected, .conversionFailed, .encoderMissing,
      .writingUnsupported:
      Self.status("fmt?")
    case .diskFull: -34
    case .inputUnavailable, .inputLost, .outputUnavailable, .outputLost: Self.status("!dev")
    default: Self.status("wht?")
    }
  }

  private static func status(_ characters: String) -> OSStatus {
    OSStatus(bitPattern: characters.utf8.reduce(0) { $0 << 8 | UInt32($1) })
  }
}

extension NSError {
  /// An error of the façade's own: parameters that do not fit.
  static func audioParameter(_ message: String) -> NSError {
    NSError(domain: AudioErrorDomain.status, code: -50, userInfo: [NSLocalizedDescriptionKey: message])
  }
}
