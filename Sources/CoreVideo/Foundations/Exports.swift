@_exported public import CoreGraphics
