@testable import AudioOutput
import Glibc
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite("The way to the sound server") struct SoundServerStartTests {
  /// The first event of a sink whose server does not exist.
  private static func firstEvent(_ makeWake: @escaping @Sendable () -> Int32) async -> AudioSinkEvent {
    let scheduler = RealScheduler.shared
    let server = PulseServer(scheduler: scheduler, address: "unix:/nonexistent", makeWake: makeWake)
    let sink = PulseSink(server: server, format: .stereo48, device: nil, mode: .interactive, scheduler: scheduler)
    let (events, told) = AsyncStream.makeStream(of: AudioSinkEvent.self)
    sink.setEventHandler(on: scheduler.queue("listener", .light)) { told.yield($0) }
    defer { sink.close() }
    for await event in events { return event }
    return .stopped
  }

  @Test("Without a descriptor for the wake-up the line goes on in silence and says why")
  func noDescriptor() async {
    let event = await Self.firstEvent {
      errno = EMFILE
      return -1
    }
    guard case .deviceLost(let error) = event else {
      Issue.record("\(event)")
      return
    }
    #expect(error.code == .outputUnavailable)
  }

  @Test("A server that was made while no descriptor was left is reached when there are some again")
  func descriptorLater() async {
    await #expect(processExitsWith: .success) {
      let scheduler = RealScheduler.shared
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      let server = PulseServer(scheduler: scheduler, address: "unix:/nonexistent")
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let sink = PulseSink(server: server, format: .stereo48, device: nil, mode: .interactive, scheduler: scheduler)
      let done = Gate(scheduler, "lost", false)
      sink.setEventHandler(on: scheduler.queue("listener", .light)) { _ in done.withLock(signal: true) { $0 = true } }
      _ = done.wait("the event", ready: { $0 }, take: { _ in })
      sink.close()
    }
  }
}
