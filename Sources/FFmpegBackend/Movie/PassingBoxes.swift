/// The outermost boxes of a movie that comes through a pipe, followed as their bytes go by: what can't go back can't be
/// looked through before (`MovieStructure`).
struct PassingBoxes {
  struct Box {
    var type: UInt32
    /// Where the next box begins; nil when this one goes on to the end of the source.
    var end: Int64?

    func isWhole(at position: Int64) -> Bool { end.map { $0 <= position } ?? true }
  }

  /// The last one whose header has come.
  private(set) var last: Box?
  private(set) var movie: Box?
  private(set) var hasFragment = false
  /// Samples came before the index.
  private(set) var hasEarlyMedia = false
  private(set) var hasMedia = false
  private var next: Int64 = 0
  private var header: [UInt8] = []
  /// No header follows, or none that could be one.
  private var isOver = false

  /// Bytes of the source, in order and without gaps.
  mutating func pass(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int64) {
    while !isOver {
      let index = next &+ Int64(header.count) &- offset
      guard index >= 0, index < bytes.count else { return }
      header.append(bytes[Int(index)])
      if header.count == 8 && header[..<4] != [0, 0, 0, 1] || header.count == 16 { takeHeader() }
    }
  }

  private mutating func takeHeader() {
    var cursor = ByteCursor(header)
    let headerSize = Int64(header.count)
    header = []
    guard let shortSize = cursor.u32(), let type = cursor.u32(), last != nil || MovieStructure.known.contains(type)
    else {
      isOver = true
      return
    }
    let size = shortSize == 1 ? cursor.i64() ?? 0 : Int64(shortSize)
    let (end, overflow) = next.addingReportingOverflow(size)
    guard shortSize == 0 || size >= headerSize && !overflow else {
      isOver = true
      return
    }
    let box = Box(type: type, end: shortSize == 0 ? nil : end)
    last = box
    switch type {
    case code("moov"): movie = movie ?? box
    case code("moof"): hasFragment = true
    case code("mdat"):
      hasMedia = true
      hasEarlyMedia = hasEarlyMedia || movie == nil
    default: break
    }
    next = end
    isOver = shortSize == 0
  }
}
