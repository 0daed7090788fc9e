import MediaIO
import MediaRuntime

/// Where a movie's fragments stand and when they play, found by walking its boxes.
struct FragmentIndex {
  struct Entry {
    var track: Int32
    /// Decode time of the first sample, in the track's ticks.
    var time: Int64
    /// Of its `moof`.
    var offset: Int64
  }

  /// More fragments than a day of one-second ones has.
  private static let limit = 200_000
  /// Samples of one run that say nothing of themselves, so that no byte of the file bounds their number.
  private static let bareSampleLimit: UInt32 = 1 << 20

  var entries: [Entry] = []
  /// Where each track's presentation ends, composition offsets included, in its ticks.
  var ends: [Int32: Int64] = [:]
  /// The end of each track's last sample in decoding order, where the next fragment without a time begins.
  private var decodeEnds: [Int32: Int64] = [:]
  /// Each track's last fragment so far.
  private var lastOffsets: [Int32: Int64] = [:]
  /// Tracks of which a fragment states no durations.
  private var unknownDurations: Set<Int32> = []
  /// The movie's own; fragments of others belong to nothing that plays.
  private var tracks: Set<Int32> = []
  /// Every box is there to its end.
  var isComplete = true
  /// Where a fragment begins whose description is cut off with the file.
  var cutFragment: Int64?

  init(_ movie: MovieStructure, _ reader: SourceReader) throws(MediaError) {
    guard var offset = movie.firstFragment, let length = reader.source.length else {
      isComplete = false
      return
    }
    tracks = Set(movie.tracks.map(\.id))
    var fragments = 0
    while fragments < Self.limit, let box = try MovieBox(at: offset, before: length, reader) {
      guard box.end <= length else {
        isComplete = false
        if box.type == code("moof") { cutFragment = box.offset }
        break
      }
      if box.type == code("moof") {
        fragments += 1
        for part in try box.children(reader) where part.type == code("traf") {
          try readTrack(part, of: box.offset, movie, reader)
        }
      }
      offset = box.end
    }
    if offset < length { isComplete = false }
  }

  /// Where a track's last sample ends in decoding order, in its ticks; nil where that is not known for certain.
  func soundEnd(of track: Int32) -> Int64? {
    isComplete && !unknownDurations.contains(track) ? decodeEnds[track] : nil
  }

  private mutating func readTrack(_ traf: MovieBox, of offset: Int64, _ movie: MovieStructure, _ reader: SourceReader)
    throws(MediaError)
  {
    var id: Int32 = 0
    var defaultDuration: Int64 = 0
    var time: Int64?
    var total: Int64 = 0
    var shown: Int64 = 0
    for box in try traf.children(reader, limit: 1_024) {
      switch box.type {
      case code("tfhd"):
        guard var cursor = try box.content(reader, limit: 256), let flags = cursor.u32() else { return }
        id = cursor.i32() ?? 0
        guard tracks.contains(id) else { return }
        if flags & 0x1 != 0 { cursor.skip(8) }
        if flags & 0x2 != 0 { cursor.skip(4) }
        defaultDuration = (flags & 0x8 != 0 ? cursor.u32().map(Int64.init) : nil) ?? movie.defaultDurations[id] ?? 0
      case code("tfdt"):
        guard var cursor = try box.content(reader, limit: 64), let word = cursor.u32() else { return }
        time = word >> 24 == 1 ? cursor.i64() : cursor.u32().map(Int64.init)
      case code("trun"):
        guard var cursor = try box.content(reader, limit: 8 << 20), let flags = cursor.u32(), let count = cursor.u32()
        else { return }
        guard flags & 0xF00 != 0 || count <= Self.bareSampleLimit else {
          throw MediaError(
            .containerDamaged, "A fragment of the file names an absurd number of samples. Fetch the file again.",
            address: reader.source.address)
        }
        let run = Self.run(&cursor, flags: flags, count: count, defaultDuration: defaultDuration)
        if count > 0, run.total == 0 { unknownDurations.insert(id) }
        shown = max(shown, total &+ run.shown)
        total &+= run.total
      default: break
      }
    }
    // Without a time of its own a fragment follows what came before, the movie's own sample table included.
    let start = time ?? decodeEnds[id] ?? movie.track(id)?.sampleDuration ?? 0
    guard tracks.contains(id) else { return }
    // A seek leads to the fragment as a whole, so the first of a track's parts in it is enough.
    if lastOffsets.updateValue(offset, forKey: id) != offset {
      entries.append(Entry(track: id, time: start, offset: offset))
    }
    decodeEnds[id] = max(decodeEnds[id] ?? 0, start &+ total)
    ends[id] = max(ends[id] ?? 0, start &+ shown)
  }

  /// How long a run's samples last together, and where the last of them ends on screen (ISO 14496-12, 8.8.8).
  private static func run(_ cursor: inout ByteCursor, flags: UInt32, count: UInt32, defaultDuration: Int64)
    -> (total: Int64, shown: Int64)
  {
    guard flags & 0x900 != 0 else {
      let (product, overflow) = Int64(count).multipliedReportingOverflow(by: defaultDuration)
      return overflow ? (0, 0) : (product, product)
    }
    if flags & 0x1 != 0 { cursor.skip(4) }
    if flags & 0x4 != 0 { cursor.skip(4) }
    let between = [UInt32(0x200), 0x400].filter { flags & $0 != 0 }.count * 4
    let isSigned = flags >> 24 != 0
    var total: Int64 = 0
    var shown: Int64 = 0
    for _ in 0..<count {
      var duration = defaultDuration
      if flags & 0x100 != 0 {
        guard let delta = cursor.u32() else { break }
        duration = Int64(delta)
      }
      cursor.skip(between)
      var offset: Int64 = 0
      if flags & 0x800 != 0 {
        guard let delta = cursor.u32() else { break }
        offset = isSigned ? Int64(Int32(bitPattern: delta)) : Int64(delta)
      }
      shown = max(shown, total &+ offset &+ duration)
      total &+= duration
    }
    return (total, shown)
  }

  /// A `mfra` box (ISO 14496-12, 8.8.9) that names every fragment: libavformat seeks by it.
  /// - Parameter shift: taken off a track's times, as its edit list does.
  func randomAccessBox(shift: (Int32) -> Int64) -> [UInt8] {
    var tables: [UInt8] = []
    for (track, own) in Dictionary(grouping: entries, by: \.track).sorted(by: { $0.key < $1.key }) {
      let lead = shift(track)
      var table = Self.bytes(UInt32(0x0100_0000)) + Self.bytes(UInt32(bitPattern: track)) + Self.bytes(UInt32(0))
      table += Self.bytes(UInt32(clamping: own.count))
      for entry in own {
        table += Self.bytes(UInt64(bitPattern: entry.time &- lead))
        table += Self.bytes(UInt64(bitPattern: entry.offset)) + [1, 1, 1]
      }
      tables += Self.box("tfra", table)
    }
    let size = UInt32(clamping: 8 + tables.count + 16)
    return Self.box("mfra", tables + Self.box("mfro", Self.bytes(UInt32(0)) + Self.bytes(size)))
  }

  private static func box(_ type: StaticString, _ content: [UInt8]) -> [UInt8] {
    bytes(UInt32(clamping: 8 + content.count)) + bytes(code(type)) + content
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
