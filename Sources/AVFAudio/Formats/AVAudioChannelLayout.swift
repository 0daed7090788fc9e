public import CoreMedia
public import Foundation

/// What the channels of a format are for.
// @unchecked Sendable: immutable.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
  package let managed: ManagedAudioChannelLayout
  private let bytes: UnsafeMutableRawBufferPointer

  /// Nil for the tags that say nothing by themselves: those for a bitmap and for descriptions.
  public convenience init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag != kAudioChannelLayoutTag_UseChannelBitmap,
      layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions
    else { return nil }
    self.init(ManagedAudioChannelLayout(tag: layoutTag))
  }

  /// Copies a layout with as many descriptions as it says to have.
  public convenience init(layout: UnsafePointer<AudioChannelLayout>) {
    let count = Int(layout.pointee.mNumberChannelDescriptions)
    let size =
      MemoryLayout<AudioChannelLayout>.size + max(count - 1, 0) * MemoryLayout<AudioChannelDescription>.stride
    let copy = ManagedAudioChannelLayout(layout, size: size)
    self.init(copy ?? ManagedAudioChannelLayout(tag: layout.pointee.mChannelLayoutTag))
  }

  package init(_ managed: ManagedAudioChannelLayout) {
    self.managed = managed
    bytes = .allocate(byteCount: managed.sizeInBytes, alignment: MemoryLayout<AudioChannelLayout>.alignment)
    super.init()
    managed.withUnsafePointer {
      bytes.copyMemory(from: UnsafeRawBufferPointer(start: $0, count: managed.sizeInBytes))
    }
  }

  deinit { bytes.deallocate() }

  open var layoutTag: AudioChannelLayoutTag { managed.tag }

  /// Valid as long as this object.
  open var layout: UnsafePointer<AudioChannelLayout> {
    guard let base = bytes.baseAddress else { preconditionFailure("A channel layout is never empty.") }
    return UnsafePointer(base.assumingMemoryBound(to: AudioChannelLayout.self))
  }

  open var channelCount: AVAudioChannelCount { AVAudioChannelCount(clamping: managed.channelCount) }

  open override func isEqual(_ object: Any?) -> Bool { (object as? AVAudioChannelLayout)?.managed == managed }
  open override var hash: Int { managed.hashValue }
  open override var description: String { "<AVAudioChannelLayout: tag \(layoutTag), \(channelCount) channels>" }
}
