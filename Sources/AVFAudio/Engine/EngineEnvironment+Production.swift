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
    let output = wishes["SPROCKET_AUDIO"].flatMap { AudioSinks.Output($0) }
    if let wish = wishes["SPROCKET_AUDIO"], output == nil {
      Log.app.warning("SPROCKET_AUDIO is \(wish), which is unknown. Set it to server, null or wav:FILE.")
    }
    if let wish = wishes["SPROCKET_HARDWARE"], wish != "on", wish != "off" {
      Log.app.warning("SPROCKET_HARDWARE is \(wish), which is unknown. Set it to on or off.")
    }
    var environment = EngineEnvironment(
      scheduler: RealScheduler.shared,
      backend: FFmpegMediaBackend(hardware: wishes["SPROCKET_HARDWARE"] == "on" ? .probed : .off),
      sources: LocalSourceOpener(),
      audioSinks: AudioSinks(output ?? .server))
    environment.preferredLanguages = SystemLanguages.preferred(wishes)
    return environment
  }()
}
