import CoreGraphics
import CoreMedia
import Foundation
import QuartzCore
import Testing

@Suite struct AffineTransformTests {
  @Test func points_areMapped() {
    let point = CGPoint(x: 1, y: 2)
    #expect(point.applying(.identity) == point)
    #expect(point.applying(CGAffineTransform(translationX: 3, y: 4)) == CGPoint(x: 4, y: 6))
    #expect(point.applying(CGAffineTransform(scaleX: 2, y: -1)) == CGPoint(x: 2, y: -2))
    let turned = point.applying(CGAffineTransform(rotationAngle: .pi / 2))
    #expect(abs(turned.x + 2) < 1e-12 && abs(turned.y - 1) < 1e-12)
  }

  @Test func concatenation_appliesTheFirstFirst() {
    let move = CGAffineTransform(translationX: 10, y: 0)
    let double = CGAffineTransform(scaleX: 2, y: 2)
    #expect(CGPoint.zero.applying(move.concatenating(double)) == CGPoint(x: 20, y: 0))
    #expect(CGPoint.zero.applying(move.scaledBy(x: 2, y: 2)) == CGPoint(x: 10, y: 0))
    #expect(CGPoint.zero.applying(double.translatedBy(x: 10, y: 0)) == CGPoint(x: 20, y: 0))
  }

  @Test func inverse_undoes() {
    let transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0)
    #expect(CGPoint(x: 5, y: 6).applying(transform).applying(transform.inverted()) == CGPoint(x: 5, y: 6))
    #expect(CGAffineTransform().inverted() == CGAffineTransform())
  }

  @Test func rectangles_areBoxed_sizesTurnNegative() {
    let quarter = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0)
    let whole = CGRect(x: 0, y: 0, width: 1920, height: 1080)
    #expect(whole.applying(quarter) == CGRect(x: 0, y: 0, width: 1080, height: 1920))
    #expect(whole.size.applying(quarter) == CGSize(width: -1080, height: 1920))
    #expect(CGRect.null.applying(quarter).isNull)
  }
}

@Suite struct ImageTests {
  private func make(_ width: Int, _ height: Int, bytes: Data? = nil, row: Int? = nil) -> CGImage? {
    let row = row ?? width * 4
    let data = bytes ?? Data((0..<row * height).map { UInt8(truncatingIfNeeded: $0) })
    guard let provider = CGDataProvider(data: data as CFData) else { return nil }
    return CGImage(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: row,
      space: CGColorSpaceCreateDeviceRGB(),
      bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedFirst.rawValue).union(.byteOrder32Little),
      provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
  }

  @Test func properties_areThoseGiven() throws {
    let image = try #require(make(4, 3))
    #expect(image.width == 4 && image.height == 3 && image.bytesPerRow == 16 && image.bitsPerPixel == 32)
    #expect(image.alphaInfo == .premultipliedFirst && image.byteOrderInfo == .order32Little)
    #expect(image.colorSpace?.model == .rgb && image.dataProvider?.data?.count == 48)
  }

  @Test func imagesThatDoNotFitTheirData_areRefused() {
    #expect(make(4, 3, bytes: Data(count: 47)) == nil)
    #expect(make(4, 3, bytes: Data(count: 48), row: 15) == nil)
    #expect(make(0, 3, bytes: Data()) == nil && make(.max, .max, bytes: Data(), row: .max) == nil)
    #expect(make(4, 3, bytes: Data(count: 60), row: 20)?.bytesPerRow == 20)
  }

  @Test func cropping_cutsAtTheEdges() throws {
    let image = try #require(make(4, 3))
    let part = try #require(image.cropping(to: CGRect(x: 2.5, y: 1, width: 10, height: 1)))
    #expect(part.width == 2 && part.height == 1)
    #expect(part.dataProvider?.data == Data(24..<32))
    #expect(image.cropping(to: CGRect(x: 4, y: 0, width: 1, height: 1)) == nil)
    #expect(image.cropping(to: .null) == nil && image.cropping(to: .infinite) == nil)
    #expect(image.cropping(to: CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1)) == nil)
  }

  @Test func colours_areEqualByComponents() {
    let color = CGColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    #expect(color == CGColor(srgbRed: 1, green: 0.5, blue: 0, alpha: 1) && color.numberOfComponents == 4)
    #expect(color.copy(alpha: 0.25)?.alpha == 0.25 && color.colorSpace?.name == CGColorSpace.sRGB)
    #expect(CGColor.white.components == [1, 1] && CGColorSpace(name: "no such space") == nil)
  }
}

@Suite struct LayerTests {
  @Test func frame_isBoundsAroundThePosition() {
    let layer = CALayer()
    layer.frame = CGRect(x: 10, y: 20, width: 100, height: 50)
    #expect(layer.position == CGPoint(x: 60, y: 45) && layer.bounds.size == CGSize(width: 100, height: 50))
    layer.anchorPoint = .zero
    #expect(layer.frame.origin == CGPoint(x: 60, y: 45))
    layer.setAffineTransform(CGAffineTransform(scaleX: 2, y: 2))
    #expect(layer.frame.size == CGSize(width: 200, height: 100))
    layer.frame = CGRect(x: 0, y: 0, width: 80, height: 40)
    #expect(layer.bounds.size == CGSize(width: 40, height: 20) && layer.frame.width == 80)
  }

  @Test func tree_keepsOrderAndOneParent() {
    let (root, a, b, c) = (CALayer(), CALayer(), CALayer(), CALayer())
    root.addSublayer(a)
    root.addSublayer(b)
    root.insertSublayer(c, at: 0)
    #expect(root.sublayers == [c, a, b] && c.superlayer === root)
    a.addSublayer(c)
    #expect(root.sublayers == [a, b] && c.superlayer === a)
    root.insertSublayer(c, above: a)
    root.replaceSublayer(b, with: CALayer())
    #expect(root.sublayers?.count == 3 && b.superlayer == nil && root.sublayers?[1] === c)
    for layer in root.sublayers ?? [] { layer.removeFromSuperlayer() }
    #expect(root.sublayers == nil)
  }

  @Test func layersOfTheTree_moveToWhereTheyAreWanted() {
    let root = CALayer()
    let (a, b, c) = (CALayer(), CALayer(), CALayer())
    func order(_ layers: CALayer..., move: () -> Void) -> [CALayer]? {
      root.sublayers = layers
      move()
      return root.sublayers
    }
    #expect(order(a, b, c) { root.insertSublayer(a, above: b) } == [b, a, c])
    #expect(order(a, b, c) { root.insertSublayer(a, below: c) } == [b, a, c])
    #expect(order(a, b, c) { root.insertSublayer(c, above: a) } == [a, c, b])
    #expect(order(a, b, c) { root.insertSublayer(b, above: b) } == [a, b, c])
    #expect(order(a, b, c) { root.insertSublayer(b, below: nil) } == [b, a, c])
    #expect(order(a, b, c) { root.insertSublayer(a, at: 1) } == [b, a, c])
    #expect(order(a, b, c) { root.addSublayer(a) } == [b, c, a])
    #expect(order(a, b, c) { root.replaceSublayer(b, with: a) } == [a, c] && b.superlayer == nil)
    #expect(order(a, b, c) { root.replaceSublayer(a, with: c) } == [c, b] && a.superlayer == nil)
    a.addSublayer(b)
    #expect(order(a, c) { root.replaceSublayer(a, with: b) } == [b, c] && a.sublayers == nil)
  }

  @Test func copies_haveAllProperties() {
    let layer = CALayer()
    layer.sublayerTransform = CATransform3DMakeScale(2, 2, 2)
    layer.isOpaque = true
    layer.masksToBounds = true
    layer.cornerRadius = 3
    layer.borderWidth = 4
    layer.borderColor = nil
    layer.backgroundColor = .white
    layer.contentsScale = 2
    layer.isGeometryFlipped = true
    let copy = CALayer(layer: layer)
    #expect(CATransform3DEqualToTransform(copy.sublayerTransform, layer.sublayerTransform))
    #expect(copy.isOpaque && copy.masksToBounds && copy.isGeometryFlipped && copy.contentsScale == 2)
    #expect(copy.cornerRadius == 3 && copy.borderWidth == 4 && copy.borderColor == nil)
    #expect(copy.backgroundColor == .white)
  }

  @Test func ownSublayerOfItself_isMisuse() async {
    await #expect(processExitsWith: .failure) {
      let layer = CALayer()
      let child = CALayer()
      layer.addSublayer(child)
      child.addSublayer(layer)
    }
  }

  @Test func points_convertThroughTheTree() {
    let (root, child) = (CALayer(), CALayer())
    root.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
    child.frame = CGRect(x: 10, y: 20, width: 50, height: 50)
    root.addSublayer(child)
    #expect(child.convert(CGPoint(x: 1, y: 1), to: root) == CGPoint(x: 11, y: 21))
    #expect(child.convert(CGPoint(x: 11, y: 21), from: root) == CGPoint(x: 1, y: 1))
    #expect(root.hitTest(CGPoint(x: 15, y: 25)) === child && root.hitTest(CGPoint(x: 1, y: 1)) === root)
    child.isHidden = true
    #expect(root.hitTest(CGPoint(x: 15, y: 25)) === root)
  }

  @Test func layout_reachesSubclasses() {
    final class Filler: CALayer {
      override func layoutSublayers() {
        for layer in sublayers ?? [] { layer.frame = bounds }
      }
    }
    let (filler, child) = (Filler(), CALayer())
    filler.addSublayer(child)
    filler.bounds = CGRect(x: 0, y: 0, width: 30, height: 40)
    #expect(filler.needsLayout())
    filler.layoutIfNeeded()
    #expect(child.frame == CGRect(x: 0, y: 0, width: 30, height: 40) && !filler.needsLayout())
  }

  @Test func affineParts_ofSpaceTransforms() {
    let map = CGAffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)
    #expect(CATransform3DGetAffineTransform(CATransform3DMakeAffineTransform(map)) == map)
    #expect(CATransform3DIsIdentity(CATransform3DIdentity))
    #expect(!CATransform3DIsAffine(CATransform3DMakeTranslation(0, 0, 1)))
    let both = CATransform3DConcat(CATransform3DMakeTranslation(1, 0, 0), CATransform3DMakeScale(2, 2, 2))
    #expect(CGPoint.zero.applying(CATransform3DGetAffineTransform(both)) == CGPoint(x: 2, y: 0))
    let turn = CATransform3DGetAffineTransform(CATransform3DMakeRotation(.pi / 2, 0, 0, 5))
    #expect(abs(turn.b - 1) < 1e-12 && abs(turn.a) < 1e-12)
  }

  @Test func mediaTime_isHostTime() {
    let before = CMClock.hostTimeClock.time.seconds
    let now = CACurrentMediaTime()
    #expect(before <= now && now <= CMClock.hostTimeClock.time.seconds)
  }
}
