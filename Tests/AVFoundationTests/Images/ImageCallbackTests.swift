import AVFoundation
import MediaRuntime
import MediaTestSupport
import Testing

/// The forms with handlers, waiting, and cancelling.
@Suite struct ImageCallbackTests {
  private func generator(_ name: String = "plain.mp4") throws -> AVAssetImageGenerator {
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try Fixture.url(name)))
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    return generator
  }

  private func second(_ count: Int) -> CMTime { CMTime(value: CMTimeValue(count), timescale: 1) }

  private func all(_ times: [CMTime], _ generator: AVAssetImageGenerator, after: (() -> Void)? = nil) async
    -> [(CMTime, Int?, AVAssetImageGenerator.Result)]
  {
    let found = Lock<[(CMTime, Int?, AVAssetImageGenerator.Result)]>([])
    await withCheckedContinuation { continuation in
      generator.generateCGImagesAsynchronously(forTimes: times.map { NSValue(time: $0) }) { time, image, _, result, _ in
        let isLast = found.withLock { found in
          found.append((time, image?.frameNumber, result))
          return found.count == times.count
        }
        if isLast { continuation.resume() }
      }
      after?()
    }
    return found.withLock { $0 }
  }

  @Test func manyTimesGetOneCallEachInTheOrderOfTime() async throws {
    let times = [5, 1, 9, 3, 30].map(second)
    let found = await all(times, try generator())
    #expect(found.map(\.0) == [1, 3, 5, 9, 30].map(second))
    #expect(found.map(\.1) == [30, 90, 150, 270, nil])
    #expect(found.map(\.2) == [.succeeded, .succeeded, .succeeded, .succeeded, .failed])
  }

  @Test func cancellingAnswersAllThatIsLeft() async throws {
    let generator = try generator()
    let times = (0..<200).map { CMTime(value: CMTimeValue($0), timescale: 30) }
    let found = await all(times, generator) { generator.cancelAllCGImageGeneration() }
    #expect(found.count == times.count)
    #expect(found.last?.2 == .cancelled)
    #expect(!found.contains { $0.2 == .failed })
    // It goes on working.
    let made = try await generator.image(at: second(2))
    #expect(made.image.frameNumber == 60)
  }

  @Test func oneIsGivenToItsHandler() async throws {
    let generator = try generator()
    let number = await withCheckedContinuation { continuation in
      generator.generateCGImageAsynchronously(for: second(4)) { image, time, error in
        continuation.resume(
          returning: error == nil && time == CMTime(value: 4, timescale: 1) ? image?.frameNumber : nil)
      }
    }
    #expect(number == 120)
  }

  @Test func copyingWaits() throws {
    let generator = try generator()
    var time = CMTime.invalid
    let image = try generator.copyCGImage(at: CMTime(value: 151, timescale: 100), actualTime: &time)
    #expect(image.frameNumber == 45)
    #expect(time == CMTime(value: 3, timescale: 2))
    #expect(throws: AVError.self) { try generator.copyCGImage(at: second(99), actualTime: nil) }
  }

  @Test("A consumer may ask for another picture before it takes the next")
  func askingInBetween() async throws {
    let generator = try generator()
    var numbers: [Int?] = []
    for await element in generator.images(for: (0..<9).map(second)) {
      numbers.append(try element.image.frameNumber)
      numbers.append(try await generator.image(at: second(9)).image.frameNumber)
      numbers.append(try generator.copyCGImage(at: second(1), actualTime: nil).frameNumber)
    }
    #expect(numbers == (0..<9).flatMap { [$0 * 30, 270, 30] })
  }

  @Test func aTaskThatIsCancelledGetsTheErrorForThat() async throws {
    let generator = Unchecked(try generator())
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      do {
        _ = try await generator.value.image(at: CMTime(value: 1, timescale: 1))
        return 0
      } catch {
        return (error as NSError).code
      }
    }
    #expect(await task.value == AVError.Code.operationCancelled.rawValue)
  }

  @Test func aGeneratorThatIsLetGoStillAnswers() async throws {
    let url = try Fixture.url("plain.mp4")
    let count = await withCheckedContinuation { continuation in
      let counter = Lock(0)
      let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
      generator.generateCGImagesAsynchronously(forTimes: (0..<9).map { NSValue(time: CMTime(value: $0, timescale: 1)) })
      {
        _, image, _, _, _ in
        let count = counter.withLock { count in
          count += image == nil ? 100 : 1
          return count
        }
        if count == 9 { continuation.resume(returning: count) }
      }
    }
    #expect(count == 9)
  }

  @Test("High dynamic range is mapped, or kept with sixteen bits and its colour space")
  func dynamicRange() async throws {
    let generator = try generator("hevc10.mp4")
    let mapped = try await generator.image(at: .zero).image
    #expect(mapped.bitsPerComponent == 8 && mapped.colorSpace?.name == CGColorSpace.sRGB)
    generator.dynamicRangePolicy = .matchSource
    let kept = try await generator.image(at: .zero).image
    #expect(kept.bitsPerComponent == 16 && kept.bitsPerPixel == 64)
    #expect(kept.colorSpace?.name == CGColorSpace.itur_2100_PQ)
  }
}

private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
