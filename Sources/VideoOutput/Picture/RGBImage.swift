/// A picture as packed 24-bit RGB rows, upright: what the terminal encoders take.
package struct RGBImage: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// `width × height × 3` bytes, no padding.
  package var bytes: [UInt8]

  /// Black.
  package init(width: Int, height: Int) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    bytes = [UInt8](repeating: 0, count: self.width * self.height * 3)
  }

  /// - Returns: nil unless `bytes` holds exactly `width × height × 3` values.
  package init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width >= 0, height >= 0, bytes.count == width * height * 3 else { return nil }
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// The colour at a position; black outside.
  package func color(x: Int, y: Int) -> RGBColor {
    guard x >= 0, y >= 0, x < width, y < height else { return .black }
    let offset = (y * width + x) * 3
    return RGBColor(red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2])
  }
}

package struct RGBColor: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  package static let black = RGBColor(red: 0, green: 0, blue: 0)

  /// Luma by BT.709 weights, 0…255.
  package var luma: Int { (Int(red) * 2126 + Int(green) * 7152 + Int(blue) * 722) / 10_000 }

  /// The nearest entry of the xterm 256-colour palette: the 6×6×6 cube or the grey ramp, whichever is closer.
  package var paletteIndex: UInt8 {
    let cube = Self.cubeIndex(red) * 36 + Self.cubeIndex(green) * 6 + Self.cubeIndex(blue)
    let cubeColor = RGBColor(
      red: Self.cubeLevels[Self.cubeIndex(red)], green: Self.cubeLevels[Self.cubeIndex(green)],
      blue: Self.cubeLevels[Self.cubeIndex(blue)])
    let grey = min(max((luma - 3) / 10, 0), 23)
    let level = UInt8(8 + grey * 10)
    let greyColor = RGBColor(red: level, green: level, blue: level)
    return distance(to: greyColor) < distance(to: cubeColor) ? UInt8(232 + grey) : UInt8(16 + cube)
  }

  private func distance(to other: RGBColor) -> Int {
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return red * red * 2 + green * green * 4 + blue * blue * 3
  }

  private static let cubeLevels: [UInt8] = [0, 95, 135, 175, 215, 255]

  private static func cubeIndex(_ value: UInt8) -> Int {
    switch value {
    case ..<48: 0
    case ..<115: 1
    default: min((Int(value) - 35) / 40, 5)
    }
  }
}
