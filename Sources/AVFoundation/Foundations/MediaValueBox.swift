import Foundation

/// A media value inside an `NSValue`, kept whole: epoch, flags and all.
///
/// A subclass and not an encoding, because Linux' `NSValue` knows only a handful of C encodings.
// @unchecked Sendable: immutable after initialisation, as every NSValue is.
final class MediaValueBox<Content: Hashable & Sendable>: NSValue, @unchecked Sendable {
  let content: Content?

  init(_ content: Content) {
    self.content = content
    super.init()
  }

  required convenience init(bytes value: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
    preconditionFailure("A media value cannot be made from bytes. Use NSValue(time:) and its kin.")
  }

  required convenience init?(coder: NSCoder) {
    return nil
  }

  override var objCType: UnsafePointer<Int8> {
    UnsafeRawPointer(StaticString("{?}").utf8Start).assumingMemoryBound(to: Int8.self)
  }

  override func getValue(_ value: UnsafeMutableRawPointer) {
    guard let content else { return }
    value.assumingMemoryBound(to: Content.self).initialize(to: content)
  }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? MediaValueBox<Content>)?.content == content
  }

  override var hash: Int { content.hashValue }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override var description: String { content.map { String(describing: $0) } ?? "(none)" }
}

/// Lets a class's convenience initialiser answer an instance of one of its subclasses.
protocol ClassCluster {}

extension ClassCluster {
  init(making instance: () -> Self) {
    self = instance()
  }
}

extension NSValue: ClassCluster {}
