// Core Foundation does not exist for clients on Linux. These names stand for the Swift types that Apple's
// compilers bridge them to, so that `key as String` and `attributes as CFDictionary` compile unchanged.

public typealias CFTypeRef = Any
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFArray = [Any]
public typealias CFNumber = NSNumber
public typealias CFBoolean = NSNumber
public typealias CFData = Data
public typealias CFURL = URL
public typealias CFIndex = Int
public typealias CFTimeInterval = Double

/// Who provides and frees the memory behind a block. Only the difference "malloc" or "leave it alone" is of use on Linux.
public final class CFAllocator: Sendable {
  let name: String

  init(name: String) {
    self.name = name
  }
}

/// `malloc` and `free`.
public let kCFAllocatorDefault: CFAllocator? = nil
public let kCFAllocatorSystemDefault: CFAllocator? = CFAllocator(name: "system default")
public let kCFAllocatorMalloc: CFAllocator? = CFAllocator(name: "malloc")
/// As deallocator: the memory belongs to somebody else and is never freed.
public let kCFAllocatorNull: CFAllocator? = CFAllocator(name: "null")

public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

/// Strings, numbers, data, dates, and lists and dictionaries of them.
public typealias CFPropertyList = Any

/// A start and a length.
public struct CFRange: Hashable, Sendable {
  public var location: CFIndex
  public var length: CFIndex

  public init() {
    self.init(location: 0, length: 0)
  }

  public init(location: CFIndex, length: CFIndex) {
    self.location = location
    self.length = length
  }
}

public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange {
  CFRange(location: loc, length: len)
}
