package import MediaIO
package import MediaRuntime

/// Where a driver sends what it reports, from its own queues, holding no lock.
package typealias DriverEventHandler = @Sendable (DriverEvent) -> Void

/// Everything a player takes from outside, in one value: real in programs, virtual and scripted in tests.
package struct EngineEnvironment: Sendable {
  package var scheduler: any Scheduler
  package var backend: any MediaBackend
  package var sources: any SourceOpener
  package var audioSinks: any AudioSinkFactory
  /// What moves a player's data; nil is the pipeline over the other members. Tests put a scripted driver here.
  package var makeDriver: (@Sendable (EngineEnvironment, @escaping DriverEventHandler) -> any PlaybackDriver)?

  /// BCP 47, the most wanted first: the user's, for whom a player chooses sound. Tests have none.
  package var preferredLanguages: [String] = []

  package init(
    scheduler: any Scheduler, backend: any MediaBackend, sources: any SourceOpener, audioSinks: any AudioSinkFactory
  ) {
    self.scheduler = scheduler
    self.backend = backend
    self.sources = sources
    self.audioSinks = audioSinks
  }

  /// Set by tests around the code that makes players and assets; nil means the process's default.
  @TaskLocal package static var override: EngineEnvironment?

  private static let installed = Lock<EngineEnvironment?>(nil)

  /// Sets what `current` answers outside an override. The façade does it at its first use; tests may.
  package static func install(_ environment: EngineEnvironment?) {
    installed.withLock { $0 = environment }
  }

  /// Where new players and assets come to life: the override, else the installed one; nil when there is neither.
  package static var current: EngineEnvironment? {
    override ?? installed.withLock { $0 }
  }
}
