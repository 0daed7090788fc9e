import CFFmpeg
import MediaEngine

/// Tags as libavformat gives them, under the keys of the container they stand in.
enum MetadataMapping {
  static func entries(of dictionary: OpaquePointer?, container: String) -> [MetadataEntry] {
    FFmpegBackend.entries(of: dictionary).compactMap { key, value in
      guard !value.isEmpty, !hidden.contains(key) else { return nil }
      return entry(key: key, value: value, container: container)
    }
  }

  /// Facts about the file rather than about the work.
  private static let hidden: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "iTunSMPB", "language", "handler_name", "vendor_id",
    "timecode",
    "BPS", "DURATION", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES", "_STATISTICS_TAGS", "_STATISTICS_WRITING_APP",
    "_STATISTICS_WRITING_DATE_UTC",
  ]

  private static func entry(key: String, value: String, container: String) -> MetadataEntry {
    var generic = key.lowercased()
    var language: String?
    // `title-eng` is the English title.
    if let dash = generic.lastIndex(of: "-"), generic.distance(from: dash, to: generic.endIndex) == 4 {
      let code = generic[generic.index(after: dash)...]
      if code.allSatisfy({ ("a"..."z").contains($0) }) {
        language = LanguageCode.terminological(String(code))
        generic = String(generic[..<dash])
      }
    }
    let space = keySpace(of: key, container: container)
    let own = table(for: space)?[generic] ?? key
    return MetadataEntry(keySpace: space, key: own, genericKey: generic, value: value, languageCode: language)
  }

  private static func keySpace(of key: String, container: String) -> MetadataEntry.KeySpace {
    if key.hasPrefix("com.apple.quicktime.") || key.hasPrefix("com.android.") { return .quickTimeMetadata }
    let names = container.split(separator: ",")
    if names.contains("mov") { return .itunes }
    if names.contains("matroska") { return .matroska }
    if names.contains("ogg") || names.contains("flac") || names.contains("opus") { return .vorbisComment }
    if !Set(names).isDisjoint(with: ["mp3", "aiff", "aac", "tta", "dsf", "mp2"]) { return .id3 }
    if !Set(names).isDisjoint(with: ["wav", "avi", "w64"]) { return .riff }
    return .other
  }

  private static func table(for space: MetadataEntry.KeySpace) -> [String: String]? {
    switch space {
    case .itunes: itunes
    case .id3: id3
    case .riff: riff
    case .vorbisComment, .matroska: upper
    default: nil
    }
  }

  private static let itunes: [String: String] = [
    "title": "©nam", "artist": "©ART", "album": "©alb", "album_artist": "aART", "date": "©day", "genre": "©gen",
    "composer": "©wrt", "comment": "©cmt", "encoder": "©too", "track": "trkn", "disc": "disk", "copyright": "cprt",
    "description": "desc", "synopsis": "ldes", "lyrics": "©lyr", "grouping": "©grp", "show": "tvsh",
    "episode_id": "tven", "episode_sort": "tves", "season_number": "tvsn", "network": "tvnn", "compilation": "cpil",
    "gapless_playback": "pgap", "media_type": "stik", "rating": "rtng", "sort_name": "sonm", "sort_artist": "soar",
    "sort_album": "soal", "sort_album_artist": "soaa", "sort_composer": "soco", "sort_show": "sosn", "tmpo": "tmpo",
    "performers": "©prf", "keywords": "keyw", "category": "catg", "podcast": "pcst", "purchase_date": "purd",
    "hd_video": "hdvd", "location": "©xyz", "make": "©mak", "model": "©mod", "account_id": "apID",
  ]

  private static let id3: [String: String] = [
    "title": "TIT2", "artist": "TPE1", "album": "TALB", "album_artist": "TPE2", "date": "TDRC", "genre": "TCON",
    "composer": "TCOM", "comment": "COMM", "encoder": "TSSE", "encoded_by": "TENC", "track": "TRCK", "disc": "TPOS",
    "copyright": "TCOP", "lyrics": "USLT", "grouping": "TIT1", "publisher": "TPUB", "performer": "TPE3",
    "language": "TLAN", "creation_time": "TDEN", "album-sort": "TSOA", "artist-sort": "TSOP", "title-sort": "TSOT",
    "compilation": "TCMP", "bpm": "TBPM", "tbpm": "TBPM", "isrc": "TSRC", "tsrc": "TSRC",
  ]

  private static let riff: [String: String] = [
    "title": "INAM", "artist": "IART", "album": "IPRD", "date": "ICRD", "genre": "IGNR", "comment": "ICMT",
    "copyright": "ICOP", "encoder": "ISFT", "track": "IPRT", "language": "ILNG", "encoded_by": "ITCH",
  ]

  private static let upper: [String: String] = [
    "title": "TITLE", "artist": "ARTIST", "album": "ALBUM", "album_artist": "ALBUMARTIST", "date": "DATE",
    "genre": "GENRE", "composer": "COMPOSER", "comment": "COMMENT", "description": "DESCRIPTION",
    "track": "TRACKNUMBER",
    "disc": "DISCNUMBER", "copyright": "COPYRIGHT", "encoder": "ENCODER", "lyrics": "LYRICS", "publisher": "PUBLISHER",
  ]
}
