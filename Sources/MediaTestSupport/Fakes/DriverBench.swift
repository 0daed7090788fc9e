package import CoreMedia
internal import Foundation
package import MediaEngine
package import MediaIO
package import MediaRuntime

/// A production driver on a virtual scheduler with fakes above and below it: what it reports is recorded with its time,
/// and the test plays the state machine's part.
package final class DriverBench: @unchecked Sendable {
  // Its variables are locks; the driver is set once in `init`.
  package let scheduler: VirtualScheduler
  package let backend: FakeBackend
  package let devices: CapturingAudioSinks
  package let environment: EngineEnvironment
  package private(set) var driver: PipelineDriver
  private let recorded: Recorded

  package struct Entry: Sendable {
    package let time: Nanoseconds
    package let event: DriverEvent
  }

  private final class Recorded: Sendable {
    let entries = Lock<[Entry]>([])
    let onEvent = Lock<(@Sendable (DriverEvent) -> Void)?>(nil)
  }

  package init(
    backend: FakeBackend = FakeBackend(), devices: CapturingAudioSinks = CapturingAudioSinks(),
    mediaBackend: (any MediaBackend)? = nil, sources: (any SourceOpener)? = nil
  ) {
    scheduler = VirtualScheduler()
    scheduler.adopt()
    (mediaBackend as? SlowBackend)?.spend(on: scheduler)
    self.backend = backend
    self.devices = devices
    environment = EngineEnvironment(
      scheduler: scheduler, backend: mediaBackend ?? backend, sources: sources ?? backend, audioSinks: devices)
    let (recorded, scheduler) = (Recorded(), scheduler)
    self.recorded = recorded
    driver = PipelineDriver(environment: environment) { event in
      recorded.entries.withLock { $0.append(Entry(time: scheduler.elapsed, event: event)) }
      recorded.onEvent.withLock { $0 }?(event)
    }
  }

  /// Ends everything, so that a test leaves no thread behind.
  package func finish() {
    driver.close()
    scheduler.run(limit: .seconds(Int64(30)))
    scheduler.release()
    scheduler.shutdown()
  }

  package func asset(_ name: String = "a") -> AssetCore {
    AssetCore(
      url: URL(string: "fake://\(name)") ?? URL(fileURLWithPath: name), options: SourceOptions(),
      environment: environment)
  }

  /// Called inside the report of each event, as the state machine is.
  package func onEvent(_ handler: (@Sendable (DriverEvent) -> Void)?) {
    recorded.onEvent.withLock { $0 = handler }
  }

  package var entries: [Entry] { recorded.entries.withLock { $0 } }
  package var lines: [String] { entries.map { $0.event.line } }

  /// Attaches and makes current; runs until it is ready or failed.
  package func load(
    _ name: String = "a", as item: ItemID = ItemID(1), configuration: ItemConfiguration = .init(),
    output: VideoFrameOutput? = nil
  ) {
    driver.attach(item, asset: asset(name), configuration: configuration)
    driver.setCurrent(item, upcoming: [])
    if let output {
      output.join(item)
      driver.add(output, to: item)
    }
    wait { $0 == "ready \(item.number)" || $0.hasPrefix("failed \(item.number)") }
  }

  /// Runs until an event's line fits; false when nothing more happens.
  @discardableResult
  package func wait(limit: Nanoseconds = .seconds(Int64(120)), _ fits: @escaping @Sendable (String) -> Bool) -> Bool {
    let recorded = recorded
    let seen = Lock(0)
    scheduler.run(
      limit: limit,
      until: {
        let new = recorded.entries.withLock { entries in
          seen.withLock { seen in
            defer { seen = entries.count }
            return entries[seen...].contains { fits($0.event.line) }
          }
        }
        return new
      })
    return lines.contains(where: fits)
  }

  package func advance(_ seconds: Double) {
    scheduler.advance(by: .seconds(seconds))
  }

  private let seeks = Lock<UInt64>(0)

  /// Seeks exactly unless given room; runs until it landed.
  @discardableResult
  package func seek(
    _ item: ItemID = ItemID(1), to target: CMTime, before: CMTime = .zero, after: CMTime = .zero,
    isPaused: Bool = false, waits: Bool = true
  ) -> SeekID {
    let id = SeekID(
      seeks.withLock {
        $0 += 1
        return $0
      })
    driver.seek(
      item, SeekRequest(id: id, target: target, toleranceBefore: before, toleranceAfter: after, isPaused: isPaused))
    if waits { wait { $0.hasPrefix("landed \(item.number) #\(id.number) ") } }
    return id
  }

  package func time(_ item: ItemID = ItemID(1)) -> CMTime { driver.currentTime(of: item) }
}

extension CMTime {
  /// Fit for dumps: seconds in full precision as a fraction.
  package var dump: String { isNumeric ? "\(value)/\(timescale)" : "\(seconds)" }
}

extension DriverEvent {
  /// One line per event, for comparisons and golden dumps.
  package var line: String {
    switch self {
    case .opened(let item, let media): "opened \(item.number) \(media.tracks.count) tracks"
    case .ready(let item): "ready \(item.number)"
    case .failed(let item, let error): "failed \(item.number) \(error.code.number)"
    case .descriptionChanged(let item, let media): "description \(item.number) \(media.duration.dump)"
    case .buffer(let item, let state):
      "buffer \(item.number) empty=\(state.isEmpty) full=\(state.isFull) likely=\(state.isLikelyToKeepUp)"
    case .started(let item, let rate): "started \(item.number) \(rate)"
    case .stalled(let item): "stalled \(item.number)"
    case .reachedEnd(let item): "end \(item.number)"
    case .playingFailed(let item, let error): "playing failed \(item.number) \(error.code.number)"
    case .advanced(let from, let to): "advanced \(from.number) \(to.number)"
    case .landed(let item, let seek, let time): "landed \(item.number) #\(seek.number) \(time.dump)"
    case .prerolled(let item, let finished): "prerolled \(item.number) \(finished)"
    case .interruptionBegan: "interruption began"
    case .interruptionEnded: "interruption ended"
    case .frameRate(let item, let rate): "frame rate \(item.number) \(rate)"
    }
  }
}
