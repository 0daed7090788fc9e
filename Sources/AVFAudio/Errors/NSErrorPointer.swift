public import Foundation

/// Where a function writes its error; nil when the caller does not want it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
