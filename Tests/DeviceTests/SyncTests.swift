import AVFoundation
import Foundation
import Testing

extension DeviceTests {
  @Suite("Sound and picture") struct SyncTests {
    @Test("Pictures come with their sound, as recorded from a real sound server")
    func twentySeconds() async throws {
      let report = try await SyncMeasure().run(seconds: 20)
      print(report)
      // A machine that stops in between spoils some, a wrong clock all.
      #expect(report.errors.count > 60)
      let sorted = report.errors.map { abs($0) }.sorted()
      #expect((sorted.isEmpty ? 100 : sorted[sorted.count / 2]) <= 5)
      #expect(SyncMeasure.Report.share(report.errors) >= 0.75)
    }

    /// With the pitch kept, what is heard when depends on the sound too (`TempoStretcherTests`).
    @Test("So they do at other speeds", arguments: [0.5, 2] as [Float])
    func otherSpeeds(rate: Float) async throws {
      let report = try await SyncMeasure(rate: rate, pitch: .varispeed).run(seconds: 8 * Double(rate))
      print("at \(rate): \(report)")
      #expect(report.errors.count > 40)
      let sorted = report.errors.map { abs($0) }.sorted()
      #expect((sorted.isEmpty ? 100 : sorted[sorted.count / 2]) <= 5)
    }
  }
}

/// `./run soak sync`: ten minutes, or `SPROCKET_SOAK_SECONDS`.
@Suite("Sync soak", .enabled(if: ProcessInfo.processInfo.environment["SPROCKET_SOAK"] == "sync"))
struct SyncSoak {
  @Test("Mean error at most 5 ms, 99 % of the pictures within half a frame", .timeLimit(.minutes(60)))
  func tenMinutes() async throws {
    let seconds = ProcessInfo.processInfo.environment["SPROCKET_SOAK_SECONDS"].flatMap { Double($0) } ?? 600
    let report = try await SyncMeasure().run(seconds: seconds)
    print(report)
    #expect(report.errors.count > Int(seconds * SyncMeasure.frameRate * 0.9))
    #expect(SyncMeasure.Report.mean(report.errors) <= 5)
    #expect(SyncMeasure.Report.share(report.errors) >= 0.99)
  }
}

/// `./run soak rates`: a minute of media at each speed, or `SPROCKET_SOAK_SECONDS`.
@Suite(
  "Sync at other speeds", .enabled(if: ProcessInfo.processInfo.environment["SPROCKET_SOAK"] == "rates"), .serialized)
struct RateSyncSoak {
  @Test("Mean error at most 5 ms", .timeLimit(.minutes(60)), arguments: [0.5, 1.5, 2] as [Float])
  func oneMinute(rate: Float) async throws {
    let seconds = ProcessInfo.processInfo.environment["SPROCKET_SOAK_SECONDS"].flatMap { Double($0) } ?? 59
    let report = try await SyncMeasure(rate: rate, pitch: .varispeed).run(seconds: seconds)
    print("at \(rate): \(report)")
    // In a fifth of each second the sound can't be judged.
    #expect(report.errors.count > Int(seconds * SyncMeasure.frameRate * 0.6))
    #expect(SyncMeasure.Report.mean(report.errors) <= 5)
  }
}
