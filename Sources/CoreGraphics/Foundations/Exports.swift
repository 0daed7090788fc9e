// On Linux the geometric types (CGFloat, CGPoint, CGSize, CGRect) are Foundation's; Apple's CoreGraphics brings them along.
@_exported public import Foundation
