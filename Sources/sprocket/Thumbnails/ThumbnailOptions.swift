import AVFoundation
import ImageIO

/// What `sprocket thumbnail` was asked for.
struct ThumbnailOptions: Equatable {
  enum Format: String, CaseIterable {
    case png, jpeg, webp

    /// ImageIO's name of the type.
    var type: CFString {
      switch self {
      case .png: "public.png"
      case .jpeg: "public.jpeg"
      case .webp: "org.webmproject.webp"
      }
    }

    var pathExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// Nil for an extension of no picture that can be written.
    init?(pathExtension: String) {
      switch pathExtension.lowercased() {
      case "png": self = .png
      case "jpg", "jpeg", "jpe": self = .jpeg
      case "webp": self = .webp
      default: return nil
      }
    }
  }

  struct Sheet: Equatable {
    var columns: Int
    var rows: Int
    var count: Int { columns * rows }
  }

  var addresses: [String] = []
  var times: [CMTime] = []
  var interval: CMTime?
  var count: Int?
  /// A side of 0 is free; nil: 320 pixels wide on sheets, else as large as the video.
  var size: CGSize?
  var sheet: Sheet?
  var writesCues = false
  var output: String?
  /// Nil: by the output's extension.
  var format: Format?
  var isQuick = false
  var subtitles: SubtitleWish?
  var asJSON = false

  static let specs = [
    OptionSpec(
      "at", letter: "t", value: "TIME", isRepeatable: true,
      "the picture at TIME: 90, 1:30, 1:02:03.5; several times with commas, or by several --at"),
    OptionSpec("every", letter: "e", value: "SECONDS", "a picture every so many seconds, from the start on"),
    OptionSpec("count", letter: "n", value: "N", "N pictures, evenly over the whole length; with --every: at most N"),
    OptionSpec(
      "size", letter: "s", value: "WxH", "fit into W × H pixels, never enlarged: 320x180, 320x, x180; 256 is 256x256"),
    OptionSpec("sheet", value: "COLSxROWS", "put pictures side by side on sheets, such as 4x3"),
    OptionSpec(
      "vtt", "sprite sheets with a WebVTT file of their places, for web players (sheets of 10x10 unless --sheet)"),
    OptionSpec("keyframes", letter: "k", "the nearest key frames: quicker, not exact"),
    OptionSpec(
      "subtitles", value: "WHICH", isValueOptional: true,
      "draw subtitles in: those of a language (--subtitles=en), a number from 1, else the usual ones"),
    OptionSpec("sub", value: "FILE", "draw subtitles from FILE in (SubRip, WebVTT, SubStation Alpha)"),
    OptionSpec(
      "output", letter: "o", value: "PATH", "the picture's file, a pattern with %d, or a folder; default: FILE.jpg here"
    ),
    OptionSpec("format", value: "FORMAT", "png, jpeg or webp, whatever the output's name"),
    OptionSpec("json", letter: "j", "one JSON array with an object for each file"),
  ]

  /// Pictures of one file at most.
  static let countLimit = 100_000
  private static let sideLimit = 32_768

  init() {}

  init(_ parsed: ParsedArguments) throws(UsageError) {
    addresses = parsed.positionals
    guard !addresses.isEmpty else { throw UsageError("Name at least one file.") }
    if let text = parsed.value("at") { times = try Self.times(text) }
    if let text = parsed.value("every") {
      guard let time = TimeText.parse(text), time > .zero else {
        throw UsageError("--every \(text) is no time above 0. Write seconds, such as 10.")
      }
      interval = time
    }
    if let text = parsed.value("count") {
      guard let value = Int(text), (1...Self.countLimit).contains(value) else {
        throw UsageError("--count \(text) is no number from 1 to \(Self.countLimit).")
      }
      count = value
    }
    if !times.isEmpty, interval != nil || count != nil {
      throw UsageError("--at goes neither with --every nor with --count.")
    }
    if let text = parsed.value("size") { size = try Self.size(text) }
    if let text = parsed.value("sheet") { sheet = try Self.sheet(text) }
    writesCues = parsed.has("vtt")
    if writesCues, sheet == nil { sheet = Sheet(columns: 10, rows: 10) }
    if writesCues, !times.isEmpty {
      throw UsageError("--vtt covers the whole film: it goes with --every or --count, not with --at.")
    }
    output = parsed.value("output")
    if let text = parsed.value("format") {
      guard let format = Format(pathExtension: text) else {
        throw UsageError("--format \(text) is unknown. Choose png, jpeg or webp.")
      }
      self.format = format
    }
    isQuick = parsed.has("keyframes")
    subtitles = try SubtitleWish(parsed)
    asJSON = parsed.has("json")
  }

  private static func times(_ text: String) throws(UsageError) -> [CMTime] {
    var times: [CMTime] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let time = TimeText.parse(String(part)) else {
        throw UsageError("--at \(part) is no time. Write seconds or hours:minutes:seconds, such as 1:02:03.5.")
      }
      times.append(time)
    }
    return times
  }

  private static func size(_ text: String) throws(UsageError) -> CGSize {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let sides = parts.map { part in part.isEmpty ? 0 : Int(part).flatMap { (1...sideLimit).contains($0) ? $0 : nil } }
    let known = sides.compactMap { $0 }
    guard known.count == sides.count, let first = known.first, known.contains(where: { $0 > 0 }), known.count <= 2
    else {
      throw UsageError("--size \(text) is no size up to \(sideLimit). Write 320x180, 320x, x180 or 256.")
    }
    return CGSize(width: first, height: known.count == 2 ? known[1] : first)
  }

  private static func sheet(_ text: String) throws(UsageError) -> Sheet {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard parts.count == 2, let columns = parts.first, let rows = parts.last, (1...100).contains(columns),
      (1...100).contains(rows)
    else { throw UsageError("--sheet \(text) is no grid of up to 100x100. Write columns and rows, such as 4x3.") }
    return Sheet(columns: columns, rows: rows)
  }
}
