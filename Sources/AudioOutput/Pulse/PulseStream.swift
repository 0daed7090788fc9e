import CPulse
import MediaEngine
import MediaRuntime

/// One playback stream of libpulse and how its bytes are the line's frames. Used with the main loop's lock held.
///
/// Writes always seek relative to the last write: only then do both ends account alike for what is queued. Pre-buffering
/// is off: the server plays silence where nothing was written and goes on counting, which is just what a line does.
final class PulseStream: @unchecked Sendable {
  // Everything mutable is touched with the main loop's lock held.
  private unowned let line: PulseLine
  private let library: PulseLibrary
  private let stream: OpaquePointer
  private let frameSize: Int
  private let sampleRate: Double
  /// The device asked for; nil: the default one, followed when it changes.
  let device: String?
  private(set) var isMade = false
  /// The line's frame at the stream's byte 0.
  private(set) var base: Int64
  /// The line's frame at which the server's write index stands.
  private var writeFrame: Int64
  /// Up to here the server has been given frames.
  private var givenEnd: Int64
  /// The server's read index when the stream last rested.
  private var restIndex: Int64 = 0
  private var corksUnderway = 0
  /// Questions whose answers come back to this object; a server that hangs may give them much later.
  private var underway: [OpaquePointer] = []
  private var isCorked = true
  private var isClosed = false
  private let context: OpaquePointer
  private let api: UnsafeMutablePointer<pa_mainloop_api>?
  /// The main loop's own timer, so that a question wakes no second thread.
  private var timer: OpaquePointer?
  private var schedule = TimingSchedule()
  /// When the unanswered question is overdue.
  private var answerLimit = HostTime.zero
  private var isOverdue = false
  /// When the line is to be looked at although the server has not asked.
  private var serveDue: HostTime?
  private var mode: AudioLatencyMode

  init?(
    line: PulseLine, library: PulseLibrary, context: OpaquePointer, base: Int64, device: String?,
    targets: AudioTargets, mode: AudioLatencyMode
  ) {
    self.line = line
    self.library = library
    self.device = device
    self.base = base
    self.mode = mode
    self.context = context
    api = line.server.timers
    writeFrame = base
    givenEnd = base
    frameSize = line.format.channelCount * 4
    sampleRate = Double(line.format.sampleRate)

    var sample = pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(line.format.sampleRate), channels: UInt8(line.format.channelCount))
    var map = pa_channel_map()
    _ = library.call.pa_channel_map_init_extend(&map, UInt32(line.format.channelCount), PA_CHANNEL_MAP_WAVEEX)
    let list = line.server.properties(
      library, [(PA_PROP_MEDIA_ROLE, Self.role(mode)), (PA_PROP_MEDIA_NAME, Self.title)])
    defer { if let list { library.call.pa_proplist_free(list) } }
    guard let stream = library.call.pa_stream_new_with_proplist(context, Self.title, &sample, &map, list) else {
      return nil
    }
    self.stream = stream
    setCallbacks()
    var attributes = Self.attributes(targets, frameSize)
    let flags = pa_stream_flags_t(
      rawValue: PA_STREAM_START_CORKED.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue)
    guard library.call.pa_stream_connect_playback(stream, device, &attributes, flags, nil, nil) == 0 else {
      clearCallbacks()
      library.call.pa_stream_unref(stream)
      return nil
    }
    timer = library.call.pa_context_rttime_new(context, PulseLibrary.never, Self.timeCame, this)
  }

  /// To be called once. No answer that is underway finds this object any more.
  func close() {
    isClosed = true
    if let timer { api?.pointee.time_free?(timer) }
    timer = nil
    for operation in underway { library.cancel(operation) }
    underway = []
    clearCallbacks()
    _ = library.call.pa_stream_disconnect(stream)
    library.call.pa_stream_unref(stream)
  }

  /// The name under which mixers show the stream, beside the program's.
  private static let title = "Playback"

  private static func role(_ mode: AudioLatencyMode) -> String { mode == .interactive ? "video" : "music" }

  private static func attributes(_ targets: AudioTargets, _ frameSize: Int) -> pa_buffer_attr {
    pa_buffer_attr(
      maxlength: .max, tlength: UInt32(clamping: targets.target * Int64(frameSize)), prebuf: 0,
      minreq: UInt32(clamping: targets.request * Int64(frameSize)), fragsize: .max)
  }

  // MARK: Frames

  /// Nothing was written yet: byte 0 is this frame.
  func rebase(to frame: Int64) {
    base = frame
    writeFrame = frame
    givenEnd = frame
  }

  /// Every byte written or to be written is this many frames later than thought.
  func shift(by frames: Int64) {
    base += frames
    writeFrame += frames
    givenEnd += frames
  }

  func write(_ store: FrameStore, _ frames: Range<Int64>) {
    store.forEachRun(in: frames) { samples, frame in
      // Bytes before the stream's first would be refused.
      let late = max(0, base - frame)
      let offset = Int(late) * line.format.channelCount
      guard offset < samples.count else { return }
      put(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: samples[offset...])), at: frame + late)
    }
  }

  /// Frames from `end` on are not to be heard although the server has them.
  func cut(at end: Int64) {
    guard end < givenEnd, end >= base else { return }
    // The write index is to stand at the end afterwards, or the server would not notice when it runs dry: so the first
    // frame of silence is written last.
    var next = end + 1
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { silence in
      silence.initializeMemory(as: UInt8.self, repeating: 0)
      let most = Int64(silence.count / frameSize)
      while next < givenEnd {
        let count = min(most, givenEnd - next)
        put(UnsafeRawBufferPointer(rebasing: silence[..<(Int(count) * frameSize)]), at: next)
        next += count
      }
      put(UnsafeRawBufferPointer(rebasing: silence[..<frameSize]), at: end)
    }
    givenEnd = end + 1
  }

  private func put(_ bytes: UnsafeRawBufferPointer, at frame: Int64) {
    let offset = (frame - writeFrame) * Int64(frameSize)
    guard library.call.pa_stream_write(stream, bytes.baseAddress, bytes.count, nil, offset, PA_SEEK_RELATIVE) == 0
    else {
      return
    }
    writeFrame = frame + Int64(bytes.count / frameSize)
    givenEnd = max(givenEnd, writeFrame)
  }

  // MARK: Control

  func setCorked(_ corked: Bool) {
    guard corked != isCorked else { return }
    isCorked = corked
    // The first answer may be there before the device moves; the others follow soon.
    if corked { schedule.rest() } else { schedule.restart(at: line.server.now) }
    armTimer()
    // Without an operation no answer comes: the line's own limit ends the wait.
    if expect(library.call.pa_stream_cork(stream, corked ? 1 : 0, Self.corked, this)) { corksUnderway += 1 }
  }

  private func corkDone() {
    corksUnderway -= 1
    guard corksUnderway == 0 else { return }
    // libpulse takes no more than 32 questions at a time.
    if !requestTiming(), isCorked { line.rested(at: nil) }
  }

  // MARK: Asking what is heard

  /// Something has changed: the next answers are wanted soon.
  func watchClosely() {
    guard !isCorked else { return }
    schedule.restart(at: line.server.now)
    armTimer()
  }

  /// For whoever is awake: asks now if that spares a wake-up later.
  func askIfWorthIt() {
    if !isCorked, schedule.isWorthAsking(at: line.server.now) { ask() }
  }

  private func ask() {
    let now = line.server.now
    if requestTiming() {
      schedule.asked()
      answerLimit = now + PulseLine.statementLimit
    } else {
      schedule.answered(at: now, limit: longestInterval)
    }
    armTimer()
  }

  private func answered() {
    isOverdue = false
    schedule.answered(at: line.server.now, limit: longestInterval)
    armTimer()
  }

  private var longestInterval: Nanoseconds {
    line.awaitsStatement ? TimingSchedule.whileAwaiting : TimingSchedule.limit(mode)
  }

  /// At the next question, when an answer is overdue, or when the line is to be looked at.
  private func armTimer() {
    guard let timer else { return }
    let question = schedule.due ?? answerLimit
    let due = isCorked ? nil : min(question, serveDue ?? question)
    let delay = due.map { UInt64(max(0, ($0 - line.server.now).count) / 1000 + 1) }
    let time = delay.map { library.call.pa_rtclock_now() + $0 } ?? PulseLibrary.never
    library.call.pa_context_rttime_restart(context, timer, time)
  }

  /// Looks at the line then at the latest; the server's requests usually come before.
  func serve(by time: HostTime?) {
    serveDue = time
    armTimer()
  }

  private func timeIsDue() {
    let now = line.server.now
    if !isCorked, let due = serveDue, due <= now {
      serveDue = nil
      line.serve()
    }
    guard !isCorked, !isClosed else { return }
    if let due = schedule.due {
      if due <= now { ask() } else { armTimer() }
    } else if answerLimit > now {
      armTimer()
    } else if isOverdue {
      line.unanswered()
    } else {
      // Timers are looked at before what has come: on a machine that stood still the answer may be there.
      isOverdue = true
      answerLimit = now + .milliseconds(100)
      armTimer()
    }
  }

  /// False: libpulse does not take the question now, no answer will come.
  @discardableResult
  func requestTiming() -> Bool {
    expect(library.call.pa_stream_update_timing_info(stream, Self.timed, this))
  }

  /// Keeps a question until it is answered. False: it was not asked.
  private func expect(_ operation: OpaquePointer?) -> Bool {
    guard let operation else { return false }
    underway.removeAll {
      guard !library.isUnderway($0) else { return false }
      library.forget($0)
      return true
    }
    underway.append(operation)
    return true
  }

  /// The answer to `requestTiming` came.
  private func timingAnswered() {
    guard isCorked, corksUnderway == 0 else { return }
    let info = library.call.pa_stream_get_timing_info(stream)
    if let info { restIndex = info.pointee.read_index }
    line.rested(at: info.map { Double(base) + Double($0.pointee.read_index) / Double(frameSize) })
  }

  func setTargets(_ targets: AudioTargets, _ mode: AudioLatencyMode) {
    self.mode = mode
    watchClosely()
    var attributes = Self.attributes(targets, frameSize)
    library.forget(library.call.pa_stream_set_buffer_attr(stream, &attributes, nil, nil))
    update([(PA_PROP_MEDIA_ROLE, Self.role(mode))])
  }

  private func update(_ properties: [(String, String)]) {
    guard let list = line.server.properties(library, properties) else { return }
    library.forget(library.call.pa_stream_proplist_update(stream, PA_UPDATE_REPLACE, list, nil, nil))
    library.call.pa_proplist_free(list)
  }

  var deviceName: String? {
    isMade ? library.call.pa_stream_get_device_name(stream).map { String(cString: $0) } : nil
  }

  func move(to device: String, _ context: OpaquePointer) {
    let index = library.call.pa_stream_get_index(stream)
    library.forget(library.call.pa_context_move_sink_input_by_name(context, index, device, nil, nil))
  }

  /// What is heard now, by the newest statement of the server, which has just come.
  private func state() {
    answered()
    guard !isCorked, corksUnderway == 0, let info = library.call.pa_stream_get_timing_info(stream)?.pointee else {
      return
    }
    // A device that sleeps takes nothing: the answer's age is then no sound that was heard meanwhile.
    guard info.read_index > restIndex else { return }
    let index = Double(max(info.read_index, 0)) / Double(frameSize)
    let delay = (Double(info.sink_usec) - Double(info.transport_usec)) / 1_000_000 * sampleRate
    line.stated(Double(base) + max(0, index - delay))
  }

  // MARK: Callbacks, on libpulse's thread with its lock held

  private var this: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func this(_ pointer: UnsafeMutableRawPointer?) -> PulseStream? {
    let stream = pointer.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
    return stream?.isClosed == false ? stream : nil
  }

  private func setCallbacks() {
    let call = library.call
    call.pa_stream_set_state_callback(stream, Self.stateChanged, this)
    call.pa_stream_set_write_callback(stream, Self.wantsBytes, this)
    call.pa_stream_set_underflow_callback(stream, Self.ranDry, this)
    call.pa_stream_set_latency_update_callback(stream, Self.stated, this)
    call.pa_stream_set_moved_callback(stream, Self.moved, this)
    call.pa_stream_set_suspended_callback(stream, Self.suspended, this)
    call.pa_stream_set_event_callback(stream, Self.asked, this)
  }

  private func clearCallbacks() {
    let call = library.call
    call.pa_stream_set_state_callback(stream, nil, nil)
    call.pa_stream_set_write_callback(stream, nil, nil)
    call.pa_stream_set_underflow_callback(stream, nil, nil)
    call.pa_stream_set_latency_update_callback(stream, nil, nil)
    call.pa_stream_set_moved_callback(stream, nil, nil)
    call.pa_stream_set_suspended_callback(stream, nil, nil)
    call.pa_stream_set_event_callback(stream, nil, nil)
  }

  private static let stateChanged: pa_stream_notify_cb_t = { @Sendable _, pointer in
    guard let stream = this(pointer) else { return }
    let line = stream.line
    switch stream.library.call.pa_stream_get_state(stream.stream) {
    case PA_STREAM_READY:
      stream.isMade = true
      line.streamReady()
    case PA_STREAM_FAILED, PA_STREAM_TERMINATED: line.deviceFailed()
    default: break
    }
  }

  private static let wantsBytes: pa_stream_request_cb_t = { @Sendable _, _, pointer in this(pointer)?.line.serve() }
  private static let ranDry: pa_stream_notify_cb_t = { @Sendable _, pointer in this(pointer)?.line.ranDry() }
  private static let stated: pa_stream_notify_cb_t = { @Sendable _, pointer in this(pointer)?.state() }
  private static let moved: pa_stream_notify_cb_t = { @Sendable _, pointer in this(pointer)?.line.moved() }
  private static let corked: pa_stream_success_cb_t = { @Sendable _, _, pointer in this(pointer)?.corkDone() }
  private static let timed: pa_stream_success_cb_t = { @Sendable _, _, pointer in this(pointer)?.timingAnswered() }

  private static let timeCame: pa_time_event_cb_t = { @Sendable _, _, _, pointer in this(pointer)?.timeIsDue() }

  private static let suspended: pa_stream_notify_cb_t = { @Sendable _, pointer in
    guard let stream = this(pointer) else { return }
    stream.line.suspended(stream.library.call.pa_stream_is_suspended(stream.stream) > 0)
  }

  private static let asked: pa_stream_event_cb_t = { @Sendable _, name, _, pointer in
    guard let name, let line = this(pointer)?.line else { return }
    switch String(cString: name) {
    case PA_STREAM_EVENT_REQUEST_CORK: line.interrupted(true)
    case PA_STREAM_EVENT_REQUEST_UNCORK: line.interrupted(false)
    default: break
    }
  }
}
