import CPulse
import Glibc
package import MediaRuntime
import Synchronization

/// The connection to the sound server: one context and one thread (libpulse's threaded main loop) for all sinks.
///
/// Started by the first sink, ended a moment after the last one. Opening, closing and reconnecting happen on a queue
/// that may wait; the data go through the device thread alone.
package final class PulseServer: @unchecked Sendable {
  // Everything mutable is touched on `queue` or on libpulse's thread, in both cases with the main loop's lock held
  // once there is a main loop.

  private let scheduler: any Scheduler
  private let queue: SerialQueue
  /// A server's address as libpulse takes it; nil: the user's own server.
  private let address: String?
  private let applicationName: String

  private var library: PulseLibrary?
  private var mainloop: OpaquePointer?
  private var context: OpaquePointer?
  private var isReady = false
  private var lines: [PulseLine] = []
  private var attempts = 0
  private var hasWarned = false
  private let makeWake: @Sendable () -> Int32
  /// Set once, before the first `hasLoop`, and kept: who wakes may hold it while the loop ends.
  private var wakeDescriptor: Int32 = -1
  private let hasLoop = Atomic<Bool>(false)
  private var idle: Ticket?

  /// - Parameter makeWake: makes the descriptor on which the main loop waits; -1 when there is none left.
  package init(
    scheduler: any Scheduler, address: String? = nil, applicationName: String? = nil,
    makeWake: @escaping @Sendable () -> Int32 = { pulse_wake_create() }
  ) {
    self.scheduler = scheduler
    self.address = address
    self.applicationName = applicationName ?? Self.programName
    queue = scheduler.queue("sound server", .blocking)
    self.makeWake = makeWake
  }

  deinit { if wakeDescriptor >= 0 { Glibc.close(wakeDescriptor) } }

  private static var programName: String {
    let path = CommandLine.arguments.first ?? "Sprocket"
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  var now: HostTime { scheduler.now }

  // MARK: From the engine

  func open(_ line: PulseLine) {
    queue.post("open sound line") { [self] in
      idle?.cancel()
      let failure = startLoop()
      locked {
        lines.append(line)
        // Called before it was on the list, it would be taken for called for ever, and nothing would wake it again.
        defer { line.serveIfCalled() }
        if let failure { line.goSilent(failure) }
        guard let library, mainloop != nil else { return }
        // Nobody reconnects while there are no lines.
        if context == nil { connect() }
        if isReady, let context { line.connect(library, context) }
      }
    }
  }

  func close(_ line: PulseLine) {
    queue.post("close sound line") { [self] in
      locked {
        line.close()
        lines.removeAll { $0 === line }
      }
      guard lines.isEmpty else { return }
      // The next player often comes at once.
      let ticket = Ticket()
      idle = ticket
      queue.post("close sound server", after: .milliseconds(500), ticket: ticket) { [self] in
        if lines.isEmpty { stopLoop() }
      }
    }
  }

  /// Makes the device thread look at the line. Lock-free, one system call.
  func wake(_ line: PulseLine) {
    if hasLoop.load(ordering: .acquiring) {
      var one: UInt64 = 1
      _ = Glibc.write(wakeDescriptor, &one, 8)
    } else {
      queue.post("serve sound line") { [self] in locked { line.serveIfCalled() } }
    }
  }

  func setDevice(_ device: String?, of line: PulseLine) {
    queue.post("choose sound device") { [self] in locked { line.choose(device) } }
  }

  func deviceName(of line: PulseLine, _ answer: @escaping @Sendable (String?) -> Void) {
    queue.post("name of sound device") { [self] in
      let name = locked { line.deviceName }
      answer(name)
    }
  }

  // MARK: From the lines, with the lock held

  /// Looks at a silent line again later.
  func tick(_ line: PulseLine, after delay: Nanoseconds, _ ticket: Ticket) {
    queue.post("silent sound clock", after: delay, ticket: ticket) { [self] in locked { line.tick() } }
  }

  /// Looks later whether the server has given the line what it owes.
  func check(_ line: PulseLine, after delay: Nanoseconds, _ ticket: Ticket) {
    queue.post("check sound line", after: delay, ticket: ticket) { [self] in locked { line.check() } }
  }

  /// Tries to give a line a device again.
  func retry(_ line: PulseLine, after delay: Nanoseconds) {
    queue.post("reconnect sound line", after: delay) { [self] in
      locked {
        if let library, let context, isReady { line.connect(library, context) }
      }
    }
  }

  /// The main loop's own timers and events.
  var timers: UnsafeMutablePointer<pa_mainloop_api>? {
    mainloop.flatMap { library?.call.pa_threaded_mainloop_get_api($0) }
  }

  /// The connection while it stands.
  var readyContext: OpaquePointer? { isReady ? context : nil }

  func report(_ level: Log.Level, _ text: String) {
    queue.post("report of sound") { Log.audio.write(level) { text } }
  }

  func properties(_ library: PulseLibrary, _ more: [(String, String)]) -> OpaquePointer? {
    guard let list = library.call.pa_proplist_new() else { return nil }
    for (key, value) in [(PA_PROP_APPLICATION_NAME, applicationName)] + more {
      _ = library.call.pa_proplist_sets(list, key, value)
    }
    return list
  }

  // MARK: Main loop

  private func locked<Result>(_ body: () -> Result) -> Result {
    guard let mainloop, let library else { return body() }
    library.call.pa_threaded_mainloop_lock(mainloop)
    defer { library.call.pa_threaded_mainloop_unlock(mainloop) }
    return body()
  }

  /// - Returns: why there is no main loop.
  private func startLoop() -> MediaError? {
    guard mainloop == nil else { return nil }
    do throws(MediaError) {
      let library = try PulseLibrary.open()
      self.library = library
      mainloop = try makeLoop(library)
    } catch {
      warn(error)
      return error
    }
    hasLoop.store(true, ordering: .releasing)
    locked { connect() }
    return nil
  }

  private func makeLoop(_ library: PulseLibrary) throws(MediaError) -> OpaquePointer {
    // libpulse ends the process when it is given a descriptor that is none.
    if wakeDescriptor < 0 { wakeDescriptor = makeWake() }
    guard wakeDescriptor >= 0, let loop = library.call.pa_threaded_mainloop_new() else { throw Self.noLoop(errno) }
    library.call.pa_threaded_mainloop_set_name(loop, "sprocket.audio")
    let this = Unmanaged.passUnretained(self).toOpaque()
    guard let api = library.call.pa_threaded_mainloop_get_api(loop), let makeEvent = api.pointee.io_new,
      makeEvent(api, wakeDescriptor, PA_IO_EVENT_INPUT, Self.woken, this) != nil,
      library.call.pa_threaded_mainloop_start(loop) == 0
    else {
      let reason = errno
      library.call.pa_threaded_mainloop_free(loop)
      throw Self.noLoop(reason)
    }
    return loop
  }

  private static func noLoop(_ reason: Int32) -> MediaError {
    MediaError(
      .outputUnavailable,
      "The way to the sound server could not be opened (\(String(cString: strerror(reason)))). "
        + "Let the process have more descriptors and threads.")
  }

  private func stopLoop() {
    guard let mainloop, let library else { return }
    hasLoop.store(false, ordering: .releasing)
    locked { dropContext() }
    library.call.pa_threaded_mainloop_stop(mainloop)
    library.call.pa_threaded_mainloop_free(mainloop)
    self.mainloop = nil
    hasWarned = false
  }

  private func warn(_ error: MediaError) {
    guard !hasWarned else { return }
    hasWarned = true
    Log.audio.warning("\(error.message) Playing goes on without sound.")
  }

  // MARK: Context

  private func connect() {
    guard let library, let mainloop, context == nil else { return }
    let list = properties(library, [])
    let api = library.call.pa_threaded_mainloop_get_api(mainloop)
    context = library.call.pa_context_new_with_proplist(api, applicationName, list)
    if let list { library.call.pa_proplist_free(list) }
    guard let context else { return }
    let this = Unmanaged.passUnretained(self).toOpaque()
    library.call.pa_context_set_state_callback(context, Self.stateChanged, this)
    library.call.pa_context_set_subscribe_callback(context, Self.somethingChanged, this)
    if library.call.pa_context_connect(context, address, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { lost() }
  }

  private func dropContext() {
    isReady = false
    guard let library, let context else { return }
    self.context = nil
    library.call.pa_context_set_state_callback(context, nil, nil)
    library.call.pa_context_set_subscribe_callback(context, nil, nil)
    library.call.pa_context_disconnect(context)
    library.call.pa_context_unref(context)
  }

  private func ready() {
    guard let library, let context else { return }
    isReady = true
    attempts = 0
    hasWarned = false
    let mask = pa_subscription_mask_t(
      rawValue: PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue)
    library.forget(library.call.pa_context_subscribe(context, mask, nil, nil))
    for line in lines { line.connect(library, context) }
  }

  /// No connection, or no more: every line goes on in silence, and the server is tried again later and later.
  private func lost() {
    guard let library, let context else { return }
    let reason = library.text(library.call.pa_context_errno(context))
    let wasReady = isReady
    isReady = false
    let error = MediaError(
      wasReady ? .outputLost : .outputUnavailable,
      wasReady
        ? "The sound server went away (\(reason)). Start it again to hear sound."
        : "No sound server answers (\(reason)). Start PulseAudio or PipeWire to hear sound.")
    for line in lines { line.goSilent(error) }
    let delay = Nanoseconds.milliseconds(min(250 << Int64(min(attempts, 5)), 4000))
    attempts += 1
    queue.post("sound server lost") { [self] in
      if !lines.isEmpty { warn(error) }
      locked { dropContext() }
    }
    queue.post("reconnect sound server", after: delay) { [self] in
      guard mainloop != nil, !lines.isEmpty else { return }
      locked { connect() }
    }
  }

  /// A device came or went, or another one is the default.
  private func devicesChanged() {
    guard let library, let context, isReady else { return }
    for line in lines { line.devicesChanged(library, context) }
  }

  private func serve() {
    var count: UInt64 = 0
    _ = read(wakeDescriptor, &count, 8)
    for line in lines { line.serveIfCalled() }
  }

  // MARK: Callbacks, on libpulse's thread with its lock held

  private static func this(_ pointer: UnsafeMutableRawPointer?) -> PulseServer? {
    pointer.map { Unmanaged<PulseServer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let woken: pa_io_event_cb_t = { @Sendable _, _, _, _, pointer in this(pointer)?.serve() }

  private static let stateChanged: pa_context_notify_cb_t = { @Sendable _, pointer in
    guard let server = this(pointer), let library = server.library, let context = server.context else { return }
    switch library.call.pa_context_get_state(context) {
    case PA_CONTEXT_READY: server.ready()
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: server.lost()
    default: break
    }
  }

  private static let somethingChanged: pa_context_subscribe_cb_t = { @Sendable _, event, _, pointer in
    let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    let facility = event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
    guard facility == PA_SUBSCRIPTION_EVENT_SERVER.rawValue || kind == PA_SUBSCRIPTION_EVENT_NEW.rawValue else {
      return
    }
    this(pointer)?.devicesChanged()
  }
}
