public import CoreMedia
public import Foundation
package import MediaEngine

/// Memory for linear samples.
open class AVAudioPCMBuffer: AVAudioBuffer {
  /// Frames that there is room for.
  public let frameCapacity: AVAudioFrameCount
  private let planePointers: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private var length: AVAudioFrameCount = 0

  /// Silence of a length of 0. Nil when there is not so much memory.
  /// - Precondition: the format is one of linear samples.
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    let stream = format.streamDescription.pointee
    AudioMisuse.check(stream.mFormatID == kAudioFormatLinearPCM, "a format of linear samples")
    let (bytes, overflow) = Int(frameCapacity).multipliedReportingOverflow(by: Int(stream.mBytesPerFrame))
    let pieces = format.isInterleaved ? 1 : Int(stream.mChannelsPerFrame)
    guard !overflow, stream.mBytesPerFrame > 0,
      let memory = BufferMemory(
        pieces: pieces, channelsEach: format.isInterleaved ? stream.mChannelsPerFrame : 1, bytesEach: bytes)
    else { return nil }
    self.frameCapacity = frameCapacity
    planePointers = Self.pointers(format, memory)
    super.init(format, memory)
  }

  /// Samples that lie somewhere already, all of them in use. Nil when the list has not the buffers that the format needs.
  /// - Parameter deallocator: called when the buffer goes.
  /// - Precondition: the format is one of linear samples.
  public init?(
    pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
    deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
  ) {
    let stream = format.streamDescription.pointee
    AudioMisuse.check(stream.mFormatID == kAudioFormatLinearPCM, "a format of linear samples")
    let given = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    guard given.count == (format.isInterleaved ? 1 : Int(stream.mChannelsPerFrame)), stream.mBytesPerFrame > 0,
      given.allSatisfy({ $0.mData != nil && $0.mDataByteSize == given[0].mDataByteSize })
    else { return nil }
    frameCapacity = given[0].mDataByteSize / stream.mBytesPerFrame
    let memory = BufferMemory(bufferList) { deallocator?(bufferList) }
    planePointers = Self.pointers(format, memory)
    super.init(format, memory)
    frameLength = frameCapacity
  }

  deinit { planePointers.deallocate() }

  private static func pointers(_ format: AVAudioFormat, _ memory: BufferMemory)
    -> UnsafeMutablePointer<UnsafeMutableRawPointer>
  {
    let channels = Int(format.channelCount)
    let table = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: max(channels, 1))
    let width = Int(format.streamDescription.pointee.mBitsPerChannel / 8)
    for channel in 0..<channels {
      let piece = memory.whole[format.isInterleaved ? 0 : channel].mData
      guard let piece else { continue }
      (table + channel).initialize(to: piece + (format.isInterleaved ? channel * width : 0))
    }
    return table
  }

  /// Frames in use.
  /// - Precondition: it is set to at most `frameCapacity`.
  open var frameLength: AVAudioFrameCount {
    get { length }
    set {
      AudioMisuse.check(newValue <= frameCapacity, "a length of at most the capacity, \(frameCapacity)")
      length = newValue
      let bytes = newValue * format.streamDescription.pointee.mBytesPerFrame
      let list = memory.used
      for index in list.indices { list[index].mDataByteSize = bytes }
    }
  }

  /// Samples from one of a channel to its next: 1, or the channels of an interleaved format.
  open var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

  /// Each channel's first sample; nil when the samples are no 32-bit floats.
  open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { pointers(.pcmFormatFloat32) }
  /// Each channel's first sample; nil when the samples are no whole numbers of 16 bits.
  open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { pointers(.pcmFormatInt16) }
  /// Each channel's first sample; nil when the samples are no whole numbers of 32 bits.
  open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { pointers(.pcmFormatInt32) }

  private func pointers<Sample>(_ kind: AVAudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard format.commonFormat == kind else { return nil }
    let table = UnsafeMutableRawPointer(planePointers)
    return UnsafePointer(table.assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self))
  }

  /// Where the samples are; nil for a form that nobody writes.
  package var planes: SamplePlanes? {
    format.sampleFormat.map { samples in
      SamplePlanes(
        format: samples, channels: (0..<Int(format.channelCount)).map { planePointers[$0] },
        stride: samples.byteCount * stride)
    }
  }

  /// A buffer of its own with the same capacity, length and samples.
  open override func copy(with zone: NSZone? = nil) -> Any {
    guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
      AudioMisuse.failed("memory for a copy of \(frameCapacity) frames")
    }
    copy.frameLength = length
    for (from, to) in zip(memory.used, copy.memory.used) {
      if let from = from.mData, let data = to.mData { data.copyMemory(from: from, byteCount: Int(to.mDataByteSize)) }
    }
    return copy
  }
}
