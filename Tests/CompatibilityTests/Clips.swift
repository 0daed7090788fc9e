import AVFoundation
import Foundation

/// The short clips that these tests play, in real time and without a sound device.
enum Clips {
  static let root: URL = {
    setenv("SPROCKET_AUDIO", "null", 1)
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url
  }()

  static func url(_ name: String) -> URL {
    root.appendingPathComponent("Fixtures/Generated").appendingPathComponent(name)
  }

  /// Half a second, sound and picture.
  static var short: URL { url("half-second.mp4") }
  /// Ten seconds, sound and picture.
  static var long: URL { url("plain.mp4") }
}
