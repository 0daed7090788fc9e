/// The samples of one channel, or of several interleaved.
public struct AudioBuffer {
  public var mNumberChannels: UInt32
  public var mDataByteSize: UInt32
  public var mData: UnsafeMutableRawPointer?

  public init() {
    self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil)
  }

  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    self.mNumberChannels = mNumberChannels
    self.mDataByteSize = mDataByteSize
    self.mData = mData
  }
}

/// The head of a list of buffers: a count and the first; more follow in memory if the list was allocated for more.
public struct AudioBufferList {
  public var mNumberBuffers: UInt32
  public var mBuffers: AudioBuffer

  public init() {
    self.init(mNumberBuffers: 0, mBuffers: AudioBuffer())
  }

  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }
}

extension AudioBufferList {
  static var buffersOffset: Int { MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size }

  /// The bytes that a list of that many buffers takes.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "an AudioBufferList holds at least one buffer")
    return buffersOffset + MemoryLayout<AudioBuffer>.stride * maximumBuffers
  }

  /// A zeroed list with room for that many buffers and a count to match; release `unsafeMutablePointer` with `free`.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let size = sizeInBytes(maximumBuffers: maximumBuffers)
    guard let memory = calloc(1, size) else {
      preconditionFailure("no memory for an AudioBufferList of \(maximumBuffers) buffers")
    }
    let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
    list.pointee.mNumberBuffers = UInt32(clamping: maximumBuffers)
    return UnsafeMutableAudioBufferListPointer(list)
  }
}

/// A list of audio buffers as a collection.
public struct UnsafeMutableAudioBufferListPointer {
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  public init(_ p: UnsafeMutablePointer<AudioBufferList>) {
    unsafeMutablePointer = p
  }

  public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
    guard let p else { return nil }
    unsafeMutablePointer = p
  }

  public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

  private var buffers: UnsafeMutablePointer<AudioBuffer> {
    (UnsafeMutableRawPointer(unsafeMutablePointer) + AudioBufferList.buffersOffset)
      .assumingMemoryBound(to: AudioBuffer.self)
  }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
  /// May be set to use fewer buffers than were allocated.
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public subscript(index: Int) -> AudioBuffer {
    get {
      precondition(index >= 0 && index < count, "no such buffer in the AudioBufferList")
      return buffers[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count, "no such buffer in the AudioBufferList")
      buffers[index] = newValue
    }
  }
}
