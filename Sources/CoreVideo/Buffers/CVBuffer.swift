import Synchronization

public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVImageBuffer

/// A picture in memory with facts attached to it.
///
/// Shared by reference; any thread may read it. A lock for reading never copies; a lock for writing first copies the
/// pixels to memory of the buffer's own, if a decoder or another buffer may read them too. Addresses are valid between
/// lock and unlock.
public final class CVBuffer: Sendable {
  let width: Int
  let height: Int
  let format: OSType
  let isPlanar: Bool
  /// As its maker gave them; what is asked for is put in when it is asked for.
  let creationAttributes: ValueLock<CFDictionary>
  let attachments = ValueLock<[CFString: Attachment]>([:])
  let memory: ValueLock<Memory>

  /// The storage and who has it locked.
  struct Memory {
    var storage: PixelStorage
    var readLocks = 0
    var writeLocks = 0
    /// Storage that was replaced while readers had it locked; it lives until the last lock is gone.
    var retired: [PixelStorage] = []
    /// Objects that live as long as the buffer.
    var companions: [AnyObject] = []
  }

  static let live = Atomic<Int>(0)

  init(width: Int, height: Int, format: OSType, attributes: CFDictionary, storage: PixelStorage) {
    self.width = width
    self.height = height
    self.format = format
    isPlanar = PixelFormatLayout(format)?.isPlanar ?? false
    creationAttributes = ValueLock(attributes)
    memory = ValueLock(Memory(storage: storage))
    CVBuffer.live.add(1, ordering: .relaxed)
  }

  deinit {
    CVBuffer.live.subtract(1, ordering: .relaxed)
  }
}

extension CVBuffer: Hashable {
  /// The same object.
  public static func == (left: CVBuffer, right: CVBuffer) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CVBuffer {
  /// How many buffers exist in the process, to find leaks.
  package static var liveCount: Int { live.load(ordering: .relaxed) }

  /// A buffer over pixels that belong to `owner`, a decoder's frame for one, without copying them.
  ///
  /// - Parameters:
  ///   - planes: one per plane of `format`. Their memory must stay valid and unchanged while `owner` lives.
  ///   - owner: released when the buffer no longer needs the memory.
  ///   - isExclusive: true when nobody but this buffer uses the memory, so that writers may write in place.
  /// - Returns: nil when the planes do not fit the format.
  package convenience init?(
    width: Int, height: Int, format: OSType, planes: [PixelPlane], owner: AnyObject?, isExclusive: Bool = false,
    attributes: CFDictionary = [:]
  ) {
    guard let layout = PixelFormatLayout(format), layout.planes.count == planes.count, width > 0, height > 0,
      width <= PixelMemoryPlan.largestSide, height <= PixelMemoryPlan.largestSide
    else { return nil }
    for (plane, shape) in zip(planes, layout.planes) {
      let rowBytes = shape.rowBytes(pictureWidth: width)
      guard plane.bytesPerRow.magnitude >= rowBytes, plane.height >= shape.height(height) else { return nil }
    }
    var dataSize = 0
    for plane in planes {
      let (size, overflow) = Int(clamping: plane.bytesPerRow.magnitude).multipliedReportingOverflow(by: plane.height)
      guard !overflow, size <= 1 << 48 else { return nil }
      dataSize += size
    }
    var storage = PixelStorage(planes: planes, dataSize: dataSize, isExclusive: isExclusive, owner: owner)
    if planes.contains(where: { $0.bytesPerRow < 0 }) {
      guard let copy = CVBuffer.copy(of: storage, width: width, height: height, layout: layout) else { return nil }
      storage = copy
    }
    self.init(width: width, height: height, format: format, attributes: attributes, storage: storage)
  }

  /// Keeps an object alive as long as the buffer, to learn from its `deinit` when the app has let the buffer go.
  package func keepAlive(_ companion: AnyObject) {
    memory.withLock { $0.companions.append(companion) }
  }

  /// Runs `body` on the planes for reading, without a copy.
  package func withPlanes<Result, Failure: Error>(
    _ body: ([PixelPlane]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let storage = memory.withLock { memory in
      memory.readLocks += 1
      return memory.storage
    }
    defer { _ = unlock(.readOnly) }
    return try body(storage.planes)
  }

  static func copy(of storage: PixelStorage, width: Int, height: Int, layout: PixelFormatLayout) -> PixelStorage? {
    guard let plan = PixelMemoryPlan(layout, width: width, height: height, alignment: 64),
      let copy = PixelStorage(plan)
    else { return nil }
    copy.copyPixels(from: storage.planes, rowBytes: layout.planes.map { $0.rowBytes(pictureWidth: width) })
    return copy
  }
}
