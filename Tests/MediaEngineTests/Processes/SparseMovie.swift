import Foundation

/// Writes a QuickTime movie of raw pictures and PCM sound whose bytes lie far apart; the pictures are holes in the file.
struct SparseMovie {
  var width = 640
  var height = 360
  var frames = 750
  var framesPerSecond = 25
  var sampleRate = 48_000
  /// A hole between the last picture and the sound.
  var gap = 0

  var pictureBytes: Int { width * height * 3 * frames }
  private var sampleCount: Int { sampleRate * frames / framesPerSecond }
  /// Samples of sound and pictures lie in chunks of this many.
  private static let framesPerChunk = 25

  func write(to url: URL) throws {
    let header = box("ftyp", ascii("qt  ") + number(0) + ascii("qt  "))
    let media = header.count + 16
    let sound = media + pictureBytes + gap
    let end = sound + sampleCount * 2
    var start = header
    start += number(1) + ascii("mdat") + long(end - header.count)
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.write(contentsOf: Data(start))
    try file.truncate(atOffset: UInt64(sound))
    try file.seek(toOffset: UInt64(sound))
    try file.write(contentsOf: tone())
    try file.write(contentsOf: Data(movie(pictures: media, sound: sound)))
  }

  private func tone() -> Data {
    var data = Data(capacity: sampleCount * 2)
    for sample in 0..<sampleCount {
      let value = Int16(8_000 * sin(2 * Double.pi * 440 * Double(sample) / Double(sampleRate)))
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  // MARK: Boxes

  private func movie(pictures: Int, sound: Int) -> [UInt8] {
    let seconds = frames / framesPerSecond
    let head = box(
      "mvhd",
      number(0) + number(0) + number(0) + number(1_000) + number(seconds * 1_000) + number(0x1_0000)
        + short(0x100) + zeros(10) + matrix + zeros(24) + number(3))
    return box("moov", head + pictureTrack(pictures) + soundTrack(sound))
  }

  private func pictureTrack(_ offset: Int) -> [UInt8] {
    let entry = box(
      "raw ",
      zeros(6) + short(1) + zeros(16) + short(width) + short(height) + number(0x48_0000) + number(0x48_0000)
        + number(0) + short(1) + zeros(32) + short(24) + short(0xffff))
    let size = width * height * 3
    return track(
      1, kind: "vide", header: box("vmhd", number(1) + zeros(8)), entry: entry, scale: framesPerSecond,
      count: frames, sampleSize: size, perChunk: Self.framesPerChunk, offset: offset)
  }

  private func soundTrack(_ offset: Int) -> [UInt8] {
    let entry = box(
      "sowt", zeros(6) + short(1) + zeros(8) + short(1) + short(16) + zeros(4) + number(sampleRate << 16))
    return track(
      2, kind: "soun", header: box("smhd", zeros(8)), entry: entry, scale: sampleRate, count: sampleCount,
      sampleSize: 2, perChunk: sampleRate / 25, offset: offset)
  }

  private func track(
    _ id: Int, kind: String, header: [UInt8], entry: [UInt8], scale: Int, count: Int, sampleSize: Int, perChunk: Int,
    offset: Int
  ) -> [UInt8] {
    let seconds = count / scale
    let isPicture = kind == "vide"
    let chunks = (count + perChunk - 1) / perChunk
    let head = box(
      "tkhd",
      number(0xf) + number(0) + number(0) + number(id) + number(0) + number(seconds * 1_000) + zeros(8)
        + zeros(4) + short(isPicture ? 0 : 0x100) + zeros(2) + matrix + number(isPicture ? width << 16 : 0)
        + number(isPicture ? height << 16 : 0))
    let mediaHead = box("mdhd", number(0) + number(0) + number(0) + number(scale) + number(count) + zeros(4))
    let handler = box("hdlr", number(0) + ascii("mhlr") + ascii(kind) + zeros(12) + [0])
    let data = box("dinf", box("dref", number(0) + number(1) + box("url ", number(1))))
    let last = count - (chunks - 1) * perChunk
    var chunkMap = number(1) + number(perChunk) + number(1)
    if last != perChunk { chunkMap += number(chunks) + number(last) + number(1) }
    let offsets = (0..<chunks).flatMap { long(offset + $0 * perChunk * sampleSize) }
    let table = box(
      "stbl",
      box("stsd", number(0) + number(1) + entry) + box("stts", number(0) + number(1) + number(count) + number(1))
        + box("stsc", number(0) + number(chunkMap.count / 12) + chunkMap)
        + box("stsz", number(0) + number(sampleSize) + number(count))
        + box("co64", number(0) + number(chunks) + offsets))
    return box("trak", head + box("mdia", mediaHead + handler + box("minf", header + data + table)))
  }

  private var matrix: [UInt8] {
    [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].flatMap { number($0) }
  }

  private func box(_ type: String, _ body: [UInt8]) -> [UInt8] { number(body.count + 8) + ascii(type) + body }
  private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
  private func short(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian, Array.init)
  }
  private func number(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, Array.init)
  }
  private func long(_ value: Int) -> [UInt8] { withUnsafeBytes(of: Int64(value).bigEndian, Array.init) }
}
