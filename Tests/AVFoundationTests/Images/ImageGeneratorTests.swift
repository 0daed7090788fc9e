import AVFoundation
import MediaRuntime
import MediaTestSupport
import Testing

/// Still pictures of real files, judged by the numbers burnt into them.
@Suite struct ImageGeneratorTests {
  private func generator(_ name: String, exact: Bool = true) throws -> AVAssetImageGenerator {
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try Fixture.url(name)))
    if exact {
      generator.requestedTimeToleranceBefore = .zero
      generator.requestedTimeToleranceAfter = .zero
    }
    return generator
  }

  private func milliseconds(_ count: Int) -> CMTime { CMTime(value: CMTimeValue(count), timescale: 1_000) }

  @Test(
    "Each of many exact times gives the frame that is shown then, in one pass",
    arguments: [
      "plain.mp4", "open-gop.mp4", "b-pyramid.mp4", "vfr.mp4", "edit-list.mp4", "no-index.ts", "no-cues.mkv",
      "fragmented.mp4", "hevc-rasl.mp4", "vp9-hidden.webm", "xvid.avi", "mpeg2.mpg", "av1.mp4", "long-gop.mp4",
      "cues.mkv", "keyless.mkv",
    ])
  func exactTimesInOnePass(name: String) async throws {
    let list = try FrameList(try Fixture.url(name))
    let generator = try generator(name)
    let last = try #require(list.frames.last).time
    var times = stride(from: 0, to: Int(last.seconds * 1_000), by: 330).map(milliseconds)
    // Neighbours, the same twice, and some out of order.
    times += [times[1], times[1] + milliseconds(34), last, times[0]]
    times.append(try #require(list.frames.dropFirst(5).first).time)
    var count = 0
    for await element in generator.images(for: times) {
      count += 1
      let expected = try #require(list.shown(at: element.requestedTime))
      let actual = try? element.actualTime
      let number = try? element.image.frameNumber
      #expect(actual == expected.time, "\(name) at \(element.requestedTime.seconds)")
      #expect(number == expected.number, "\(name) at \(element.requestedTime.seconds)")
    }
    #expect(count == times.count)
  }

  @Test("Without limits of tolerance the nearest key frame is given")
  func infiniteTolerance() async throws {
    let generator = try generator("plain.mp4", exact: false)
    let exact = try FrameList(try Fixture.url("plain.mp4"))
    var seen: Set<Double> = []
    for time in stride(from: 0, through: 9_900, by: 700) {
      let made = try await generator.image(at: milliseconds(time))
      seen.insert(made.actualTime.seconds)
      #expect(made.image.frameNumber == exact.shown(at: made.actualTime)?.number)
    }
    let keys = seen.sorted()
    try #require(keys.count > 2)
    for time in stride(from: 0, through: 9_900, by: 700) {
      let made = try await generator.image(at: milliseconds(time))
      let nearest = keys.map { abs($0 - Double(time) / 1_000) }.min()
      #expect(abs(made.actualTime.seconds - Double(time) / 1_000) == nearest)
    }
  }

  @Test("A tolerance that no key frame meets gives the exact frame")
  func narrowTolerance() async throws {
    let generator = try generator("long-gop.mp4", exact: false)
    generator.requestedTimeToleranceBefore = milliseconds(40)
    generator.requestedTimeToleranceAfter = milliseconds(40)
    let list = try FrameList(try Fixture.url("long-gop.mp4"))
    let made = try await generator.image(at: milliseconds(3_210))
    #expect(made.actualTime == list.shown(at: milliseconds(3_210))?.time)
    let first = try await generator.image(at: milliseconds(30))
    #expect(first.actualTime == .zero)
  }

  @Test("Beyond the end an exact time fails, a tolerant one gives the last frame")
  func beyondTheEnd() async throws {
    let exact = try generator("plain.mp4")
    for time in [CMTime(value: 10, timescale: 1), CMTime(value: 1_000, timescale: 1), .positiveInfinity] {
      await #expect(throws: AVError.self) { try await exact.image(at: time) }
    }
    let error = try? await exact.image(at: CMTime(value: 10, timescale: 1))
    #expect(error == nil)
    let tolerant = try generator("plain.mp4", exact: false)
    let last = try #require(try FrameList(try Fixture.url("plain.mp4")).frames.last)
    let made = try await tolerant.image(at: CMTime(value: 12, timescale: 1))
    #expect(made.actualTime == last.time && made.image.frameNumber == last.number)
  }

  @Test(
    "What has no picture says why",
    arguments: [
      ("tone.mp3", AVFoundationErrorDomain, AVError.Code.noImageAtTime.rawValue),
      ("tagged.m4a", AVFoundationErrorDomain, AVError.Code.noImageAtTime.rawValue),
      ("protected.mp4", AVFoundationErrorDomain, AVError.Code.contentIsProtected.rawValue),
      ("missing.mp4", NSURLErrorDomain, URLError.Code.fileDoesNotExist.rawValue),
    ])
  func errors(name: String, domain: String, code: Int) async throws {
    let folder = try Fixture.url("plain.mp4").deletingLastPathComponent()
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: folder.appendingPathComponent(name)))
    var failure: NSError?
    do { _ = try await generator.image(at: .zero) } catch { failure = error as NSError }
    #expect(failure?.domain == domain)
    #expect(failure?.code == code)
  }

  @Test func timesThatAreNoneFailAndTheOthersDoNot() async throws {
    let generator = try generator("plain.mp4")
    var results: [Bool] = []
    for await element in generator.images(for: [.invalid, .indefinite, .zero, CMTime(value: -1, timescale: 1)]) {
      results.append((try? element.image) != nil)
    }
    #expect(results.count == 4 && results.filter { $0 }.count == 1)
  }

  @Test("Pictures stand as the track says, only when that is asked for")
  func turning() async throws {
    let generator = try generator("rotated.mp4")
    let stored = try await generator.image(at: .zero).image
    #expect(stored.width > stored.height)
    #expect(stored.frameNumber == 0)
    generator.appliesPreferredTrackTransform = true
    let upright = try await generator.image(at: .zero).image
    #expect(upright.width == stored.height && upright.height == stored.width)
    // What was above is at the right (rotated by 90° clockwise) or at the left.
    let transform = try #require(
      try await AVURLAsset(url: try Fixture.url("rotated.mp4")).loadTracks(withMediaType: .video).first
    ).preferredTransform
    let data = try #require(upright.dataProvider?.data)
    let before = try #require(stored.dataProvider?.data)
    for (x, y) in [(3, 5), (200, 30), (317, 170)] {
      let point = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5).applying(transform)
      let from = y * stored.bytesPerRow + x * 4
      let to = Int(point.y) * upright.bytesPerRow + Int(point.x) * 4
      #expect(data[to..<to + 4].elementsEqual(before[from..<from + 4]))
    }
  }

  @Test(
    "Pictures are fitted into the size, never enlarged",
    arguments: [
      (CGSize(width: 160, height: 160), 160, 90), (CGSize(width: 0, height: 45), 80, 45),
      (CGSize(width: 64, height: 0), 64, 36), (CGSize(width: 4_000, height: 4_000), 320, 180), (.zero, 320, 180),
    ])
  func sizes(size: CGSize, width: Int, height: Int) async throws {
    let generator = try generator("plain.mp4")
    generator.maximumSize = size
    let image = try await generator.image(at: .zero).image
    #expect(image.width == width && image.height == height)
  }

  @Test func pixelAspectIsAppliedUnlessEncodedPixelsAreAskedFor() async throws {
    let generator = try generator("anamorphic.mp4")
    let shown = try await generator.image(at: .zero).image
    #expect(shown.width == 320 && shown.height == 180)
    generator.apertureMode = .encodedPixels
    let stored = try await generator.image(at: .zero).image
    #expect(stored.width == 240 && stored.height == 180)
  }

  @Test func settingsAreTakenWhenPicturesAreAskedFor() async throws {
    let generator = try generator("plain.mp4")
    let images = generator.images(for: (0..<6).map { milliseconds($0 * 500) })
    generator.maximumSize = CGSize(width: 16, height: 16)
    for await element in images { #expect(try element.image.width == 320) }
  }
}
