internal import FFmpegBackend
package import Foundation
package import MediaEngine
internal import MediaIO
package import MediaRuntime

extension PlayerRunner {
  /// Over real files and real decoders.
  package static func files(
    sinks: any AudioSinkFactory = CapturingAudioSinks(), options: VirtualScheduler.Options? = nil
  ) -> PlayerRunner {
    PlayerRunner(media: FFmpegMediaBackend(), sources: LocalSourceOpener(), sinks: sinks, options: options)
  }

  /// An item that plays a file.
  package func makeItem(file: URL) -> ItemCore {
    ItemCore(asset: AssetCore(url: file, options: SourceOptions(), environment: environment))
  }
}
