public import CoreMedia
public import Foundation

/// Memory for sound of a format.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
  public let format: AVAudioFormat
  let memory: BufferMemory

  init(_ format: AVAudioFormat, _ memory: BufferMemory) {
    self.format = format
    self.memory = memory
    super.init()
  }

  /// The buffers, each with as many bytes as are in use. The list must not be changed, what it points to may be.
  open var audioBufferList: UnsafePointer<AudioBufferList> { memory.used.unsafePointer }

  /// The buffers, each with as many bytes as it has room for. Who fills them sets the buffer's length afterwards.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { memory.whole.unsafeMutablePointer }

  open func copy(with zone: NSZone? = nil) -> Any { self }
  open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
