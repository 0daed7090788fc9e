import CFFmpeg
import CoreGraphics
import MediaEngine

/// From FFmpeg's display matrix (16.16 and 2.30 fixed point, row vectors) to Apple's transform.
enum DisplayTransform {
  static func transform(_ matrix: UnsafePointer<Int32>, width: Int, height: Int, isMovie: Bool) -> CGAffineTransform {
    func fixed(_ index: Int) -> Double { Double(matrix[index]) / 65_536 }
    var transform = CGAffineTransform(a: fixed(0), b: fixed(1), c: fixed(3), d: fixed(4), tx: fixed(6), ty: fixed(7))
    guard transform.a * transform.d - transform.b * transform.c != 0 else { return .identity }
    // A movie's own matrix is Apple's; elsewhere the picture is moved back to where coordinates are positive.
    if !isMovie || (transform.tx == 0 && transform.ty == 0) {
      let turned = CGRect(x: 0, y: 0, width: Double(width), height: Double(height)).applying(transform)
      transform.tx -= turned.minX
      transform.ty -= turned.minY
    }
    return transform
  }
}
