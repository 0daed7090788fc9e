package import Foundation
package import MediaIO
package import MediaRuntime

extension SoundReader {
  /// Opens the sound at an address, and waits for that: for Apple's synchronous calls only.
  package static func open(
    _ url: URL, options: SourceOptions = SourceOptions(), in environment: EngineEnvironment
  ) throws(MediaError) -> SoundReader {
    var options = options
    options.prefersPreciseTiming = true
    let asset = AssetCore(url: url, options: options, environment: environment)
    _ = try asset.loadBlocking().get()
    guard let media = asset.takeOpened() else { throw MediaError(.interrupted, "Opening the sound was given up.") }
    return try SoundReader(media, backend: environment.backend)
  }

  /// Opens sound that is in memory.
  package static func open(
    _ data: Data, options: SourceOptions = SourceOptions(), in environment: EngineEnvironment
  ) throws(MediaError) -> SoundReader {
    var environment = environment
    environment.sources = MemoryOpener(data)
    return try open(URL(fileURLWithPath: "/memory"), options: options, in: environment)
  }

  /// Runs a step where the media are read, and waits for its end: for Apple's synchronous calls only.
  package func wait<Result: Sendable>(
    _ what: String, _ scheduler: any Scheduler,
    _ step: @escaping @Sendable (SoundReader) throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    let gate = Gate<Swift.Result<Result, MediaError>?>(scheduler, what, nil)
    queue.post(what) { [self] in
      let result = Swift.Result { () throws(MediaError) in try step(self) }
      gate.withLock(signal: true) { $0 = result }
    }
    guard case .value(let result?) = gate.wait(what, ready: { $0 != nil }, take: { $0 }) else {
      throw MediaError(.interrupted, "Reading was given up because the process is shutting down.")
    }
    return try result.get()
  }
}

/// Every address leads to the same bytes.
private final class MemoryOpener: SourceOpener {
  private let data: Data

  init(_ data: Data) { self.data = data }

  func source(for url: URL, options: SourceOptions, scheduler: any Scheduler) throws(MediaError) -> any ByteSource {
    MemorySource(data)
  }
}
