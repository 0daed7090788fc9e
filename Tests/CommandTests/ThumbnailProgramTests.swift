import AVFoundation
import Foundation
import ImageIO
import MediaTestSupport
import Testing

/// `sprocket thumbnail` as a shell runs it.
@Suite struct ThumbnailProgramTests {
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

  private func image(_ url: URL) throws -> CGImage {
    let source = try #require(CGImageSourceCreateWithURL(url, nil))
    return try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
  }

  /// The number burnt into a part of a picture.
  private func number(_ image: CGImage, x: Int = 0, y: Int = 0, width: Int? = nil, height: Int? = nil) throws -> Int? {
    let data = try #require(image.dataProvider?.data)
    return FrameCode.read(width: width ?? image.width, height: height ?? image.height) { column, row in
      Int(data[(y + row) * image.bytesPerRow + (x + column) * 4 + 1])
    }
  }

  @Test(arguments: ["png", "jpg", "webp"])
  func onePictureOfATime(format: String) throws {
    try inFolder { folder in
      let output = folder.appendingPathComponent("a.\(format)")
      let film = try Fixture.url("plain.mp4").path
      let result = try run(["--at", "2", "--size", "200x200", "-o", output.path, film])
      #expect(result.exitCode == 0 && result.output == output.path + "\n")
      let made = try image(output)
      #expect(made.width == 200 && made.height == 113)
      #expect(try number(made) == 60)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }
  }

  @Test("A sheet has its pictures in the order of time, and the cues name their places")
  func sheetsAndCues() throws {
    try inFolder { folder in
      let output = folder.appendingPathComponent("sprites.vtt")
      let film = try Fixture.url("plain.mp4").path
      let result = try run(["--vtt", "--sheet", "3x2", "--every", "1", "--json", "-o", output.path, film])
      #expect(result.exitCode == 0)
      struct File: Decodable {
        struct Image: Decodable { var time, actualTime: Double; var path: String; var x, y, width, height: Int }
        var vtt: String
        var images: [Image]
      }
      let file = try #require(try JSONDecoder().decode([File].self, from: Data(result.output.utf8)).first)
      #expect(file.images.count == 10 && file.vtt == output.path)
      #expect(Set(file.images.map(\.path)).count == 2)
      let text = try String(contentsOf: output, encoding: .utf8)
      for (second, image) in file.images.enumerated() {
        let sheet = try self.image(URL(fileURLWithPath: image.path))
        #expect(try number(sheet, x: image.x, y: image.y, width: image.width, height: image.height) == 30 * second)
        let name = URL(fileURLWithPath: image.path).lastPathComponent
        #expect(text.contains("\n\(name)#xywh=\(image.x),\(image.y),\(image.width),\(image.height)\n"))
      }
      #expect(text.hasPrefix("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n"))
      #expect(text.components(separatedBy: "-->").count == 11)
    }
  }

  @Test func timesBeyondTheEnd_areToldAndTheOthersMade() throws {
    try inFolder { folder in
      let pattern = folder.appendingPathComponent("x%d.png").path
      let result = try run(["--at", "99,1", "-o", pattern, try Fixture.url("plain.mp4").path])
      #expect(result.exitCode == 1 && result.errors.contains("1:39"))
      #expect(try number(image(folder.appendingPathComponent("x1.png"))) == 30)
    }
  }

  @Test func theFilmItselfIsNeverOverwritten() throws {
    try inFolder { folder in
      let film = folder.appendingPathComponent("film.png")
      try FileManager.default.copyItem(at: try Fixture.url("plain.mp4"), to: film)
      let link = folder.appendingPathComponent("link.png")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: film)
      let size = try Data(contentsOf: film).count
      for output in [film.path, link.path, "/dev/null"] {
        let result = try run(["--format", "png", "-o", output, film.path])
        #expect(result.exitCode == 5 && !result.errors.isEmpty)
      }
      #expect(try Data(contentsOf: film).count == size)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
  }

  @Test(arguments: [("tone.mp3", Int32(4)), ("missing.mp4", 3), ("protected.mp4", 4)])
  func filesWithoutPictures(name: String, code: Int32) throws {
    let film = try Fixture.url("plain.mp4").deletingLastPathComponent().appendingPathComponent(name).path
    let result = try run(["-o", "/nonexistent/a.png", film])
    #expect(result.exitCode == code && result.errors.contains(name))
    let unwritten = try run(["-o", "/nonexistent/a.png", try Fixture.url("plain.mp4").path])
    #expect(unwritten.exitCode == 5)
  }

  @Test("Music gives its cover, a black opening is passed over")
  func defaultChoices() throws {
    try inFolder { folder in
      let cover = folder.appendingPathComponent("cover.png")
      #expect(try run(["-o", cover.path, try Fixture.url("tagged.m4a").path]).exitCode == 0)
      #expect(try image(cover).width > 0)
      let lit = folder.appendingPathComponent("lit.png")
      #expect(try run(["-o", lit.path, try Fixture.url("black-opening.mp4").path]).exitCode == 0)
      let (mean, _) = try brightness(image(lit))
      #expect(mean > 60)
    }
  }

  private func brightness(_ image: CGImage) throws -> (Double, Int) {
    let data = try #require(image.dataProvider?.data)
    let greens = stride(from: 1, to: data.count, by: 4).map { Double(data[$0]) }
    return (greens.reduce(0, +) / Double(greens.count), greens.count)
  }
}
