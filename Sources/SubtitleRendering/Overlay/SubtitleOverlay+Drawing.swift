package import CoreGraphics
package import CoreVideo
import Foundation

/// How a picture's bytes lie, for laying subtitles over them. Eight bits a component.
package struct PixelLayout: Hashable, Sendable {
  package enum Alpha: Hashable, Sendable {
    /// There is none, or it means nothing.
    case none
    /// Colours are multiplied by it.
    case premultiplied(Int)
    case straight(Int)
  }

  /// Bytes from one pixel to the next.
  package var step: Int
  /// Places in a pixel.
  package var red: Int
  package var green: Int
  package var blue: Int
  package var alpha: Alpha

  package init(step: Int, red: Int, green: Int, blue: Int, alpha: Alpha = .none) {
    self.step = step
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  package static let rgb = PixelLayout(step: 3, red: 0, green: 1, blue: 2)
  package static let bgra = PixelLayout(step: 4, red: 2, green: 1, blue: 0, alpha: .straight(3))

  /// Nil for other than 8 bits a component of red, green and blue.
  init?(_ image: CGImage) {
    guard image.bitsPerComponent == 8 else { return nil }
    let info = image.alphaInfo
    switch image.bitsPerPixel {
    case 24 where info == .none: self = .rgb
    case 32:
      let isFirst = [.first, .premultipliedFirst, .noneSkipFirst].contains(info)
      // The order of the bytes as one number, highest first.
      let high = isFirst ? (red: 1, green: 2, blue: 3, alpha: 0) : (red: 0, green: 1, blue: 2, alpha: 3)
      let turn: (Int) -> Int
      switch image.byteOrderInfo {
      case .order32Little: turn = { 3 - $0 }
      case .order32Big, .orderDefault: turn = { $0 }
      default: return nil
      }
      let alpha: Alpha
      switch info {
      case .first, .last: alpha = .straight(turn(high.alpha))
      case .premultipliedFirst, .premultipliedLast: alpha = .premultiplied(turn(high.alpha))
      case .noneSkipFirst, .noneSkipLast: alpha = .none
      default: return nil
      }
      self.init(step: 4, red: turn(high.red), green: turn(high.green), blue: turn(high.blue), alpha: alpha)
    default: return nil
    }
  }

  fileprivate func fits(_ step: Int) -> Bool {
    var places = [red, green, blue]
    switch alpha {
    case .none: break
    case .premultiplied(let place), .straight(let place): places.append(place)
    }
    return step > 0 && places.allSatisfy { 0..<step ~= $0 }
  }
}

extension SubtitleOverlay {
  /// Lays the subtitles over rows of pixels, from the upper left corner on; what lies beyond them is cut.
  /// - Parameter rows: `height` rows, `bytesPerRow` apart; the last one may end with its last pixel.
  /// - Returns: false for rows that are too short, or too few, for the size; nothing is drawn then.
  @discardableResult
  package func draw(
    into rows: UnsafeMutableRawBufferPointer, width: Int, height: Int, bytesPerRow: Int, layout: PixelLayout
  ) -> Bool {
    guard width > 0, height > 0, layout.fits(layout.step), width <= Int.max / layout.step,
      bytesPerRow >= width * layout.step
    else { return false }
    let (upper, overflow) = bytesPerRow.multipliedReportingOverflow(by: height - 1)
    guard !overflow, rows.count - width * layout.step >= upper, let base = rows.baseAddress else { return false }
    let target = base.assumingMemoryBound(to: UInt8.self)
    let frame = PixelRect(x: 0, y: 0, width: width, height: height)
    for piece in pieces {
      let part = piece.bounds.intersection(frame)
      guard !part.isEmpty else { continue }
      piece.pixels.withUnsafeBufferPointer { source in
        guard var from = source.baseAddress else { return }
        from += ((part.y - piece.bounds.y) * piece.bounds.width + part.x - piece.bounds.x) * 4
        for y in part.y..<part.bottom {
          Self.blend(from, target + y * bytesPerRow + part.x * layout.step, part.width, layout)
          from += piece.bounds.width * 4
        }
      }
    }
    return true
  }

  private static func blend(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ count: Int, _ layout: PixelLayout
  ) {
    var (from, to) = (source, target)
    for _ in 0..<count {
      let alpha = Int(from[3])
      if alpha > 0 { blend(from, alpha, to, layout) }
      from += 4
      to += layout.step
    }
  }

  @inline(__always)
  private static func blend(
    _ from: UnsafePointer<UInt8>, _ alpha: Int, _ to: UnsafeMutablePointer<UInt8>, _ layout: PixelLayout
  ) {
    switch layout.alpha {
    case .straight(let place) where to[place] < 255:
      let back = AlphaMath.divide(Int(to[place]) * (255 - alpha))
      let whole = alpha + back
      func part(_ front: UInt8, _ own: UInt8) -> UInt8 {
        UInt8(min((Int(front) * 255 + Int(own) * back + whole / 2) / whole, 255))
      }
      to[layout.red] = part(from[0], to[layout.red])
      to[layout.green] = part(from[1], to[layout.green])
      to[layout.blue] = part(from[2], to[layout.blue])
      to[place] = UInt8(min(whole, 255))
    default:
      to[layout.red] = AlphaMath.over(Int(from[0]), alpha, Int(to[layout.red]))
      to[layout.green] = AlphaMath.over(Int(from[1]), alpha, Int(to[layout.green]))
      to[layout.blue] = AlphaMath.over(Int(from[2]), alpha, Int(to[layout.blue]))
      if case .premultiplied(let place) = layout.alpha { to[place] = AlphaMath.over(alpha, alpha, Int(to[place])) }
    }
  }

  /// The image with the subtitles over it; nil for other than 8 bits a component of red, green and blue.
  package func drawn(over image: CGImage) -> CGImage? {
    guard !isEmpty else { return image }
    guard let layout = PixelLayout(image), var bytes = image.dataProvider?.data else { return nil }
    let isDrawn = bytes.withUnsafeMutableBytes {
      draw(into: $0, width: image.width, height: image.height, bytesPerRow: image.bytesPerRow, layout: layout)
    }
    guard isDrawn, let provider = CGDataProvider(data: bytes), let space = image.colorSpace else { return nil }
    return CGImage(
      width: image.width, height: image.height, bitsPerComponent: image.bitsPerComponent,
      bitsPerPixel: image.bitsPerPixel, bytesPerRow: image.bytesPerRow, space: space, bitmapInfo: image.bitmapInfo,
      provider: provider, shouldInterpolate: image.shouldInterpolate, intent: image.renderingIntent,
      utType: image.utType)
  }

  /// Lays the subtitles over a buffer of `32BGRA`, `32RGBA`, `32ARGB` or `24RGB`.
  /// - Returns: false for other formats and buffers that can't be written; nothing is drawn then.
  @discardableResult
  package func draw(into buffer: CVPixelBuffer) -> Bool {
    let layout: PixelLayout
    switch CVPixelBufferGetPixelFormatType(buffer) {
    case kCVPixelFormatType_32BGRA: layout = .bgra
    case kCVPixelFormatType_32RGBA: layout = PixelLayout(step: 4, red: 0, green: 1, blue: 2, alpha: .straight(3))
    case kCVPixelFormatType_32ARGB: layout = PixelLayout(step: 4, red: 1, green: 2, blue: 3, alpha: .straight(0))
    case kCVPixelFormatType_24RGB: layout = .rgb
    default: return false
    }
    guard CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess else { return false }
    defer { _ = CVPixelBufferUnlockBaseAddress(buffer, []) }
    let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
    let bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
    guard let base = CVPixelBufferGetBaseAddress(buffer), width > 0, height > 0 else { return false }
    let rows = UnsafeMutableRawBufferPointer(start: base, count: bytesPerRow * (height - 1) + width * layout.step)
    return draw(into: rows, width: width, height: height, bytesPerRow: bytesPerRow, layout: layout)
  }
}
