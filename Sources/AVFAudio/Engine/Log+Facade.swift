package import MediaRuntime

extension Log {
  /// What an app most likely did not mean.
  package static let app = Log("app")
}
