import Foundation

/// Pictures in the kitty terminal's graphics protocol: raw RGB in base64 chunks, one image id that each frame replaces.
package struct KittyEncoder: Sendable {
  private let id: UInt32
  /// The protocol's limit for one chunk of payload.
  private static let chunk = 4096

  package init(id: UInt32) {
    self.id = max(id, 1)
  }

  /// Sends a frame and shows it over its cells. Answers are suppressed (`q=2`).
  package func encode(_ image: RGBImage, at placement: PicturePlacement) -> [UInt8] {
    guard image.width > 0, image.height > 0 else { return [] }
    var out = Array("\u{1b}[\(placement.row + 1);\(placement.column + 1)H".utf8)
    let payload = Array(Data(image.bytes).base64EncodedData())
    var start = 0
    while start < payload.count {
      let end = min(start + Self.chunk, payload.count)
      let more = end < payload.count ? 1 : 0
      var control = "m=\(more),q=2"
      if start == 0 {
        control =
          "a=T,f=24,s=\(image.width),v=\(image.height),i=\(id),p=1,c=\(placement.columns),r=\(placement.rows),C=1,"
          + control
      }
      out.append(contentsOf: "\u{1b}_G\(control);".utf8)
      out.append(contentsOf: payload[start..<end])
      out.append(contentsOf: "\u{1b}\\".utf8)
      start = end
    }
    return out
  }

  /// Takes the picture away and frees it in the terminal.
  package func delete() -> [UInt8] {
    Array("\u{1b}_Ga=d,d=I,i=\(id),q=2\u{1b}\\".utf8)
  }
}
