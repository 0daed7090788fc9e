import MediaRuntime

/// The header of a box (ISO 14496-12, 4.2), by its place in the file.
struct MovieBox {
  let type: UInt32
  let offset: Int64
  let contentOffset: Int64
  /// Where the next box begins; the source's end when the box says that it goes on to there.
  let end: Int64

  var contentSize: Int64 { end - contentOffset }

  /// Nil where no whole header is left, or what stands there can't be a box.
  init?(at offset: Int64, before limit: Int64, _ reader: SourceReader) throws(MediaError) {
    guard offset >= 0, limit - offset >= 8, let bytes = try reader.bytes(at: offset, count: 8) else { return nil }
    var cursor = ByteCursor(bytes)
    guard let shortSize = cursor.u32(), let type = cursor.u32() else { return nil }
    var headerSize: Int64 = 8
    var size = Int64(shortSize)
    if shortSize == 1 {
      guard limit - offset >= 16, let more = try reader.bytes(at: offset + 8, count: 8) else { return nil }
      var cursor = ByteCursor(more)
      guard let longSize = cursor.i64() else { return nil }
      size = longSize
      headerSize = 16
    } else if shortSize == 0 {
      size = limit - offset
    }
    let (end, overflow) = offset.addingReportingOverflow(size)
    guard size >= headerSize, !overflow else { return nil }
    self.type = type
    self.offset = offset
    contentOffset = offset + headerSize
    self.end = end
  }

  private init(_ box: MovieBox, endingBy limit: Int64) {
    type = box.type
    offset = box.offset
    contentOffset = box.contentOffset
    end = min(box.end, limit)
  }

  /// The content, if it is not larger than `limit`.
  func content(_ reader: SourceReader, limit: Int) throws(MediaError) -> ByteCursor? {
    guard contentSize >= 0, contentSize <= Int64(limit) else { return nil }
    return try reader.bytes(at: contentOffset, count: Int(contentSize)).map { ByteCursor($0) }
  }

  /// The boxes inside, from `skipping` bytes on; at most `limit`. None reaches beyond this one: else the bytes behind
  /// it would be read again for each of its children.
  func children(_ reader: SourceReader, skipping: Int64 = 0, limit: Int = 512) throws(MediaError) -> [MovieBox] {
    var result: [MovieBox] = []
    var offset = contentOffset + skipping
    while result.count < limit, let box = try MovieBox(at: offset, before: end, reader) {
      result.append(MovieBox(box, endingBy: end))
      offset = box.end
    }
    return result
  }
}
