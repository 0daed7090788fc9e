@testable import AudioOutput
import Foundation
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("Sound into a file") struct AudioWaveTests {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("wave-\(UUID().uuidString).wav").path

  @Test("A WAV file is complete after every append, and holds exactly what was heard")
  func wave() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let path = path
    try await VirtualScheduler.test { scheduler, queue in
      let sink = try WAVCaptureSink(path: path, format: .stereo48, mode: .interactive, scheduler: scheduler)
      let feeder = SoundFeeder(sink, scheduler: scheduler, sound: SoundFeeder.numbers)
      await feeder.start()
      for _ in 0..<3 {
        await queue.sleep(.milliseconds(500))
        await withCheckedContinuation { continuation in sink.flush { continuation.resume() } }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let size = data.subdata(in: (WaveHeader.size - 4)..<WaveHeader.size).withUnsafeBytes {
          $0.loadUnaligned(as: UInt32.self)
        }
        #expect(Int(size) == data.count - WaveHeader.size)
      }
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      let samples = data.dropFirst(WaveHeader.size).withUnsafeBytes { raw in
        (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
      }
      #expect(samples.count == 2 * 72_000)
      for frame in stride(from: 0, to: samples.count / 2, by: 997) {
        #expect(SoundFeeder.number(samples[frame * 2], samples[frame * 2 + 1]) == Int64(frame))
      }
      sink.close()
    }
  }

  @Test("Silence behind the end of the sound is in the file only if more sound follows")
  func endOfSound() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let path = path
    try await VirtualScheduler.test { scheduler, queue in
      let sink = try WAVCaptureSink(path: path, format: .stereo48, mode: .interactive, scheduler: scheduler)
      let feeder = SoundFeeder(sink, scheduler: scheduler) { frame, _ in 4800..<9600 ~= frame ? 0 : 0.5 }
      func frames() throws -> Int { try (Data(contentsOf: URL(fileURLWithPath: path)).count - WaveHeader.size) / 8 }
      func flush() async { await withCheckedContinuation { continuation in sink.flush { continuation.resume() } } }
      await feeder.run { $0.sink.setSoundEnd(4800) }
      await feeder.start()
      await queue.sleep(.milliseconds(190))
      await flush()
      let ended = try frames()
      #expect(ended == 4800)
      await feeder.run { $0.sink.setSoundEnd(nil) }
      await queue.sleep(.milliseconds(60))
      await flush()
      let goneOn = try frames()
      #expect(goneOn == 12_000)
      await feeder.run { $0.sink.setSoundEnd(12_480) }
      await queue.sleep(.milliseconds(50))
      sink.close()
      await queue.sleep(.milliseconds(1))
      let closed = try frames()
      #expect(closed == 12_480)
    }
  }

  @Test("A capture closed just before the process exits is whole")
  func closedBeforeExit() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let frames = 48_000 * 120
    await #expect(processExitsWith: .success) { [path = path as String, frames = frames as Int] in
      let sink = try WAVCaptureSink(
        path: path, format: .stereo48, mode: .interactive, scheduler: RealScheduler.shared)
      // Long enough for the process to be gone before it is written.
      sink.writer.take(nil, frames: 0..<Int64(frames))
      sink.close()
    }
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(size == WaveHeader.size + frames * 8)
  }

  @Test("A gap of a minute is one step for the disk, written in pieces")
  func longGap() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let path = path
    try await VirtualScheduler.test { scheduler, queue in
      let sink = try WAVCaptureSink(path: path, format: .stereo48, mode: .interactive, scheduler: scheduler)
      let before = scheduler.steps
      sink.writer.take(nil, frames: 0..<48_000 * 60)
      await withCheckedContinuation { continuation in sink.flush { continuation.resume() } }
      // In pieces of 65,536 frames it would be 44.
      #expect(scheduler.steps - before < 20)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      #expect(size == WaveHeader.size + 48_000 * 60 * 8)
      sink.close()
    }
  }

  @Test("What waits for a disk that hangs has a bound, which is told once; what was taken before is written")
  func hangingDisk() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let path = path
    try await VirtualScheduler.test { scheduler, queue in
      let sink = try WAVCaptureSink(path: path, format: .stereo48, mode: .interactive, scheduler: scheduler)
      let failures = Lock<[MediaError.Code]>([])
      sink.setEventHandler(on: queue) { event in
        if case .deviceLost(let error) = event { failures.withLock { $0.append(error.code) } }
      }
      let second = [Float](repeating: 0.5, count: 96_000)
      // No step of another queue runs meanwhile: the disk hangs.
      for index in 0..<40 {
        second.withUnsafeBufferPointer {
          sink.writer.take($0, frames: Int64(index) * 48_000..<Int64(index + 1) * 48_000)
        }
      }
      await withCheckedContinuation { continuation in sink.flush { continuation.resume() } }
      #expect(failures.withLock { $0 } == [.writeFailed])
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      #expect(size == WaveHeader.size + 29 * 48_000 * 8)
      sink.close()
    }
  }

  @Test("Beyond 4 GiB the header becomes RF64 with the true sizes")
  func large() {
    let bytes = WaveHeader(.stereo48).bytes(dataSize: 5_000_000_000)
    #expect(bytes.count == WaveHeader.size)
    #expect(String(decoding: bytes[0..<4], as: UTF8.self) == "RF64")
    #expect(String(decoding: bytes[12..<16], as: UTF8.self) == "ds64")
    #expect(String(decoding: bytes[96..<100], as: UTF8.self) == "fact")
    let sizes = Data(bytes).withUnsafeBytes { raw in
      [20, 28, 36].map { raw.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
    }
    #expect(sizes == [5_000_000_108, 5_000_000_000, 625_000_000])
    #expect(bytes[112..<116].allSatisfy { $0 == 0xff })
  }

  @Test("A place where nothing can be written is a typed error")
  func refused() {
    #expect {
      try WAVCaptureSink(
        path: "/nonexistent/x.wav", format: .stereo48, mode: .interactive, scheduler: RealScheduler.shared)
    } throws: { ($0 as? MediaError)?.code == .writeFailed }
  }

  @Test("Output words are understood", arguments: ["server", "null", "wav:x", "wav:", "loud"])
  func words(word: String) {
    let expected: [String: AudioSinks.Output] = ["server": .server, "null": .null, "wav:x": .wave(path: "x")]
    #expect(AudioSinks.Output(word) == expected[word])
  }
}
