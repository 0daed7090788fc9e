import Foundation

/// Scales premultiplied pixels, each target pixel by what it covers: averaged when smaller, blended when larger.
enum PictureScaler {
  /// What one target pixel takes from along one axis.
  private struct Taps {
    var first: Int
    var weights: [Float]
  }

  /// - Parameters:
  ///   - target: where the whole picture goes.
  ///   - part: of the target; only this is computed.
  /// - Returns: pixels of `part`.
  static func scale(_ source: Data, width: Int, height: Int, to target: PixelRect, part: PixelRect) -> [UInt8] {
    guard !part.isEmpty, !target.isEmpty, width > 0, height > 0, source.count >= width * height * 4 else { return [] }
    let columns = taps(width, target.width, part.x - target.x..<part.right - target.x)
    let rows = taps(height, target.height, part.y - target.y..<part.bottom - target.y)
    var result = [UInt8](repeating: 0, count: part.width * part.height * 4)
    // Source rows that are scaled across already: only those of one target row.
    var scaled: [Int: [Float]] = [:]
    source.withUnsafeBytes { bytes in
      for (y, row) in rows.enumerated() {
        scaled = scaled.filter { $0.key >= row.first }
        var sums = [Float](repeating: 0, count: part.width * 4)
        for (offset, weight) in row.weights.enumerated() {
          let number = row.first + offset
          let line = scaled[number] ?? across(bytes, number * width * 4, columns)
          scaled[number] = line
          for index in sums.indices { sums[index] += line[index] * weight }
        }
        let to = y * part.width * 4
        for index in sums.indices { result[to + index] = UInt8(min(max(sums[index] + 0.5, 0), 255)) }
      }
    }
    // Rounded apart, a colour must not be more than its alpha.
    for pixel in stride(from: 0, to: result.count, by: 4) {
      let alpha = result[pixel + 3]
      for part in pixel..<pixel + 3 where result[part] > alpha { result[part] = alpha }
    }
    return result
  }

  private static func across(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ columns: [Taps]) -> [Float] {
    var line = [Float](repeating: 0, count: columns.count * 4)
    for (x, column) in columns.enumerated() {
      for (offset, weight) in column.weights.enumerated() {
        let from = start + (column.first + offset) * 4
        for part in 0..<4 { line[x * 4 + part] += Float(bytes[from + part]) * weight }
      }
    }
    return line
  }

  /// A triangle as wide as a source pixel or a target pixel, whichever is larger.
  private static func taps(_ source: Int, _ target: Int, _ range: Range<Int>) -> [Taps] {
    let step = Double(source) / Double(target)
    let reach = max(step, 1)
    return range.map { index in
      let center = (Double(index) + 0.5) * step - 0.5
      let first = min(max(Int((center - reach).rounded(.up)), 0), source - 1)
      let last = max(min(Int((center + reach).rounded(.down)), source - 1), first)
      var weights = (first...last).map { Float(max(1 - abs(Double($0) - center) / reach, 0)) }
      let sum = weights.reduce(0, +)
      if sum > 0 { weights = weights.map { $0 / sum } } else { weights = [1] }
      return Taps(first: first, weights: weights)
    }
  }
}
