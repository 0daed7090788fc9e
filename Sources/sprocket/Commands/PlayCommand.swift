import AVFoundation
import AudioOutput
import Dispatch
import Foundation
import Glibc
import MediaRuntime

extension Command {
  @MainActor static let play = Command(
    name: "play", usage: "play [OPTION…] FILE…",
    summary: "Play files one after the other, in a terminal with the picture in it.", options: PlayOptions.specs
  ) { parsed, completion in
    let options = try PlayOptions(parsed)
    guard !options.addresses.isEmpty else { throw UsageError("Name at least one file to play.") }
    let output = try options.output ?? .init(environment: ProcessInfo.processInfo.environment["SPROCKET_AUDIO"])
    try output.select(beside: options.addresses)
    let command = PlayCommand(options, completion)
    PlayCommand.current = command
    command.begin()
  }
}

/// Playing with everything around it: reporter, keyboard, signals. One per process.
@MainActor
final class PlayCommand {
  static var current: PlayCommand?

  private let session: PlaySession
  private let terminal: TerminalPlayer?
  private var sources: [any DispatchSourceProtocol] = []
  private let output: LineOutput
  private let completion: (ExitCode) -> Void
  private var isEnding = false
  /// How long the end waits for a reader when a signal wants it.
  private static let patience = Nanoseconds.milliseconds(500)

  init(_ options: PlayOptions, _ completion: @escaping (ExitCode) -> Void) {
    let screen = options.report == .automatic ? TerminalScreen() : nil
    let terminal = screen.map { TerminalPlayer(screen: $0, style: options.picture) }
    self.terminal = terminal
    let output = LineOutput()
    self.output = output
    self.completion = completion
    let write: (String) -> Void = { output.write($0) }
    let lines: any PlayReporter =
      options.report == .json
      ? JSONReporter(write: write) : LineReporter(write: write) { ProgramOutput.tell("sprocket: \($0)\n") }
    session = PlaySession(options: options, reporter: terminal ?? lines) { PlayCommand.current?.end($0) }
    terminal?.session = session
    OpenCaptures.whenFailed { error in
      RealScheduler.shared.deliver("sound file failed", to: nil) {
        MainActor.assumeIsolated { PlayCommand.current?.session.finish(.outputFailed) }
      }
    }
  }

  func begin() {
    watchSignals()
    let typed = terminal?.enter() ?? []
    if terminal != nil { watchKeys() }
    session.start()
    // Only now is there something for them to act on.
    terminal?.handle(typed)
    flushKeysLater()
  }

  /// The session is over: what it said and what was heard goes out first.
  private func end(_ code: ExitCode) {
    isEnding = true
    output.finish(within: code == .interrupted ? Self.patience : nil) { [completion] in
      guard let failure = OpenCaptures.settle() else { return completion(code) }
      ProgramOutput.tell("sprocket: \(EngineError(failure).localizedDescription)\n")
      completion(.outputFailed)
    }
  }

  private func interrupt() {
    guard isEnding else { return session.finish(.interrupted) }
    output.finish(within: Self.patience) { [completion] in completion(.interrupted) }
  }

  private func watchKeys() {
    let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    keys.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        self?.terminal?.readKeys()
        self?.flushKeysLater()
      }
    }
    keys.resume()
    sources.append(keys)
  }

  /// Milliseconds that the bytes of one key may be apart: on slow lines they come in several reads.
  private static let keyPatience = 40
  private var flushing: (any DispatchSourceTimer)?

  private func flushKeysLater() {
    flushing?.cancel()
    flushing = nil
    guard terminal?.isWaitingForKey == true else { return }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + .milliseconds(Self.keyPatience))
    timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.terminal?.flushKeys() } }
    timer.resume()
    flushing = timer
  }

  private func watchSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] { watch(number) { $0.interrupt() } }
    guard terminal != nil else { return }
    watch(SIGQUIT) { $0.interrupt() }
    watch(SIGWINCH) { $0.terminal?.resize() }
    watch(SIGTSTP) { $0.suspend() }
    watch(SIGCONT) { $0.resume() }
  }

  private func watch(_ number: Int32, _ action: @escaping @MainActor (PlayCommand) -> Void) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        if let self { action(self) }
      }
    }
    source.resume()
    sources.append(source)
  }

  private var wasPlaying = false

  /// Ctrl-Z: the terminal is given back before the process stops.
  private func suspend() {
    guard !isEnding else { return }
    wasPlaying = session.player.rate != 0
    session.player.pause()
    terminal?.leave()
    kill(getpid(), SIGSTOP)
  }

  /// In the foreground again: also after a stop that nobody announced, for the shell has set its own modes since.
  private func resume() {
    guard !isEnding, terminal?.isInForeground == true else { return }
    terminal?.leave()
    let typed = terminal?.enter() ?? []
    terminal?.resize()
    if wasPlaying { session.player.play() }
    wasPlaying = false
    terminal?.handle(typed)
    flushKeysLater()
  }
}
