internal import FFmpegBackend
package import Foundation
package import MediaEngine
internal import MediaIO
internal import MediaRuntime

extension DriverBench {
  /// A bench over real files and real decoders, on virtual time.
  package static func files(devices: CapturingAudioSinks = CapturingAudioSinks()) -> DriverBench {
    DriverBench(devices: devices, mediaBackend: FFmpegMediaBackend(), sources: LocalSourceOpener())
  }

  package func load(file: URL, as item: ItemID = ItemID(1), output: VideoFrameOutput? = nil) {
    let asset = AssetCore(url: file, options: SourceOptions(), environment: environment)
    driver.attach(item, asset: asset, configuration: ItemConfiguration())
    driver.setCurrent(item, upcoming: [])
    if let output {
      output.join(item)
      driver.add(output, to: item)
    }
    wait { $0 == "ready \(item.number)" || $0.hasPrefix("failed \(item.number)") }
  }
}
