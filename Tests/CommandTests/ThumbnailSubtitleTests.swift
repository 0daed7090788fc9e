import AVFoundation
import Foundation
import ImageIO
import MediaTestSupport
import Testing

/// `sprocket thumbnail --subtitles` and `--sub` as a shell runs them: what differs from the pictures without.
@Suite struct ThumbnailSubtitleTests {
  private func run(_ arguments: [String]) throws -> ProcessRunner.Result {
    let runner = try ProcessRunner("sprocket")
    return try #require(try runner.run(1, arguments: ["thumbnail"] + arguments).first)
  }

  /// A folder of its own, which is gone afterwards.
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thumbnails-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  /// The made picture's bytes, four a pixel.
  private func picture(_ arguments: [String], in folder: URL) throws -> (bytes: Data, width: Int, height: Int) {
    let output = folder.appendingPathComponent("\(UUID().uuidString).png")
    let result = try run(arguments + ["-o", output.path])
    #expect(result.exitCode == 0, "\(result.errors)")
    let source = try #require(CGImageSourceCreateWithURL(output, nil))
    let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect(image.bitsPerPixel == 32 && image.bytesPerRow == image.width * 4)
    return (try #require(image.dataProvider?.data), image.width, image.height)
  }

  /// Where two pictures differ, in shares of the width and height; nil when they are equal.
  private func difference(_ arguments: [String], _ subtitles: [String], in folder: URL) throws -> CGRect? {
    let plain = try picture(arguments, in: folder)
    let drawn = try picture(subtitles + arguments, in: folder)
    #expect(plain.width == drawn.width && plain.height == drawn.height)
    let (one, other) = ([UInt8](plain.bytes), [UInt8](drawn.bytes))
    var (left, right, top, bottom) = (plain.width, -1, plain.height, -1)
    for y in 0..<plain.height {
      for x in 0..<plain.width {
        let place = (y * plain.width + x) * 4
        guard one[place..<place + 3] != other[place..<place + 3] else { continue }
        (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), y)
      }
    }
    guard right >= 0 else { return nil }
    let (width, height) = (CGFloat(plain.width), CGFloat(plain.height))
    return CGRect(
      x: CGFloat(left) / width, y: CGFloat(top) / height, width: CGFloat(right + 1 - left) / width,
      height: CGFloat(bottom + 1 - top) / height)
  }

  private func film(_ name: String) throws -> String { try Fixture.url(name).path }

  @Test(arguments: ["subtitles.mp4", "subtitles.mkv", "captions.mov", "pictures.mkv"])
  func whatIsShownAtTheTimeIsDrawn(name: String) throws {
    try inFolder { folder in
      let film = try film(name)
      #expect(try difference(["--at", "1.5", film], ["--subtitles=1"], in: folder) != nil)
      // It began long before.
      #expect(try difference(["--at", "4.8", film], ["--subtitles=1"], in: folder) != nil)
      #expect(try difference(["--at", "0.5", film], ["--subtitles=1"], in: folder) == nil)
      // The last picture has no end, and one before it has.
      let after = name == "pictures.mkv" ? "3.5" : "8"
      #expect(try difference(["--at", after, film], ["--subtitles=1"], in: folder) == nil)
    }
  }

  @Test func textLiesAtItsPlace() throws {
    try inFolder { folder in
      let lower = try #require(try difference(["--at", "1.5", film("subtitles.mp4")], ["--subtitles"], in: folder))
      #expect(lower.minY > 0.8 && abs(lower.midX - 0.5) < 0.02)
      let upper = try #require(
        try difference(["--at", "1.5", film("subtitles.mkv")], ["--subtitles=fr"], in: folder))
      #expect(upper.maxY < 0.2 && upper.maxX < 0.3)
    }
  }

  @Test func severalAtOnceAndSheets() throws {
    try inFolder { folder in
      let film = try film("subtitles.mp4")
      let sheet = try #require(
        try difference(["--at", "0.5,1.5,2.5", "--sheet", "3x1", film], ["--subtitles"], in: folder))
      // The middle one alone.
      #expect(sheet.minX > 1 / 3.0 && sheet.maxX < 2 / 3.0)
      let quick = try #require(
        try difference(["--every", "1", "--count", "4", "-k", "--sheet", "4x1", film], ["--subtitles"], in: folder))
      #expect(quick.maxY > 0.8)
    }
  }

  @Test func filesBesideTheFilmAndOthers() throws {
    try inFolder { folder in
      let own = folder.appendingPathComponent("Film.mp4")
      try FileManager.default.copyItem(at: Fixture.url("plain.mp4"), to: own)
      let text = "1\n00:00:01,000 --> 00:00:02,000\nGuten Morgen\n"
      let side = folder.appendingPathComponent("Film.de.srt")
      try Data(text.utf8).write(to: side)
      #expect(try difference(["--at", "1.5", own.path], ["--subtitles=deu"], in: folder) != nil)
      #expect(try difference(["--at", "2.5", own.path], ["--subtitles=deu"], in: folder) == nil)
      let plain = try film("plain.mp4")
      #expect(try difference(["--at", "1.5", plain], ["--sub", side.path], in: folder) != nil)
    }
  }

  @Test func noneAreWanted() throws {
    try inFolder { folder in
      let film = try film("subtitles.mp4")
      #expect(try difference(["--at", "1.5", film], ["--subtitles=off"], in: folder) == nil)
    }
  }

  @Test func onePictureThatIsChosen() throws {
    try inFolder { folder in
      let film = try film("plain.mp4")
      let text = folder.appendingPathComponent("always.vtt")
      try Data("WEBVTT\n\n00:00.000 --> 01:00:00.000 line:50%\nAlways\n".utf8).write(to: text)
      let place = try #require(try difference([film], ["--sub", text.path], in: folder))
      #expect(place.minY > 0.45 && place.maxY < 0.65)
    }
  }

  @Test func whatIsNotThereIsTold() throws {
    try inFolder { folder in
      let output = ["-o", folder.appendingPathComponent("a.png").path]
      let (plain, several) = (try film("plain.mp4"), try film("subtitles.mkv"))
      let none = try run(["--subtitles"] + output + [plain])
      #expect(none.exitCode == 1 && none.errors.contains("--sub"))
      let language = try run(["--subtitles=ja"] + output + [several])
      #expect(language.exitCode == 1 && language.errors.contains("“ja”") && language.errors.contains("2 "))
      #expect(try run(["--subtitles=9"] + output + [several]).exitCode == 1)
      #expect(try run(["--sub", "/nonexistent.srt"] + output + [plain]).exitCode == 1)
      #expect(try run(["--sub", plain] + output + [plain]).exitCode == 1)
      #expect(try run(["--subtitles=0"] + output + [plain]).exitCode == 2)
      #expect(try run(["--sub", plain, "--subtitles"] + output + [plain]).exitCode == 2)
      #expect(try run(["--sub", plain, plain, several]).exitCode == 2)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
