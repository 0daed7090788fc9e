/// A plane of pixels in memory. Who holds it must keep its owner alive.
package struct PixelPlane {
  package var baseAddress: UnsafeMutableRawPointer
  /// Negative when rows run upwards in memory; such planes are copied on the way in.
  package var bytesPerRow: Int
  package var width: Int
  package var height: Int

  package init(baseAddress: UnsafeMutableRawPointer, bytesPerRow: Int, width: Int, height: Int) {
    self.baseAddress = baseAddress
    self.bytesPerRow = bytesPerRow
    self.width = width
    self.height = height
  }
}
