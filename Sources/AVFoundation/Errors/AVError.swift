public import CoreMedia
public import Foundation

/// The domain of AVFoundation's errors.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

public let AVErrorDeviceKey = "AVErrorDeviceKey"
public let AVErrorTimeKey = "AVErrorTimeKey"
public let AVErrorFileSizeKey = "AVErrorFileSizeKey"
public let AVErrorPIDKey = "AVErrorPIDKey"
public let AVErrorRecordingSuccessfullyFinishedKey = "AVErrorRecordingSuccessfullyFinishedKey"
public let AVErrorMediaTypeKey = "AVErrorMediaTypeKey"
public let AVErrorMediaSubTypeKey = "AVErrorMediaSubTypeKey"
public let AVErrorPresentationTimeStampKey = "AVErrorPresentationTimeStampKey"
public let AVErrorPersistentTrackIDKey = "AVErrorPersistentTrackIDKey"
public let AVErrorFileTypeKey = "AVErrorFileTypeKey"
public let AVErrorDiscontinuityFlagsKey = "AVErrorDiscontinuityFlagsKey"

/// An error of media work.
///
/// Errors are handed out as `NSError`, as Apple does; `error as? AVError` and `error as NSError` both work.
public struct AVError: _BridgedStoredNSError, Sendable {
  public let _nsError: NSError

  public init(_nsError error: NSError) {
    _nsError = error
  }

  public static var _nsErrorDomain: String { AVFoundationErrorDomain }

  /// Same as `AVFoundationErrorDomain`.
  public static var errorDomain: String { AVFoundationErrorDomain }

  public var time: CMTime? { (userInfo[AVErrorTimeKey] as? NSValue)?.timeValue }
  public var fileSize: Int64? { (userInfo[AVErrorFileSizeKey] as? NSNumber)?.int64Value }
  public var processID: Int? { (userInfo[AVErrorPIDKey] as? NSNumber)?.intValue }
  public var recordingSuccessfullyFinished: Bool? {
    (userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? NSNumber)?.boolValue
  }
  public var mediaType: AVMediaType? { (userInfo[AVErrorMediaTypeKey] as? String).map { AVMediaType($0) } }
  /// Four-character codes.
  public var mediaSubtypes: [Int]? { userInfo[AVErrorMediaSubTypeKey] as? [Int] }
  public var presentationTimeStamp: CMTime? { (userInfo[AVErrorPresentationTimeStampKey] as? NSValue)?.timeValue }
  public var persistentTrackID: CMPersistentTrackID? {
    (userInfo[AVErrorPersistentTrackIDKey] as? NSNumber)?.int32Value
  }
  public var fileType: AVFileType? { (userInfo[AVErrorFileTypeKey] as? String).map { AVFileType($0) } }
}

// Without this an NSError can't be cast to AVError on Linux, nor an AVError to NSError.
extension AVError: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) {
    result = AVError(_nsError: source)
  }

  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) -> Bool {
    guard source.domain == AVFoundationErrorDomain else { return false }
    result = AVError(_nsError: source)
    return true
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AVError {
    AVError(_nsError: source ?? NSError(domain: AVFoundationErrorDomain, code: Code.unknown.rawValue))
  }
}
