public import CoreMedia
public import Foundation
import MediaEngine

/// What a metadata item holds.
struct MetadataContent {
  var identifier: AVMetadataIdentifier?
  var keySpace: AVMetadataKeySpace?
  var key: (any NSCopying & NSObjectProtocol)?
  var value: (any NSCopying & NSObjectProtocol)?
  var time = CMTime.invalid
  var duration = CMTime.invalid
  var startDate: Date?
  var extendedLanguageTag: String?
  var locale: Locale?
  var dataType: String?
  var extraAttributes: [AVMetadataExtraAttributeKey: Any]?
  var commonKey: AVMetadataKey?
  var format = AVMetadataFormat.unknown
}

/// One piece of metadata: what it says, in which vocabulary, when and in which language.
open class AVMetadataItem: NSObject, NSCopying, NSMutableCopying, AVAsynchronousKeyValueLoading, LoadableProperties {
  var content: MetadataContent

  public override init() {
    content = MetadataContent()
  }

  init(_ content: MetadataContent) {
    self.content = content
  }

  /// An item whose value is made when it is first asked for: load `value`, or a property made of it. The synchronous
  /// getters ask too, and are nil until the handler has answered.
  /// - Parameter handler: called once, on the thread that asks first; copies of the item share its answer.
  public convenience init(
    propertiesOf metadataItem: AVMetadataItem,
    valueLoadingHandler handler: @escaping (AVMetadataItemValueRequest) -> Void
  ) {
    self.init(metadataItem.content)
    content.value = nil
    lateValue = LateValue(handler)
  }

  /// Takes the place of the content's value.
  var lateValue: LateValue?

  var loader: (any PropertyLoading)? { lateValue.map { LateValueLoader(item: self, value: $0) } }
  var format: AVMetadataFormat { content.format }
  var immutableCopy: AVMetadataItem {
    let copy = AVMetadataItem(content)
    copy.lateValue = lateValue
    return copy
  }

  open func copy(with zone: NSZone? = nil) -> Any { immutableCopy }

  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = AVMutableMetadataItem(content)
    copy.lateValue = lateValue
    return copy
  }

  open func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
    keyStatus(key, outError)
  }

  @preconcurrency
  open func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil) {
    loadKeys(keys, handler)
  }

  open var identifier: AVMetadataIdentifier? { content.identifier }
  open var keySpace: AVMetadataKeySpace? { content.keySpace }
  open var key: (any NSCopying & NSObjectProtocol)? { content.key }
  /// The same meaning in the vocabulary that the others are mapped to; nil when it has none there.
  open var commonKey: AVMetadataKey? { content.commonKey }
  /// A string, number, date, data, array or dictionary.
  open var value: (any NSCopying & NSObjectProtocol)? {
    guard let lateValue else { return content.value }
    lateValue.ask(for: self)
    return try? lateValue.answer?.get()
  }
  open var extraAttributes: [AVMetadataExtraAttributeKey: Any]? { content.extraAttributes }
  /// `.invalid` when the item is not timed.
  open var time: CMTime { content.time }
  open var duration: CMTime { content.duration }
  open var startDate: Date? { content.startDate }
  open var locale: Locale? { content.locale }
  open var extendedLanguageTag: String? { content.extendedLanguageTag }
  open var dataType: String? { content.dataType }

  /// The value as a string; nil when it can't be one.
  open var stringValue: String? {
    switch value {
    case let string as NSString: string as String
    case let number as NSNumber: number.stringValue
    case let date as NSDate: ISO8601DateFormatter().string(from: date as Date)
    default: nil
    }
  }

  open var numberValue: NSNumber? {
    switch value {
    case let number as NSNumber: number
    case let string as NSString: MetadataValue.number(string as String)
    default: nil
    }
  }

  open var dateValue: Date? {
    switch value {
    case let date as NSDate: date as Date
    case let string as NSString: MetadataValue.date(string as String)
    default: nil
    }
  }

  open var dataValue: Data? {
    switch value {
    case let data as NSData: data as Data
    case let string as NSString: (string as String).data(using: .utf8)
    default: nil
    }
  }

  open override var description: String {
    "<\(type(of: self)): identifier=\(identifier?.rawValue ?? "nil"), value=\(stringValue ?? "\(value.map { "\($0)" } ?? "nil")")>"
  }
}

/// A metadata item whose fields can be set. Set `identifier`, or `keySpace` and `key`.
open class AVMutableMetadataItem: AVMetadataItem {
  open override var identifier: AVMetadataIdentifier? {
    get { super.identifier }
    set {
      content.identifier = newValue
      content.keySpace = newValue.flatMap { AVMetadataItem.keySpace(forIdentifier: $0) }
      content.key = newValue.flatMap { AVMetadataItem.key(forIdentifier: $0) as? any NSCopying & NSObjectProtocol }
      content.commonKey = newValue.flatMap { CommonKeys.commonKey(of: $0) }
    }
  }

  open override var keySpace: AVMetadataKeySpace? {
    get { super.keySpace }
    set {
      content.keySpace = newValue
      deriveIdentifier()
    }
  }

  open override var key: (any NSCopying & NSObjectProtocol)? {
    get { super.key }
    set {
      content.key = newValue
      deriveIdentifier()
    }
  }

  open override var value: (any NSCopying & NSObjectProtocol)? {
    get { super.value }
    set {
      lateValue = nil
      content.value = newValue
    }
  }

  open override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
    get { super.extraAttributes }
    set { content.extraAttributes = newValue }
  }

  open override var time: CMTime {
    get { super.time }
    set { content.time = newValue }
  }

  open override var duration: CMTime {
    get { super.duration }
    set { content.duration = newValue }
  }

  open override var startDate: Date? {
    get { super.startDate }
    set { content.startDate = newValue }
  }

  open override var locale: Locale? {
    get { super.locale }
    set {
      content.locale = newValue
      content.extendedLanguageTag = newValue?.identifier(.bcp47)
    }
  }

  open override var extendedLanguageTag: String? {
    get { super.extendedLanguageTag }
    set {
      content.extendedLanguageTag = newValue
      content.locale = newValue.map { Locale(identifier: $0) }
    }
  }

  open override var dataType: String? {
    get { super.dataType }
    set { content.dataType = newValue }
  }

  private func deriveIdentifier() {
    guard let keySpace = content.keySpace, let key = content.key else { return }
    content.identifier = AVMetadataItem.identifier(forKey: key, keySpace: keySpace)
    content.commonKey = content.identifier.flatMap { CommonKeys.commonKey(of: $0) }
  }
}
