// What `import AVFoundation` brings along at Apple's. Half of the client files out there import nothing else.
// The engine's modules are imported internally everywhere: no client sees them.

@_exported public import AVFAudio
@_exported public import CoreGraphics
@_exported public import CoreMedia
@_exported public import CoreVideo
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import QuartzCore
