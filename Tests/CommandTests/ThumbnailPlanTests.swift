import AVFoundation
import Testing

@testable import sprocket

/// What a command line asks for, which pictures that are, and what their files are called.
@Suite struct ThumbnailPlanTests {
  private func options(_ arguments: [String]) throws -> ThumbnailOptions {
    try ThumbnailOptions(ArgumentParser(options: ThumbnailOptions.specs).parse(arguments))
  }

  private func milliseconds(_ count: Int) -> CMTime { CMTime(value: CMTimeValue(count), timescale: 1_000) }

  @Test(arguments: [
    [], ["--at", "x", "a"], ["--at", "1,", "a"], ["--every", "0", "a"], ["--count", "0", "a"], ["--size", "0x0", "a"],
    ["--size", "x", "a"], ["--size", "1x2x3", "a"], ["--sheet", "4", "a"], ["--sheet", "0x4", "a"],
    ["--at", "1", "--every", "2", "a"], ["--vtt", "--at", "1", "a"], ["--format", "gif", "a"],
  ])
  func wrongOptions_areRefused(arguments: [String]) {
    #expect(throws: UsageError.self) { try options(arguments) }
  }

  @Test func timesAreGatheredFromAllOptions() throws {
    let times = try options(["--at", "1,2.5", "-t", "1:00", "a"]).times
    #expect(times.map(\.seconds) == [1, 2.5, 60])
  }

  @Test(arguments: [
    ("256", CGSize(width: 256, height: 256)), ("320x180", CGSize(width: 320, height: 180)),
    ("320x", CGSize(width: 320, height: 0)), ("X90", CGSize(width: 0, height: 90)),
  ])
  func sizes(text: String, size: CGSize) throws {
    #expect(try options(["--size", text, "a"]).size == size)
  }

  @Test func aCountGivesTheMiddlesOfEqualParts() throws {
    let plan = try #require(ThumbnailPlan(try options(["--count", "4", "a"]), duration: milliseconds(8_000)))
    #expect(plan.shots.map(\.time.seconds) == [1, 3, 5, 7])
    #expect(plan.shots.map(\.start.seconds) == [0, 2, 4, 6])
    #expect(plan.shots.map(\.end.seconds) == [2, 4, 6, 8])
  }

  @Test func anIntervalBeginsAtTheStartAndEndsWithTheFilm() throws {
    let plan = try #require(ThumbnailPlan(try options(["--every", "3", "a"]), duration: milliseconds(8_000)))
    #expect(plan.shots.map(\.time.seconds) == [0, 3, 6])
    #expect(plan.shots.last?.end.seconds == 8)
    let fewer = try #require(
      ThumbnailPlan(try options(["--every", "3", "--count", "2", "a"]), duration: milliseconds(8_000)))
    #expect(fewer.shots.count == 2)
    let unknown = try #require(ThumbnailPlan(try options(["--every", "3", "a"]), duration: .indefinite))
    #expect(unknown.shots.count == 1)
  }

  @Test func sheetsAndCuesHaveTheirOwnCounts() throws {
    let hour = milliseconds(3_600_000)
    #expect(ThumbnailPlan(try options(["a"]), duration: hour) == nil)
    #expect(ThumbnailPlan(try options(["--sheet", "4x3", "a"]), duration: hour)?.shots.count == 12)
    #expect(ThumbnailPlan(try options(["--vtt", "a"]), duration: hour)?.shots.count == 100)
    #expect(ThumbnailPlan(try options(["--vtt", "a"]), duration: milliseconds(9_500))?.shots.count == 10)
  }

  private func names(_ arguments: [String], source: String = "/films/my film.mp4", folders: Set<String> = []) throws
    -> ThumbnailNames
  {
    try ThumbnailNames(options(arguments), source: source) { folders.contains($0) }
  }

  @Test(arguments: [
    (["a"], 0, 1, "my film.jpg"), (["a"], 1, 12, "my film-002.jpg"), (["--format", "png", "a"], 0, 1, "my film.png"),
    (["-o", "x.png", "a"], 0, 1, "x.png"), (["-o", "x.png", "a"], 0, 2, "x-001.png"),
    (["-o", "x-%02d.webp", "a"], 6, 9, "x-07.webp"), (["-o", "x%d.png", "a"], 0, 1, "x1.png"),
    (["-o", "out/", "a", "b"], 0, 1, "out/my film.jpg"), (["-o", "out", "a", "b"], 0, 1, "out/my film.jpg"),
    (["-o", "/tmp/.thumb.AbC123", "--format", "png", "a"], 0, 1, "/tmp/.thumb.AbC123"),
    (["-o", "100%.png", "a"], 0, 1, "100%.png"), (["--vtt", "-o", "x.vtt", "a"], 0, 1, "x.jpg"),
  ])
  func pathsOfPictures(arguments: [String], index: Int, count: Int, path: String) throws {
    #expect(try names(arguments, folders: ["out"]).path(index, of: count) == path)
  }

  @Test func aFilmWhoseNameHasAPercentSignKeepsIt() throws {
    #expect(try names(["a"], source: "/films/50%d off.mp4").path(0, of: 1) == "50%d off.jpg")
  }

  @Test(arguments: [
    (["-o", "x.vtt"], "x.vtt"), (["-o", "x.jpg"], "x.vtt"), (["-o", "x-%03d.jpg"], "x.vtt"), ([], "my film.vtt"),
  ])
  func pathsOfCues(arguments: [String], path: String) throws {
    #expect(try names(["--vtt"] + arguments + ["a"]).cuePath == path)
  }

  @Test(arguments: [["-o", "x.gif", "a"], ["-o", "x", "a"], ["-o", "x.png", "a", "b"]])
  func outputsThatSayTooLittle_areRefused(arguments: [String]) {
    #expect(throws: UsageError.self) { try names(arguments) }
  }

  @Test func stampsOfCuesHaveHoursAndMilliseconds() {
    #expect(SpriteCues.stamp(.zero) == "00:00:00.000")
    #expect(SpriteCues.stamp(CMTime(value: 3_723_004_600, timescale: 1_000_000)) == "01:02:03.005")
  }

  @Test func cuesNameTheFileSoThatItIsAnAddress() {
    var cues = SpriteCues()
    let shot = ThumbnailPlan.Shot(time: .zero, start: .zero, end: CMTime(value: 5, timescale: 1))
    cues.add(shot, file: "my film.jpg", x: 160, y: 90, width: 160, height: 90)
    #expect(
      String(decoding: cues.data, as: UTF8.self)
        == "WEBVTT\n\n00:00:00.000 --> 00:00:05.000\nmy%20film.jpg#xywh=160,90,160,90\n")
  }
}
