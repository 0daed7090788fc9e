import CAss

/// A mask in one colour, as libass gives it, cut to the frame; its bytes are libass's.
struct AssImage {
  let x: Int
  let y: Int
  let width: Int
  let height: Int
  let color: UInt32
  private let bitmap: UnsafePointer<UInt8>
  private let stride: Int

  var bounds: PixelRect { PixelRect(x: x, y: y, width: width, height: height) }
  /// 255 is opaque.
  var alpha: Int { 255 - Int(color & 255) }
  var red: Int { Int(color >> 24) }
  var green: Int { Int(color >> 16 & 255) }
  var blue: Int { Int(color >> 8 & 255) }

  /// The mask's values of one row, from the left.
  func row(_ row: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bitmap + row * stride, count: width)
  }

  /// The part of it in which the mask reaches a value: libass's masks are larger than what they show.
  func bounds(of least: UInt8) -> PixelRect {
    var (left, right, top, bottom) = (width, -1, height, -1)
    for y in 0..<height {
      let row = row(y)
      guard let first = row.firstIndex(where: { $0 >= least }), let last = row.lastIndex(where: { $0 >= least }) else {
        continue
      }
      (left, right, top, bottom) = (min(left, first), max(right, last), min(top, y), y)
    }
    return PixelRect(x: x + left, y: y + top, width: max(right - left + 1, 0), height: max(bottom - top + 1, 0))
  }

  static func list(_ first: UnsafeMutablePointer<ASS_Image>?, width: Int, height: Int) -> [AssImage] {
    var images: [AssImage] = []
    let frame = PixelRect(x: 0, y: 0, width: width, height: height)
    var next = first
    while let image = next?.pointee, images.count < SubtitleRenderLimits.images {
      next = image.next
      if let image = AssImage(image, frame: frame) { images.append(image) }
    }
    return images
  }

  private init?(_ image: ASS_Image, frame: PixelRect) {
    guard image.w > 0, image.h > 0, image.stride >= image.w, let bitmap = image.bitmap else { return nil }
    let whole = PixelRect(x: Int(image.dst_x), y: Int(image.dst_y), width: Int(image.w), height: Int(image.h))
    let cut = whole.intersection(frame)
    guard !cut.isEmpty else { return nil }
    (x, y, width, height) = (cut.x, cut.y, cut.width, cut.height)
    color = image.color
    stride = Int(image.stride)
    self.bitmap = UnsafePointer(bitmap + (cut.y - whole.y) * stride + (cut.x - whole.x))
  }
}
