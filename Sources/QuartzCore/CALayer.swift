/// How contents fill a layer.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let center = CALayerContentsGravity(rawValue: "center")
  public static let top = CALayerContentsGravity(rawValue: "top")
  public static let bottom = CALayerContentsGravity(rawValue: "bottom")
  public static let left = CALayerContentsGravity(rawValue: "left")
  public static let right = CALayerContentsGravity(rawValue: "right")
  public static let topLeft = CALayerContentsGravity(rawValue: "topLeft")
  public static let topRight = CALayerContentsGravity(rawValue: "topRight")
  public static let bottomLeft = CALayerContentsGravity(rawValue: "bottomLeft")
  public static let bottomRight = CALayerContentsGravity(rawValue: "bottomRight")
  public static let resize = CALayerContentsGravity(rawValue: "resize")
  public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
  public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

/// A rectangle in a tree of rectangles: geometry and order, without drawing. Used on one thread at a time.
open class CALayer: NSObject {
  open var name: String?
  /// The layer's own coordinates.
  open var bounds = CGRect.zero {
    didSet { if bounds.size != oldValue.size { setNeedsLayout() } }
  }
  /// Where the anchor point lies in the superlayer.
  open var position = CGPoint.zero
  open var zPosition: CGFloat = 0
  /// In units of the bounds: (0.5, 0.5) is the middle.
  open var anchorPoint = CGPoint(x: 0.5, y: 0.5)
  /// Applied about the anchor point.
  open var transform = CATransform3DIdentity
  open var sublayerTransform = CATransform3DIdentity
  open var isHidden = false
  open var opacity: Float = 1
  open var isOpaque = false
  open var masksToBounds = false
  open var cornerRadius: CGFloat = 0
  open var borderWidth: CGFloat = 0
  open var borderColor: CGColor? = .black
  open var backgroundColor: CGColor?
  open var contents: Any?
  open var contentsGravity = CALayerContentsGravity.resize
  open var contentsScale: CGFloat = 1
  open var isGeometryFlipped = false

  open private(set) weak var superlayer: CALayer?
  private var children: [CALayer] = []
  private var layoutIsNeeded = false

  public override init() {
    super.init()
  }

  /// A copy of another layer's properties, without its sublayers.
  public init(layer: Any) {
    super.init()
    guard let other = layer as? CALayer else { return }
    name = other.name
    bounds = other.bounds
    position = other.position
    zPosition = other.zPosition
    anchorPoint = other.anchorPoint
    transform = other.transform
    sublayerTransform = other.sublayerTransform
    isHidden = other.isHidden
    opacity = other.opacity
    isOpaque = other.isOpaque
    masksToBounds = other.masksToBounds
    cornerRadius = other.cornerRadius
    borderWidth = other.borderWidth
    borderColor = other.borderColor
    backgroundColor = other.backgroundColor
    contents = other.contents
    contentsGravity = other.contentsGravity
    contentsScale = other.contentsScale
    isGeometryFlipped = other.isGeometryFlipped
  }

  /// The box around the transformed bounds, in the superlayer. Setting it moves and sizes; it means little under rotation.
  open var frame: CGRect {
    get {
      let box = CGRect(
        x: -anchorPoint.x * bounds.width, y: -anchorPoint.y * bounds.height, width: bounds.width, height: bounds.height
      ).applying(affineTransform())
      return box.offsetBy(dx: position.x, dy: position.y)
    }
    set {
      let map = affineTransform()
      let size = CGRect(origin: .zero, size: newValue.size).applying(map.inverted()).size
      bounds = CGRect(origin: bounds.origin, size: size)
      let box = CGRect(
        x: -anchorPoint.x * size.width, y: -anchorPoint.y * size.height, width: size.width, height: size.height
      ).applying(map)
      position = CGPoint(x: newValue.minX - box.minX, y: newValue.minY - box.minY)
    }
  }

  open func affineTransform() -> CGAffineTransform {
    CATransform3DGetAffineTransform(transform)
  }

  open func setAffineTransform(_ m: CGAffineTransform) {
    transform = CATransform3DMakeAffineTransform(m)
  }

  /// Back to front; nil when there are none.
  open var sublayers: [CALayer]? {
    get { children.isEmpty ? nil : children }
    set {
      for child in children { child.removeFromSuperlayer() }
      for child in newValue ?? [] { addSublayer(child) }
    }
  }

  open func addSublayer(_ layer: CALayer) {
    insert(layer) { $0.count }
  }

  /// An index beyond the end means the front.
  open func insertSublayer(_ layer: CALayer, at idx: UInt32) {
    insert(layer) { _ in Int(idx) }
  }

  open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
    guard layer !== sibling else { return }
    insert(layer) { children in children.firstIndex { $0 === sibling } ?? 0 }
  }

  open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
    guard layer !== sibling else { return }
    insert(layer) { children in children.firstIndex { $0 === sibling }.map { $0 + 1 } ?? children.count }
  }

  open func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
    guard oldLayer.superlayer === self, oldLayer !== newLayer else { return }
    insert(newLayer) { children in children.firstIndex { $0 === oldLayer } ?? children.count }
    oldLayer.removeFromSuperlayer()
  }

  open func removeFromSuperlayer() {
    guard let parent = superlayer else { return }
    superlayer = nil
    parent.children.removeAll { $0 === self }
    parent.setNeedsLayout()
  }

  /// - Parameter place: asked after the layer has left its old place, which may be among these children.
  private func insert(_ layer: CALayer, _ place: ([CALayer]) -> Int) {
    precondition(!layer.isAncestor(of: self), "a layer can't become a sublayer of itself or of one of its sublayers")
    layer.removeFromSuperlayer()
    children.insert(layer, at: min(place(children), children.count))
    layer.superlayer = self
    setNeedsLayout()
  }

  private func isAncestor(of other: CALayer) -> Bool {
    sequence(first: other, next: \.superlayer).contains { $0 === self }
  }

  /// Called by `layoutIfNeeded`; a subclass places its sublayers here.
  open func layoutSublayers() {}

  open func setNeedsLayout() {
    layoutIsNeeded = true
  }

  open func needsLayout() -> Bool {
    layoutIsNeeded
  }

  open func layoutIfNeeded() {
    if layoutIsNeeded {
      layoutIsNeeded = false
      layoutSublayers()
    }
    for child in children { child.layoutIfNeeded() }
  }

  /// Nothing is drawn here, so nothing needs display.
  open func setNeedsDisplay() {}

  /// A point of another layer's coordinates (nil: the root's superspace) in this layer's.
  open func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint {
    p.applying((l?.transformToRoot() ?? .identity).concatenating(transformToRoot().inverted()))
  }

  open func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint {
    p.applying(transformToRoot().concatenating((l?.transformToRoot() ?? .identity).inverted()))
  }

  open func convert(_ r: CGRect, from l: CALayer?) -> CGRect {
    r.applying((l?.transformToRoot() ?? .identity).concatenating(transformToRoot().inverted()))
  }

  open func convert(_ r: CGRect, to l: CALayer?) -> CGRect {
    r.applying(transformToRoot().concatenating((l?.transformToRoot() ?? .identity).inverted()))
  }

  /// True for a point of the bounds, in the layer's own coordinates.
  open func contains(_ p: CGPoint) -> Bool {
    bounds.contains(p)
  }

  /// The frontmost visible layer of this tree at a point of the superlayer's coordinates.
  open func hitTest(_ p: CGPoint) -> CALayer? {
    let inside = p.applying(transformToSuper().inverted())
    guard !isHidden, opacity > 0, contains(inside) || !masksToBounds else { return nil }
    for child in children.reversed() {
      if let hit = child.hitTest(inside) { return hit }
    }
    return contains(inside) ? self : nil
  }

  private func transformToSuper() -> CGAffineTransform {
    let toAnchor = CGAffineTransform(
      translationX: -(bounds.minX + anchorPoint.x * bounds.width),
      y: -(bounds.minY + anchorPoint.y * bounds.height))
    return toAnchor.concatenating(affineTransform())
      .concatenating(CGAffineTransform(translationX: position.x, y: position.y))
  }

  private func transformToRoot() -> CGAffineTransform {
    sequence(first: self, next: \.superlayer).reduce(.identity) { $0.concatenating($1.transformToSuper()) }
  }
}
