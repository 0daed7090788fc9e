/// Pictures in DEC's sixel graphics: bands of six pixel rows, one pass per colour, run-length coded.
///
/// The palette is fixed (a 6×7×6 colour cube), so that nothing flickers between frames; an ordered dither hides its steps.
package struct SixelEncoder: Sendable {
  private static let redLevels = 6
  private static let greenLevels = 7
  private static let blueLevels = 6
  private static let colorCount = redLevels * greenLevels * blueLevels

  /// Colour definitions, the same for every frame.
  private let palette: [UInt8]

  package init() {
    var text = ""
    for index in 0..<Self.colorCount {
      let red = index / (Self.greenLevels * Self.blueLevels)
      let green = index / Self.blueLevels % Self.greenLevels
      let blue = index % Self.blueLevels
      let percent = [
        red * 100 / (Self.redLevels - 1), green * 100 / (Self.greenLevels - 1), blue * 100 / (Self.blueLevels - 1),
      ]
      text += "#\(index);2;\(percent[0]);\(percent[1]);\(percent[2])"
    }
    palette = Array(text.utf8)
  }

  /// A whole picture at its place.
  package func encode(_ image: RGBImage, at placement: PicturePlacement) -> [UInt8] {
    var out = Array("\u{1b}[\(placement.row + 1);\(placement.column + 1)H\u{1b}P0;1;0q".utf8)
    out.append(contentsOf: "\"1;1;\(image.width);\(image.height)".utf8)
    out.append(contentsOf: palette)
    let indices = quantized(image)
    var masks = [UInt8](repeating: 0, count: Self.colorCount * image.width)
    for top in stride(from: 0, to: image.height, by: 6) {
      encodeBand(top: top, of: image, indices: indices, masks: &masks, into: &out)
      out.append(UInt8(ascii: "-"))
    }
    out.append(contentsOf: "\u{1b}\\".utf8)
    return out
  }

  private func encodeBand(
    top: Int, of image: RGBImage, indices: [UInt8], masks: inout [UInt8], into out: inout [UInt8]
  ) {
    let width = image.width
    var used = [Bool](repeating: false, count: Self.colorCount)
    for line in 0..<min(6, image.height - top) {
      let rowStart = (top + line) * width
      for x in 0..<width {
        let color = Int(indices[rowStart + x])
        used[color] = true
        masks[color * width + x] |= 1 << UInt8(line)
      }
    }
    var isFirst = true
    for color in 0..<Self.colorCount where used[color] {
      if !isFirst { out.append(UInt8(ascii: "$")) }
      isFirst = false
      out.append(contentsOf: "#\(color)".utf8)
      var x = 0
      while x < width {
        let mask = masks[color * width + x]
        var end = x + 1
        while end < width, masks[color * width + end] == mask { end += 1 }
        // Blank pixels behind a colour's last one need not be sent.
        if mask != 0 || end < width { appendRun(mask, count: end - x, into: &out) }
        x = end
      }
      for x in 0..<width { masks[color * width + x] = 0 }
    }
  }

  private func appendRun(_ mask: UInt8, count: Int, into out: inout [UInt8]) {
    let character = mask + 63
    if count > 3 {
      out.append(contentsOf: "!\(count)".utf8)
      out.append(character)
    } else {
      for _ in 0..<count { out.append(character) }
    }
  }

  /// Palette entry of each pixel, with a 4×4 ordered dither.
  private func quantized(_ image: RGBImage) -> [UInt8] {
    let thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
    var indices = [UInt8](repeating: 0, count: image.width * image.height)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let threshold = thresholds[(y & 3) * 4 + (x & 3)]
        let offset = (y * image.width + x) * 3
        func level(_ value: UInt8, _ levels: Int) -> Int {
          // value × (levels − 1) / 255 in sixteenths, the threshold decides the last step.
          min((Int(value) * (levels - 1) * 16 / 255 + threshold) / 16, levels - 1)
        }
        let red = level(image.bytes[offset], Self.redLevels)
        let green = level(image.bytes[offset + 1], Self.greenLevels)
        let blue = level(image.bytes[offset + 2], Self.blueLevels)
        indices[y * image.width + x] = UInt8((red * Self.greenLevels + green) * Self.blueLevels + blue)
      }
    }
    return indices
  }
}
