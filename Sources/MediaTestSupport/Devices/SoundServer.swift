import Foundation
import MediaRuntime

/// A private sound server with null sinks: never the user's own.
///
/// A missing program is an error, hence a failed test.
package final class SoundServer: @unchecked Sendable {
  // `daemons` is behind its lock; the rest never changes.

  package enum Kind: CaseIterable, Hashable, Sendable {
    case pulseAudio
    /// PipeWire's own PulseAudio server, with its session manager.
    case pipeWire
  }

  package let kind: Kind

  /// Holds the daemon's socket; removed with this object.
  private let folder: URL
  private let daemons = Lock<[ChildProcess]>([])
  private let sinks: [String]
  private let hasRoleCork: Bool

  /// Seconds for which one of the programs may be silent.
  static let limit = 20

  /// libpulse's address of the daemon.
  package var address: String {
    switch kind {
    case .pulseAudio: "unix:\(folder.path)/native"
    case .pipeWire: "unix:\(folder.path)/pulse/native"
    }
  }

  /// Starts a daemon and returns when it serves.
  /// - Parameters:
  ///   - sinks: names of the null sinks; the first one is the default.
  ///   - rate: their sample rate.
  package init(
    _ kind: Kind = .pulseAudio, sinks: [String] = ["one"], rate: Int = 48_000, hasRoleCork: Bool = false
  ) throws {
    self.kind = kind
    self.sinks = sinks
    self.hasRoleCork = hasRoleCork
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var lines = sinks.map { "load-module module-null-sink sink_name=\($0) rate=\(rate) format=float32le" }
    lines.append("load-module module-native-protocol-unix socket=\(folder.path)/native auth-anonymous=1")
    if hasRoleCork { lines.append("load-module module-role-cork") }
    if let first = sinks.first { lines.append("set-default-sink \(first)") }
    try (lines.joined(separator: "\n") + "\n").write(
      to: folder.appendingPathComponent("pa.conf"), atomically: true, encoding: .utf8)
    try start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts the daemon (again) and returns when it serves.
  package func start() throws {
    switch kind {
    case .pulseAudio: try startPulseAudio()
    case .pipeWire: try startPipeWire()
    }
  }

  private func startPulseAudio() throws {
    let process = try ChildProcess(
      "/usr/bin/pulseaudio",
      [
        "-n", "-F", folder.appendingPathComponent("pa.conf").path, "--daemonize=no", "--exit-idle-time=-1",
        "--disallow-exit=yes", "--use-pid-file=no", "--log-target=stderr", "-v", "--high-priority=yes",
        "--realtime=no",
      ], environment: environment, readsErrors: true)
    var text = ""
    while !text.contains("Daemon startup complete") {
      let part = try process.read(within: Self.limit)
      guard !part.isEmpty else { throw Failure("pulseaudio ended at its start: \(text.suffix(500))") }
      text += String(decoding: part, as: UTF8.self)
    }
    keep(process)
  }

  private func keep(_ process: ChildProcess) {
    daemons.withLock { $0.append(process) }
    // Its log has to flow, or it would stand still one day.
    Thread.detachNewThread { while !process.read().isEmpty {} }
  }

  private func startPipeWire() throws {
    func serves(_ test: () -> Bool) -> Bool {
      for _ in 0..<200 {
        if test() { return true }
        Thread.sleep(forTimeInterval: 0.1)
      }
      return false
    }
    try keepFromDevices()
    // A killed server leaves its sockets.
    for name in ["pipewire-0", "bus", "pulse/native"] {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
    keep(try ChildProcess("/usr/bin/pipewire", [], environment: environment, readsErrors: true))
    let core = folder.appendingPathComponent("pipewire-0").path
    guard serves({ FileManager.default.fileExists(atPath: core) }) else { throw Failure("pipewire does not serve") }
    // The session manager does not run without a bus.
    let bus = folder.appendingPathComponent("bus").path
    keep(
      try ChildProcess(
        "/usr/bin/dbus-daemon", ["--session", "--nofork", "--nopidfile", "--address=unix:path=\(bus)"],
        environment: environment, readsErrors: true))
    guard serves({ FileManager.default.fileExists(atPath: bus) }) else { throw Failure("dbus-daemon does not serve") }
    var session = environment
    session["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(bus)"
    keep(try ChildProcess("/usr/bin/wireplumber", [], environment: session, readsErrors: true))
    keep(try ChildProcess("/usr/bin/pipewire-pulse", [], environment: environment, readsErrors: true))
    guard serves({ (try? control("info")) != nil }) else { throw Failure("pipewire-pulse does not serve") }
    for sink in sinks {
      _ = try addSink(sink)
      guard serves({ (try? control("list", "short", "sinks"))?.contains("\(sink)\t") ?? false }) else {
        throw Failure("pipewire has no sink \(sink)")
      }
    }
    // The session manager has to be there first.
    guard let first = sinks.first else { return }
    guard serves({ (try? control("set-default-sink", first)) != nil }) else {
      throw Failure("pipewire has no default sink")
    }
  }

  /// The session manager must not touch the computer's own devices; looking for Bluetooth it also ends itself where
  /// logind does not run.
  private func keepFromDevices() throws {
    let rules = [
      "main": ["alsa_monitor", "v4l2_monitor", "libcamera_monitor"],
      "bluetooth": ["bluez_monitor"],
    ]
    for (part, monitors) in rules {
      let place = folder.appendingPathComponent(".config/wireplumber/\(part).lua.d")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try monitors.map { "if \($0) then \($0).enabled = false end\n" }.joined().write(
        to: place.appendingPathComponent("80-no-devices.lua"), atomically: true, encoding: .utf8)
    }
  }

  /// Ends the daemon at once, as a crash does, and waits for its end.
  package func kill() {
    let processes = daemons.withLock { daemons in
      defer { daemons = [] }
      return daemons
    }
    for process in processes.reversed() {
      process.signal(SIGKILL)
      process.wait()
    }
  }

  /// Stops the daemon's threads without ending it, or lets it go on: a daemon that hangs.
  package func freeze(_ frozen: Bool) {
    for process in daemons.withLock({ $0 }) { process.signal(frozen ? SIGSTOP : SIGCONT) }
  }

  private var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_RUNTIME_DIR"] = folder.path
    environment["HOME"] = folder.path
    environment["PULSE_SERVER"] = address
    for name in [
      "DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "WIREPLUMBER_CONFIG_DIR",
      "PIPEWIRE_RUNTIME_DIR", "PIPEWIRE_REMOTE",
    ] {
      environment.removeValue(forKey: name)
    }
    return environment
  }

  /// Runs `pactl` and returns what it prints.
  @discardableResult
  package func control(_ arguments: String...) throws -> String {
    let process = try ChildProcess("/usr/bin/pactl", arguments, environment: environment, readsErrors: true)
    var bytes: [UInt8] = []
    while true {
      let part = try process.read(within: Self.limit)
      if part.isEmpty { break }
      bytes += part
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard process.wait() == 0 else { throw Failure("pactl \(arguments): \(text)") }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Loads a null sink; returns the module's number.
  package func addSink(_ name: String) throws -> String {
    try control("load-module", "module-null-sink", "sink_name=\(name)", "rate=48000", "format=float32le")
  }

  /// Unloads a sink that `pa.conf` or `addSink` made.
  package func removeSink(_ name: String) throws {
    let modules = try control("list", "short", "modules")
    for line in modules.split(separator: "\n")
    where line.contains("sink_name=\(name) ") || line.hasSuffix("sink_name=\(name)") {
      if let number = line.split(separator: "\t").first { try control("unload-module", String(number)) }
    }
  }

  /// A stream that the desktop counts as a call; it lasts as long as the object.
  package final class Call: Sendable {
    private let process: ChildProcess

    init(_ process: ChildProcess) { self.process = process }

    package func end() {
      process.signal(SIGKILL)
      process.wait()
    }
  }

  package func call() throws -> Call {
    try Call(
      ChildProcess(
        "/usr/bin/pacat", ["--playback", "--raw", "--property=media.role=phone", "/dev/zero"],
        environment: environment))
  }

  /// Puts a sink to sleep, as a desktop does with one that another program wants, or wakes it.
  package func suspend(_ sink: String, _ asleep: Bool) throws {
    try control("suspend-sink", sink, asleep ? "1" : "0")
  }

  /// Records what a sink plays, from now on.
  package func record(_ sink: String) throws -> SoundRecording {
    try SoundRecording(
      ChildProcess(
        "/usr/bin/parec",
        [
          "-d", "\(sink).monitor", "--format=float32le", "--rate=48000", "--channels=2", "--raw",
          "--latency-msec=2",
        ], environment: environment))
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
  }
}
