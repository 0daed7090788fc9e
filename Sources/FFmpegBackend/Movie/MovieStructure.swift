import MediaIO
import MediaRuntime

/// The boxes of an ISO base media or QuickTime file as far as libavformat keeps them to itself: edit lists, track
/// references, encryption, fragments. Reads headers only, never samples.
struct MovieStructure {
  var timescale: Int64 = 0
  /// In `timescale`, as the header says.
  var duration: Int64 = 0
  var tracks: [MovieTrackBox] = []
  /// Samples come in fragments (`mvex`).
  var isFragmented = false
  var fragmentedDuration: Int64?
  /// Durations of samples that state none (`trex`), by track number.
  var defaultDurations: [Int32: Int64] = [:]
  var hasMovieBox = false
  /// The bytes of the index (`moov`).
  var index: Range<Int64>?
  /// Where the last box that was looked at ends by its own words.
  var statedEnd: Int64?
  /// Where the first `moof` or `sidx` stands.
  var firstFragment: Int64?
  var hasSegmentIndex = false
  /// A box that claims to go on behind the source's end.
  var isCutShort = false
  /// The index does, and takes with it what plays.
  var isIndexCut = false
  private var isTrackCut = false
  /// The index claims to hold the samples as well: its size is wrong.
  private var holdsMedia = false
  /// Samples stand before the index.
  var hasEarlyMedia = false
  /// Too few bytes for another box's header follow the last box.
  var endsInHeader = false

  static let known: Set<UInt32> = [
    code("ftyp"), code("styp"), code("moov"), code("moof"), code("mdat"), code("free"), code("skip"),
    code("wide"), code("pnot"), code("sidx"), code("emsg"), code("uuid"), code("prft"), code("meta"),
    code("pdin"), code("mfra"),
  ]

  /// Nil when the source does not begin like a movie.
  init?(_ reader: SourceReader) throws(MediaError) {
    let length = reader.source.length ?? .max
    var offset: Int64 = 0
    guard let first = try MovieBox(at: 0, before: length, reader), Self.known.contains(first.type) else { return nil }
    var visited = 0
    while visited < 4_096, let box = try MovieBox(at: offset, before: length, reader) {
      visited += 1
      switch box.type {
      case code("moov"):
        guard !hasMovieBox else { break }
        hasMovieBox = true
        index = box.offset..<box.end
        try readMovie(box, reader)
        isIndexCut = box.end > length && !holdsMedia && (!hasEarlyMedia || isTrackCut)
      case code("sidx"):
        hasSegmentIndex = true
        firstFragment = firstFragment ?? box.offset
      case code("moof"):
        firstFragment = firstFragment ?? box.offset
      case code("mdat"):
        if !hasMovieBox { hasEarlyMedia = true }
      default: break
      }
      if box.end > length { isCutShort = true }
      statedEnd = box.end
      if hasMovieBox && (!isFragmented || box.type == code("moof")) && !isCutShort { break }
      if !hasMovieBox && box.type == code("moof") && !reader.source.isSeekable { break }
      offset = box.end
      endsInHeader = offset < length && length - offset < 8
    }
  }

  func track(_ id: Int32) -> MovieTrackBox? { tracks.first { $0.id == id } }

  private mutating func readMovie(_ movie: MovieBox, _ reader: SourceReader) throws(MediaError) {
    let length = reader.source.length ?? .max
    for box in try movie.children(reader, limit: 2 * DescriptionBuilder.streamLimit) {
      if box.end > length, [code("trak"), code("mvex")].contains(box.type) { isTrackCut = true }
      if box.type == code("mdat") { holdsMedia = true }
      switch box.type {
      case code("mvhd"):
        guard var cursor = try box.content(reader, limit: 4_096), let word = cursor.u32() else { continue }
        let isLong = word >> 24 == 1
        cursor.skip(isLong ? 16 : 8)
        timescale = Int64(cursor.u32() ?? 0)
        duration = (isLong ? cursor.i64() : cursor.u32().map { $0 == .max ? 0 : Int64($0) }) ?? 0
      case code("trak"):
        if tracks.count < DescriptionBuilder.streamLimit { tracks.append(try MovieTrackBox(box, reader)) }
      case code("mvex"):
        isFragmented = true
        for part in try box.children(reader, limit: 2 * DescriptionBuilder.streamLimit) {
          guard var cursor = try part.content(reader, limit: 64), let word = cursor.u32() else { continue }
          if part.type == code("mehd") {
            fragmentedDuration = word >> 24 == 1 ? cursor.i64() : cursor.u32().map(Int64.init)
          } else if part.type == code("trex"), let id = cursor.i32() {
            cursor.skip(4)
            defaultDurations[id] = Int64(cursor.u32() ?? 0)
          }
        }
      default: break
      }
    }
  }
}
