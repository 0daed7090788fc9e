import MediaRuntime

/// What a `trak` box says beyond what libavformat hands out.
struct MovieTrackBox {
  struct Edit: Hashable {
    /// In the movie's timescale.
    var duration: Int64
    /// In the track's timescale; -1 is an empty edit.
    var mediaTime: Int64
    /// 16.16.
    var rate: Int32
  }

  var id: Int32 = 0
  var isEnabled = true
  var alternateGroup = 0
  var timescale: Int64 = 0
  /// Of the media, in `timescale`, as the header says.
  var duration: Int64 = 0
  /// The sum of the sample table's durations; nil when the table was too large to read.
  var sampleDuration: Int64?
  var sampleCount: Int64 = 0
  /// The shortest duration of a sample in the table, 0 when it has none.
  var shortestSample: Int64 = 0
  var longestSample: Int64 = 0
  /// Samples by the table of sizes, and the size that all of them share; 0 when each has its own.
  var sizedCount: Int64 = 0
  var sharedSize: Int64 = 0
  /// Where the sample shown last ends, in `timescale`: composition offsets lead beyond the sample decoded last.
  var shownEnd: Int64?
  var extendedLanguage: String?
  var edits: [Edit] = []
  var sampleEntry: UInt32 = 0
  /// The sample entry before encryption (`frma`).
  var originalEntry: UInt32?
  /// Kinds of references to other tracks: `chap`, `tmcd`, `hint`, `fall`.
  var references: [UInt32: [Int32]] = [:]

  /// Bytes of a table that is read here; longer ones are left to libavformat.
  private static let tableLimit = 16 << 20

  var isProtected: Bool {
    [code("encv"), code("enca"), code("enct"), code("encs"), code("drms"), code("drmi")].contains(sampleEntry)
  }

  /// The table promises more samples of one size than there are bytes: libavformat would make an entry for each.
  /// Sound without compression counts frames, and libavformat makes larger pieces of them.
  func claimsTooMuch(of length: Int64?) -> Bool {
    guard sharedSize > 0, sizedCount > 1 << 16, longestSample != 1 else { return false }
    let (bytes, overflow) = sizedCount.multipliedReportingOverflow(by: sharedSize)
    return overflow || bytes > length ?? 1 << 40
  }

  init(_ track: MovieBox, _ reader: SourceReader) throws(MediaError) {
    for box in try track.children(reader) {
      switch box.type {
      case code("tkhd"): try readHeader(box, reader)
      case code("edts"):
        for list in try box.children(reader) where list.type == code("elst") { try readEdits(list, reader) }
      case code("tref"):
        for reference in try box.children(reader, limit: 32) { try readReference(reference, reader) }
      case code("mdia"): try readMedia(box, reader)
      default: break
      }
    }
  }

  private mutating func readHeader(_ box: MovieBox, _ reader: SourceReader) throws(MediaError) {
    guard var cursor = try box.content(reader, limit: 4_096), let word = cursor.u32() else { return }
    let isLong = word >> 24 == 1
    isEnabled = word & 1 != 0
    cursor.skip(isLong ? 16 : 8)
    id = cursor.i32() ?? 0
    cursor.skip(isLong ? 24 : 20)
    cursor.skip(2)
    alternateGroup = Int(cursor.u16() ?? 0)
  }

  private mutating func readEdits(_ box: MovieBox, _ reader: SourceReader) throws(MediaError) {
    guard var cursor = try box.content(reader, limit: 1 << 20), let word = cursor.u32(), let count = cursor.u32() else {
      return
    }
    let isLong = word >> 24 == 1
    for _ in 0..<min(count, 50_000) {
      let duration = isLong ? cursor.i64() : cursor.u32().map(Int64.init)
      let mediaTime = isLong ? cursor.i64() : cursor.i32().map(Int64.init)
      guard let duration, let mediaTime, let rate = cursor.i32() else { return }
      edits.append(Edit(duration: max(duration, 0), mediaTime: mediaTime, rate: rate))
    }
  }

  private mutating func readReference(_ box: MovieBox, _ reader: SourceReader) throws(MediaError) {
    guard var cursor = try box.content(reader, limit: 4_096) else { return }
    while let id = cursor.i32() { references[box.type, default: []].append(id) }
  }

  private mutating func readMedia(_ media: MovieBox, _ reader: SourceReader) throws(MediaError) {
    for box in try media.children(reader) {
      switch box.type {
      case code("mdhd"):
        guard var cursor = try box.content(reader, limit: 4_096), let word = cursor.u32() else { continue }
        let isLong = word >> 24 == 1
        cursor.skip(isLong ? 16 : 8)
        timescale = Int64(cursor.u32() ?? 0)
        duration = (isLong ? cursor.i64() : cursor.u32().map { $0 == .max ? 0 : Int64($0) }) ?? 0
      case code("elng"):
        guard var cursor = try box.content(reader, limit: 256) else { continue }
        cursor.skip(4)
        let text = (cursor.take(cursor.remaining) ?? []).prefix { $0 != 0 }
        extendedLanguage = text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
      case code("minf"):
        for table in try box.children(reader) where table.type == code("stbl") {
          let parts = try table.children(reader)
          for part in parts { try readTable(part, reader) }
          guard sampleDuration != nil, let durations = parts.first(where: { $0.type == code("stts") }),
            let times = try durations.content(reader, limit: Self.tableLimit)
          else { continue }
          let offsets = try parts.first { $0.type == code("ctts") }?.content(reader, limit: Self.tableLimit)
          shownEnd = CompositionTimes.end(times: times, offsets: offsets)
        }
      default: break
      }
    }
  }

  private mutating func readTable(_ box: MovieBox, _ reader: SourceReader) throws(MediaError) {
    switch box.type {
    case code("stts"):
      guard var cursor = try box.content(reader, limit: Self.tableLimit) else { return }
      cursor.skip(4)
      var total: Int64 = 0
      var samples: Int64 = 0
      var left = cursor.u32() ?? 0
      while left > 0, let count = cursor.u32(), let delta = cursor.u32() {
        left -= 1
        samples &+= Int64(count)
        if delta > 0, delta < Int32.max, shortestSample == 0 || Int64(delta) < shortestSample {
          shortestSample = Int64(delta)
        }
        if delta < Int32.max { longestSample = max(longestSample, Int64(delta)) }
        // A delta beyond 31 bits is a negative one of a broken writer.
        let ticks = Int64(delta) > Int64(Int32.max) ? 1 : Int64(delta)
        let (product, overflow) = Int64(count).multipliedReportingOverflow(by: ticks)
        let (sum, tooLong) = total.addingReportingOverflow(product)
        guard !overflow, !tooLong else { return }
        total = sum
      }
      sampleDuration = total
      sampleCount = samples
    case code("stsz"):
      guard box.contentSize >= 12, let bytes = try reader.bytes(at: box.contentOffset, count: 12) else { return }
      var cursor = ByteCursor(bytes)
      cursor.skip(4)
      sharedSize = Int64(cursor.u32() ?? 0)
      sizedCount = Int64(cursor.u32() ?? 0)
    case code("stsd"):
      guard let entry = try box.children(reader, skipping: 8, limit: 1).first else { return }
      sampleEntry = entry.type
      if isProtected { originalEntry = try originalFormat(entry, reader) }
    default: break
    }
  }

  /// `sinf`/`frma` among the boxes behind an entry's fixed fields (28 bytes for sound, 78 for pictures).
  private func originalFormat(_ entry: MovieBox, _ reader: SourceReader) throws(MediaError) -> UInt32? {
    for skipped: Int64 in [78, 28, 44, 64, 8] where entry.contentSize > skipped {
      for box in try entry.children(reader, skipping: skipped, limit: 32) where box.type == code("sinf") {
        for part in try box.children(reader, limit: 16) where part.type == code("frma") {
          guard var cursor = try part.content(reader, limit: 64) else { return nil }
          return cursor.u32()
        }
      }
    }
    return nil
  }
}
