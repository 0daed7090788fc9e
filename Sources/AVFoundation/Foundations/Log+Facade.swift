import MediaRuntime

extension Log {
  /// What an app most likely did not mean.
  static let app = Log("app")
}
