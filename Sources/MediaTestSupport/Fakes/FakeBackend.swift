internal import CoreMedia
package import Foundation
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// A backend over `ScriptedMedia`, named by address: `fake://NAME`.
package final class FakeBackend: MediaBackend, SourceOpener {
  package let log = FakeLog()
  private let state = Lock(State())

  private struct State {
    var media: [String: ScriptedMedia] = [:]
    var scripts: [String: ScriptedByteSource.Script] = [:]
    var sources: [String: [ScriptedByteSource]] = [:]
    var decoderFailures: [TrackKind: MediaError] = [:]
    var stretchFailure: MediaError?
  }

  package init() {}

  /// Names a media; a source for it follows the script.
  @discardableResult
  package func add(_ media: ScriptedMedia, as name: String = "a", script: ScriptedByteSource.Script = .init()) -> URL {
    let url = url(name)
    state.withLock {
      $0.media[url.absoluteString] = media
      $0.scripts[url.absoluteString] = script
    }
    return url
  }

  /// The address of a name.
  package func url(_ name: String = "a") -> URL {
    URL(string: "fake://\(name)") ?? URL(fileURLWithPath: "/\(name)")
  }

  /// The sources opened for a name, in order.
  package func sources(_ name: String = "a") -> [ScriptedByteSource] {
    state.withLock { $0.sources["fake://\(name)"] ?? [] }
  }

  /// Decoders of this kind can't be opened.
  package func failDecoders(of kind: TrackKind, with error: MediaError) {
    state.withLock { $0.decoderFailures[kind] = error }
  }

  /// Stretchers open, and fail at the first sound that they get.
  package func failStretching(with error: MediaError) {
    state.withLock { $0.stretchFailure = error }
  }

  package func source(for url: URL, options: SourceOptions, scheduler: any Scheduler) throws(MediaError)
    -> any ByteSource
  {
    let address = url.absoluteString
    let (media, script) = state.withLock { ($0.media[address], $0.scripts[address]) }
    guard let media else { throw MediaError(.sourceMissing, "There is no such fake.", address: address) }
    let source = ScriptedByteSource(
      address, length: media.byteLength, script: script ?? .init(), scheduler: scheduler)
    state.withLock { $0.sources[address, default: []].append(source) }
    return source
  }

  package func demuxer(_ source: any ByteSource, hints: SourceHints) -> any Demuxer {
    let media = state.withLock { $0.media[source.address] } ?? ScriptedMedia(duration: .zero)
    return FakeDemuxer(media, source: source, log: log)
  }

  package func videoDecoder(for track: MediaTrack, threads: Int, _ generation: Generation) throws(MediaError)
    -> any VideoDecoder
  {
    if let failure = state.withLock({ $0.decoderFailures[.video] }) { throw failure }
    return FakeVideoDecoder(track, log: log)
  }

  package func audioDecoder(for track: MediaTrack, _ generation: Generation) throws(MediaError) -> any AudioDecoder {
    if let failure = state.withLock({ $0.decoderFailures[.audio] }) { throw failure }
    return FakeAudioDecoder(track, log: log)
  }

  package func audioConverter(from: AudioFormat, to: AudioDeviceFormat, _ processing: SoundProcessing)
    throws(MediaError) -> any AudioConverter
  {
    FakeAudioConverter(from: from, to: to)
  }

  package func audioStretcher(_ format: AudioDeviceFormat, rate: Double, algorithm: PitchAlgorithm)
    throws(MediaError) -> any AudioStretcher
  {
    FakeAudioStretcher(format, rate: rate, failure: state.withLock { $0.stretchFailure })
  }
}
