import CFFmpeg
import Foundation
import MediaRuntime

/// Which hardware decoders this computer really has. Looked for once, and only when asked.
package enum HardwareProbe {
  /// Names of the devices that can be opened, such as `vaapi`; empty on most servers.
  package static var deviceNames: [String] { devices.map(\.name) }

  static let devices: [any HardwareDevice] = {
    var found: [any HardwareDevice] = []
    let nodes = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/dri")) ?? []
    for node in nodes.sorted() where node.hasPrefix("renderD") {
      if let device = AcceleratorDevice(AV_HWDEVICE_TYPE_VAAPI, path: "/dev/dri/" + node) {
        found.append(device)
        break
      }
    }
    let videos = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/video4linux")) ?? []
    if videos.contains(where: isCodec) { found.append(KernelDecoderDevice()) }
    return found
  }()

  /// Decoders of the kernel name themselves so; cameras do not.
  private static func isCodec(_ node: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: "/sys/class/video4linux/\(node)/name") else { return false }
    let name = String(decoding: data, as: UTF8.self).lowercased()
    return name.contains("codec") || name.contains("dec")
  }
}
