public import Foundation

extension AVPartialAsyncProperty where Root: AVMetadataItem {
  public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> { .init("value") { $0.value } }
  public static var stringValue: AVAsyncProperty<Root, String?> { .init("stringValue") { $0.stringValue } }
  public static var numberValue: AVAsyncProperty<Root, NSNumber?> { .init("numberValue") { $0.numberValue } }
  public static var dateValue: AVAsyncProperty<Root, Date?> { .init("dateValue") { $0.dateValue } }
  public static var dataValue: AVAsyncProperty<Root, Data?> { .init("dataValue") { $0.dataValue } }
  public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: Any]?> {
    .init("extraAttributes") { $0.extraAttributes }
  }
}
