package import Foundation
package import MediaRuntime

extension MediaError {
  /// The whole text as the description, because most programs show nothing else, and its two parts on their own.
  package var localizedTexts: [String: Any] {
    var texts = [NSLocalizedDescriptionKey: message, NSLocalizedFailureReasonErrorKey: reason]
    texts[NSLocalizedRecoverySuggestionErrorKey] = remedy
    return texts
  }
}

extension Error {
  /// An error of any other kind than the engine's as an `NSError`, safely: a plain Swift error can't be cast to one on
  /// Linux.
  package var plainNSError: NSError {
    if type(of: self) is NSError.Type { return self as NSError }
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
