/// Mistakes of the app that raise an exception at Apple's: the process ends here, with the reason.
enum AudioMisuse {
  /// - Parameter needed: what the call needs and did not get.
  static func failed(_ needed: @autoclosure () -> String) -> Never {
    preconditionFailure("required condition is false: \(needed())")
  }

  static func check(_ condition: Bool, _ needed: @autoclosure () -> String) {
    if !condition { failed(needed()) }
  }
}
