package import MediaEngine
import MediaRuntime

extension EngineEnvironment {
  /// Where new players and assets come to life. The first use installs the real engine.
  package static var forNewObjects: EngineEnvironment {
    if let current { return current }
    preconditionFailure()
  }
}
