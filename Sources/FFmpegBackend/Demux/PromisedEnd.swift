import MediaIO
import MediaRuntime

/// How many bytes the source of a container must have to hold the media that its header speaks of: what is shorter was
/// cut off, by a download or a copy that did not finish.
///
/// Only bytes are looked at, for durations in headers are often wrong of whole files. Movies are judged by their boxes
/// (`MovieStructure`); FLAC, Monkey's Audio, TTA, WavPack and Musepack at their end, by their last packet
/// (`CutPacket`). Nothing is promised by MPEG streams, Flash video and live recordings, nor by RIFF and AIFF of 2 GiB and
/// more.
struct PromisedEnd {
  /// Behind the last byte of the media.
  var offset: Int64
  /// Bytes that whole files may lack: tags and padding that writers count differently.
  var slack: Int64 = 4_096

  /// Nil where nothing is promised.
  init?(_ reader: SourceReader) throws(MediaError) {
    let bytes = HeaderBytes(reader)
    guard let start = try bytes.tagEnd(), let head = try bytes.take(at: start, 4) else { return nil }
    var end: Int64?
    switch head {
    case Array("RIFF".utf8), Array("RF64".utf8): end = try Self.riffEnd(bytes, start)
    case Array("FORM".utf8): end = try Self.chunkEnd(bytes, from: start + 12, named: "SSND", sizeLength: 4)
    case Array("caff".utf8): end = try Self.chunkEnd(bytes, from: start + 8, named: "data", sizeLength: 8)
    case Array(".snd".utf8): end = try Self.auEnd(bytes, start)
    case [0x1a, 0x45, 0xdf, 0xa3]: end = try Self.segmentEnd(bytes, start)
    case [0x30, 0x26, 0xb2, 0x75]: end = try Self.asfEnd(bytes, start)
    case Array("OggS".utf8):
      end = try Self.lastPageEnd(reader)
      slack = 0
    default:
      guard head[0] == 0xff, head[1] & 0xe0 == 0xe0 else { return nil }
      end = try Self.mpegAudioEnd(bytes, start)
    }
    guard let end, end > start else { return nil }
    offset = end
  }

  func isBehind(_ length: Int64) -> Bool { offset - slack > length }

  /// The `data` chunk of a wave file, the first RIFF of an AVI. Writers that could not go back leave sizes that say so.
  private static func riffEnd(_ bytes: HeaderBytes, _ start: Int64) throws(MediaError) -> Int64? {
    guard let form = try bytes.take(at: start + 8, 4), let whole = try bytes.little(at: start + 4, 4) else {
      return nil
    }
    guard form == Array("WAVE".utf8) else { return isStated(whole) ? start + 8 + whole : nil }
    var offset = start + 12
    var longSize: Int64?
    for _ in 0..<64 {
      guard let name = try bytes.take(at: offset, 4), let size = try bytes.little(at: offset + 4, 4) else { return nil }
      if name == Array("ds64".utf8) { longSize = try bytes.little(at: offset + 16, 8) }
      if name == Array("data".utf8) {
        if size == 0xffff_ffff, let longSize { return sum(offset + 8, longSize) }
        return isStated(size) ? offset + 8 + size : nil
      }
      offset += 8 + size + size & 1
    }
    return nil
  }

  /// SoX writes 0x7f000000 and some more where it can't go back, others the greatest number there is.
  private static func isStated(_ size: Int64) -> Bool { size > 0 && size < 0x7eff_0000 }

  /// Chunks of a name and a big-endian size: AIFF, and Core Audio's format, where −1 is an open end.
  private static func chunkEnd(_ bytes: HeaderBytes, from start: Int64, named: String, sizeLength: Int)
    throws(MediaError) -> Int64?
  {
    var offset = start
    for _ in 0..<64 {
      guard let name = try bytes.take(at: offset, 4), let size = try bytes.big(at: offset + 4, sizeLength),
        let end = sum(offset + 4 + Int64(sizeLength), size)
      else { return nil }
      if name == Array(named.utf8) { return sizeLength == 8 || isStated(size) ? end : nil }
      offset = end + (sizeLength == 4 ? size & 1 : 0)
    }
    return nil
  }

  private static func auEnd(_ bytes: HeaderBytes, _ start: Int64) throws(MediaError) -> Int64? {
    guard let data = try bytes.big(at: start + 4, 4), let size = try bytes.big(at: start + 8, 4), isStated(size) else {
      return nil
    }
    return start + data + size
  }

  /// The segment of a Matroska file (RFC 8794, 6): all bits set is an unknown size.
  private static func segmentEnd(_ bytes: HeaderBytes, _ start: Int64) throws(MediaError) -> Int64? {
    guard let header = try bytes.ebmlSize(at: start + 4), header.size < 1 << 20 else { return nil }
    let segment = start + 4 + header.length + header.size
    guard try bytes.take(at: segment, 4) == [0x18, 0x53, 0x80, 0x67], let body = try bytes.ebmlSize(at: segment + 4)
    else { return nil }
    return body.isUnknown ? nil : sum(segment + 4 + body.length, body.size)
  }

  /// The data object behind the header object; a broadcast, by its file properties, states no size.
  private static func asfEnd(_ bytes: HeaderBytes, _ start: Int64) throws(MediaError) -> Int64? {
    guard let header = try bytes.little(at: start + 16, 8), let data = sum(start, header),
      try !isBroadcast(bytes, from: start + 30, to: data), try bytes.take(at: data, 4) == [0x36, 0x26, 0xb2, 0x75],
      let size = try bytes.little(at: data + 16, 8), size > 50
    else { return nil }
    return sum(data, size)
  }

  private static func isBroadcast(_ bytes: HeaderBytes, from start: Int64, to end: Int64) throws(MediaError) -> Bool {
    var offset = start
    for _ in 0..<64 where offset < end {
      guard let name = try bytes.take(at: offset, 4), let size = try bytes.little(at: offset + 16, 8) else {
        return true
      }
      if name == [0xa1, 0xdc, 0xab, 0x8c] { return try bytes.little(at: offset + 88, 4).map { $0 & 1 != 0 } ?? true }
      guard let next = sum(offset, size) else { return true }
      offset = next
    }
    return true
  }

  /// Of the last page that begins (RFC 3533, 6).
  private static func lastPageEnd(_ reader: SourceReader) throws(MediaError) -> Int64? {
    guard let length = reader.end, !reader.source.mayBlock || reader.hasMetEnd else { return nil }
    let start = max(length - 65_400, 0)
    guard let tail = try reader.bytes(at: start, count: Int(length - start)) else { return nil }
    let sign = Array("OggS".utf8) + [0]
    guard let page = (0..<max(tail.count - 26, 0)).last(where: { tail[$0...].starts(with: sign) }) else { return nil }
    let count = Int(tail[page + 26])
    let lacing = tail[(page + 27)...].prefix(count)
    return start + Int64(page + 27 + count) + lacing.reduce(0) { $0 + Int64($1) }
  }

  /// What LAME's and Fraunhofer's headers in the first frame count as the stream's bytes.
  private static func mpegAudioEnd(_ bytes: HeaderBytes, _ start: Int64) throws(MediaError) -> Int64? {
    guard let frame = try bytes.take(at: start, 192) else { return nil }
    for offset in 4..<frame.count - 16 {
      let at = start + Int64(offset)
      switch Array(frame[offset..<offset + 4]) {
      case Array("Xing".utf8), Array("Info".utf8):
        guard let flags = try bytes.big(at: at + 4, 4), flags & 2 != 0 else { return nil }
        return try bytes.big(at: at + (flags & 1 != 0 ? 12 : 8), 4).map { start + $0 }
      case Array("VBRI".utf8):
        return try bytes.big(at: at + 10, 4).map { start + $0 }
      default: break
      }
    }
    return nil
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64? {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow || b < 0 ? nil : sum
  }
}

/// Numbers anywhere in a source; nil behind its end, or where it can't go.
struct HeaderBytes {
  let reader: SourceReader

  init(_ reader: SourceReader) { self.reader = reader }

  func take(at offset: Int64, _ count: Int) throws(MediaError) -> [UInt8]? {
    guard offset <= reader.source.length ?? .max else { return nil }
    return try reader.bytes(at: offset, count: count)
  }

  func big(at offset: Int64, _ count: Int) throws(MediaError) -> Int64? {
    guard let taken = try take(at: offset, count) else { return nil }
    return number(taken)
  }

  func little(at offset: Int64, _ count: Int) throws(MediaError) -> Int64? {
    guard let taken = try take(at: offset, count) else { return nil }
    return number(taken.reversed())
  }

  private func number(_ bytes: [UInt8]) -> Int64? {
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(exactly: value)
  }

  /// Where the sound begins: behind an ID3v2 tag.
  func tagEnd() throws(MediaError) -> Int64? {
    guard let start = try take(at: 0, 10) else { return nil }
    return Self.tagEnd(start)
  }

  /// The same by the first ten bytes; nil when there are fewer.
  static func tagEnd(_ start: [UInt8]) -> Int64? {
    guard start.count >= 10 else { return nil }
    guard start.starts(with: Array("ID3".utf8)) else { return 0 }
    return start[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7f) } + 10
  }

  /// A number of variable length (RFC 8794, 4), and how many bytes it takes.
  func ebmlSize(at offset: Int64) throws(MediaError) -> (size: Int64, length: Int64, isUnknown: Bool)? {
    guard let first = try take(at: offset, 1)?.first, first != 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard let taken = try take(at: offset, length) else { return nil }
    let size = taken.dropFirst().reduce(Int64(first) & (0xff >> Int64(length))) { $0 << 8 | Int64($1) }
    return (size, Int64(length), size == (1 << (7 * Int64(length))) - 1)
  }
}
