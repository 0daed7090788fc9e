package import CoreVideo
package import MediaEngine
import MediaIO
import MediaRuntime

/// Gives each packet's number as a picture, in presentation order, like a decoder that reorders.
final class FakeVideoDecoder: VideoDecoder {
  let name = "fake"
  private let timeBase: TimeBase
  private let reorder: Int
  private let format: VideoFormat
  private let log: FakeLog
  private let state = Lock(State())

  private struct State {
    var held: [(packet: MediaPacket, sample: ScriptedMedia.Sample)] = []
    var isFinished = false
    var needsKeyframe = true
  }

  init(_ track: MediaTrack, log: FakeLog) {
    timeBase = track.timeBase
    format = track.video ?? VideoFormat(width: 2, height: 2)
    reorder = format.hasReorderedFrames ? 2 : 0
    self.log = log
    log.note { $0.liveDecoders += 1 }
  }

  deinit { log.note { $0.liveDecoders -= 1 } }

  func send(_ packet: MediaPacket, skippingNonReference: Bool) throws(MediaError) {
    guard let sample = packet.payload as? ScriptedMedia.Sample else { return }
    log.note { $0.videoPackets += 1 }
    if sample.isDamaged { throw MediaError(sample.damage, "The fake packet \(sample.number) is damaged.") }
    let misuse = state.withLock { state -> String? in
      defer { state.needsKeyframe = false }
      if state.isFinished { return "packet \(sample.number) after the end" }
      return state.needsKeyframe && !packet.isKeyframe ? "packet \(sample.number) without its key frame" : nil
    }
    if let misuse { log.note { $0.misuses.append(misuse) } }
    if skippingNonReference, packet.isDisposable {
      log.note { $0.skipped.append(sample.number) }
      return
    }
    guard !sample.isHidden else { return }
    state.withLock { $0.held.append((packet, sample)) }
  }

  func receive() throws(MediaError) -> Decoded<VideoFrame> {
    state.withLock { state -> Decoded<VideoFrame> in
      guard state.held.count > reorder || state.isFinished else { return .needsInput }
      // By the order of the pictures, as decoders do, whatever their times say.
      let first = state.held.indices.min { state.held[$0].sample.number < state.held[$1].sample.number }
      guard let first else { return .end }
      let (packet, sample) = state.held.remove(at: first)
      return .output(
        VideoFrame(
          presentationTime: sample.presentationTime, duration: sample.duration, timeBase: timeBase,
          generation: packet.generation, isKeyframe: packet.isKeyframe,
          picture: FakePicture(number: sample.number, format: format, log: log)))
    }
  }

  func finish() {
    state.withLock { $0.isFinished = true }
  }

  func flush(_ generation: Generation) {
    log.note { $0.videoFlushes += 1 }
    state.withLock { $0 = State() }
  }
}

/// A picture that is only its number.
package final class FakePicture: VideoPicture {
  package let number: Int
  package let format: VideoFormat
  private let log: FakeLog

  init(number: Int, format: VideoFormat, log: FakeLog) {
    self.number = number
    self.format = format
    self.log = log
    log.note { counts in
      counts.liveFrames += 1
      counts.mostLiveFrames = max(counts.mostLiveFrames, counts.liveFrames)
    }
  }

  deinit { log.note { $0.liveFrames -= 1 } }

  package func pixelBuffer() throws -> CVPixelBuffer {
    throw MediaError(.conversionFailed, "A fake picture has no pixels.")
  }

  package func pixelBuffer(format: UInt32, width: Int?, height: Int?) throws -> CVPixelBuffer {
    throw MediaError(.conversionFailed, "A fake picture has no pixels.")
  }

  package func checksum() -> UInt64 { UInt64(number) }
}

/// Gives a tone whose every sample is a function of its number.
final class FakeAudioDecoder: AudioDecoder {
  let name = "fake"
  private let format: AudioFormat
  private let log: FakeLog
  private let state = Lock<State>(State())

  private struct State {
    var held: [(MediaPacket, ScriptedMedia.Sample)] = []
    var isFinished = false
  }

  init(_ track: MediaTrack, log: FakeLog) {
    format = track.audio ?? AudioFormat(sampleRate: 48_000, channelCount: 2, channelMask: 3)
    self.log = log
    log.note {
      $0.audioDecoders += 1
      $0.liveDecoders += 1
    }
  }

  deinit { log.note { $0.liveDecoders -= 1 } }

  func send(_ packet: MediaPacket) throws(MediaError) {
    guard let sample = packet.payload as? ScriptedMedia.Sample else { return }
    log.note { $0.audioPackets += 1 }
    if sample.isDamaged { throw MediaError(sample.damage, "The fake packet \(sample.number) is damaged.") }
    state.withLock { $0.held.append((packet, sample)) }
  }

  func receive() throws(MediaError) -> Decoded<AudioBlock> {
    state.withLock { state -> Decoded<AudioBlock> in
      guard !state.held.isEmpty else { return state.isFinished ? .end : .needsInput }
      let (packet, sample) = state.held.removeFirst()
      return .output(
        AudioBlock(
          startSample: sample.presentationTime, sampleCount: Int(sample.duration), format: format,
          generation: packet.generation,
          storage: FakeSamples(start: sample.presentationTime, count: Int(sample.duration), format: format)))
    }
  }

  func finish() {
    state.withLock { $0.isFinished = true }
  }
}

/// The fake tone.
package enum FakeTone {
  /// A 400 Hz triangle of amplitude 0.5 by sample number: its greatest step at 48 kHz is 0.0167.
  package static func value(_ sample: Int64, rate: Int) -> Float {
    let period = Int64(max(rate / 400, 4))
    let place = Float(((sample % period) + period) % period) / Float(period)
    return place < 0.5 ? 2 * place - 0.5 : 1.5 - 2 * place
  }
}

final class FakeSamples: AudioSamples {
  private let start: Int64
  private let count: Int
  private let format: AudioFormat

  init(start: Int64, count: Int, format: AudioFormat) {
    self.start = start
    self.count = count
    self.format = format
  }

  func copyInterleaved(_ into: UnsafeMutableBufferPointer<Float>) {
    var index = 0
    for sample in 0..<count {
      let value = FakeTone.value(start + Int64(sample), rate: format.sampleRate)
      for _ in 0..<format.channelCount where index < into.count {
        into[index] = value
        index += 1
      }
    }
  }

  func checksum() -> UInt64 { UInt64(bitPattern: start) &* 31 &+ UInt64(count) }
}

/// Same rate: samples as they are, channels repeated or cut; another rate: straight lines between neighbours.
final class FakeAudioConverter: AudioConverter {
  let delayFrames = 0
  private let from: AudioFormat
  private let to: AudioDeviceFormat

  init(from: AudioFormat, to: AudioDeviceFormat) {
    self.from = from
    self.to = to
  }

  func convert(_ block: AudioBlock, into output: inout [Float]) throws(MediaError) {
    var samples = [Float](repeating: 0, count: block.sampleCount * from.channelCount)
    samples.withUnsafeMutableBufferPointer { block.storage.copyInterleaved($0) }
    let first = Self.scale(block.startSample, from.sampleRate, to.sampleRate)
    let end = Self.scale(block.startSample + Int64(block.sampleCount), from.sampleRate, to.sampleRate)
    for frame in first..<max(first, end) {
      let place = Double(frame) * Double(from.sampleRate) / Double(to.sampleRate) - Double(block.startSample)
      let low = min(max(Int(place), 0), block.sampleCount - 1)
      let high = min(low + 1, block.sampleCount - 1)
      let part = Float(place - Double(low))
      for channel in 0..<to.channelCount {
        let source = min(channel, from.channelCount - 1)
        let (a, b) = (samples[low * from.channelCount + source], samples[high * from.channelCount + source])
        output.append(from.sampleRate == to.sampleRate ? a : a + (b - a) * part)
      }
    }
  }

  private static func scale(_ sample: Int64, _ from: Int, _ to: Int) -> Int64 {
    from == to ? sample : (sample * Int64(to) + Int64(from) / 2) / Int64(from)
  }

  func finish(into output: inout [Float]) throws(MediaError) {}
}
