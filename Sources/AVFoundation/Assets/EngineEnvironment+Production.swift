import AudioOutput
import FFmpegBackend
import Foundation
package import MediaEngine
import MediaIO
import MediaRuntime

extension EngineEnvironment {
  /// Where new players and assets come to life. The first use installs the real engine, unless a program or a test
  /// has installed another one.
  package static var forNewObjects: EngineEnvironment {
    if let current { return current }
    install(production)
    return production
  }

  /// The real engine. `SPROCKET_AUDIO` chooses where sound goes: `server` (as without it), `null` or `wav:FILE`;
  /// `SPROCKET_HARDWARE=on` lets a device decode pictures where there is one.
  private static let production: EngineEnvironment = {
    let wishes = ProcessInfo.processInfo.environment
    var environment = EngineEnvironment(
      scheduler: RealScheduler.shared,
      backend: FFmpegMediaBackend(hardware: wishes["SPROCKET_HARDWARE"] == "on" ? .probed : .off),
      sources: LocalSourceOpener(),
      audioSinks: AudioSinks(wishes["SPROCKET_AUDIO"].flatMap { AudioSinks.Output($0) } ?? .server))
    environment.preferredLanguages = SystemLanguages.preferred(wishes)
    return environment
  }()
}
