/// Compares property lists by value, whatever mixture of Swift's and Foundation's types they are made of.
func propertyListsEqual(_ left: Any?, _ right: Any?) -> Bool {
  switch (left, right) {
  case (nil, nil): return true
  case (nil, _), (_, nil): return false
  case (let left as String, let right as String): return left == right
  case (let left as Data, let right as Data): return left == right
  case (let left as NSNumber, let right as NSNumber): return left == right
  case (let left as CFDictionary, let right as CFDictionary):
    return left.count == right.count
      && left.allSatisfy { key, value in right[key].map { propertyListsEqual(value, $0) } ?? false }
  case (let left as CFArray, let right as CFArray):
    return left.count == right.count && zip(left, right).allSatisfy { propertyListsEqual($0, $1) }
  case (let left as NSObject, let right as NSObject): return left.isEqual(right)
  default: return false
  }
}
