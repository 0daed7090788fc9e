import Foundation
import MediaRuntime

/// A private PulseAudio daemon with null sinks: never the user's own.
///
/// A missing `pulseaudio` is an error, hence a failed test.
package final class SoundServer: @unchecked Sendable {
  // `daemon` is behind its lock; the rest never changes.

  /// Holds the daemon's socket; removed with this object.
  private let folder: URL
  private let daemon = Lock<ChildProcess?>(nil)
  private let sinks: [String]
  private let hasRoleCork: Bool

  /// Seconds for which one of the programs may be silent.
  static let limit = 20

  /// libpulse's address of the daemon.
  package var address: String { "unix:\(folder.path)/native" }

  /// Starts a daemon and returns when it serves.
  /// - Parameters:
  ///   - sinks: names of the null sinks; the first one is the default.
  ///   - rate: their sample rate.
  package init(sinks: [String] = ["one"], rate: Int = 48_000, hasRoleCork: Bool = false) throws {
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
    daemon.withLock { $0 = process }
    // Its log has to flow, or it would stand still one day.
    Thread.detachNewThread { while !process.read().isEmpty {} }
  }

  /// Ends the daemon at once, as a crash does, and waits for its end.
  package func kill() {
    let process = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    process?.signal(SIGKILL)
    process?.wait()
  }

  /// Stops the daemon's threads without ending it, or lets it go on: a daemon that hangs.
  package func freeze(_ frozen: Bool) {
    daemon.withLock { $0 }?.signal(frozen ? SIGSTOP : SIGCONT)
  }

  private var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_RUNTIME_DIR"] = folder.path
    environment["HOME"] = folder.path
    environment["PULSE_SERVER"] = address
    environment.removeValue(forKey: "DISPLAY")
    environment.removeValue(forKey: "DBUS_SESSION_BUS_ADDRESS")
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
