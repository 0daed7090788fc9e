/// The object that stands for a value where Apple's API hands out a reference: Foundation's class for strings, numbers,
/// data, lists and dictionaries, the value itself if it is an object.
package func referenceForm(_ value: Any) -> AnyObject {
  switch value {
  case let text as String: return NSString(string: text)
  case let data as Data: return NSData(data: data)
  case let number as NSNumber: return number
  case let dictionary as [String: Any]: return NSDictionary(dictionary: dictionary)
  case let list as [Any]: return NSArray(array: list)
  default: return value as AnyObject
  }
}
