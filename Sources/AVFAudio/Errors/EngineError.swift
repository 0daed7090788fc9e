package import Foundation
package import MediaRuntime

/// The engine's error as an `NSError`, so that `userInfo[NSUnderlyingErrorKey] as? NSError` finds it.
// @unchecked Sendable: immutable.
package final class EngineError: NSError, @unchecked Sendable {
  package static let domain = "SprocketErrorDomain"

  package let mediaError: MediaError

  package init(_ error: MediaError) {
    mediaError = error
    var userInfo = error.localizedTexts
    if let cause = error.cause {
      userInfo[NSUnderlyingErrorKey] = (cause as? MediaError).map { EngineError($0) } ?? cause.plainNSError
    }
    super.init(domain: EngineError.domain, code: error.code.number, userInfo: userInfo)
  }

  package required init?(coder: NSCoder) {
    return nil
  }
}
