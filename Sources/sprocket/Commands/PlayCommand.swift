import AVFoundation
import Dispatch
import Foundation
import Glibc

extension Command {
  @MainActor static let play = Command(
    name: "play", usage: "play [OPTION…] FILE…",
    summary: "Play files one after the other, in a terminal with the picture in it.", options: PlayOptions.specs
  ) { parsed, completion in
    let options = try PlayOptions(parsed)
    guard !options.addresses.isEmpty else { throw UsageError("Name at least one file to play.") }
    try options.output.select(beside: options.addresses)
    PlayCommand.current = PlayCommand(options, completion)
  }
}

/// Playing with everything around it: reporter, keyboard, signals. One per process.
@MainActor
final class PlayCommand {
  static var current: PlayCommand?

  private let session: PlaySession
  private let terminal: TerminalPlayer?
  private var sources: [any DispatchSourceProtocol] = []

  init(_ options: PlayOptions, _ completion: @escaping (ExitCode) -> Void) {
    let screen = options.report == .automatic ? TerminalScreen() : nil
    let terminal = screen.map { TerminalPlayer(screen: $0, style: options.picture) }
    self.terminal = terminal
    let write: (String) -> Void = { line in ProgramOutput.write(line + "\n") }
    let lines: any PlayReporter = options.report == .json ? JSONReporter(write: write) : LineReporter(write: write)
    session = PlaySession(options: options, reporter: terminal ?? lines, completion: completion)
    terminal?.session = session
    watchSignals()
    let typed = terminal?.enter() ?? []
    if terminal != nil { watchKeys() }
    session.start()
    // Only now is there something for them to act on.
    terminal?.handle(typed)
    flushKeysLater()
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
    watch(SIGINT) { $0.session.finish(.interrupted) }
    watch(SIGTERM) { $0.session.finish(.interrupted) }
    watch(SIGHUP) { $0.session.finish(.interrupted) }
    guard terminal != nil else { return }
    watch(SIGQUIT) { $0.session.finish(.interrupted) }
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
    wasPlaying = session.player.rate != 0
    session.player.pause()
    terminal?.leave()
    kill(getpid(), SIGSTOP)
  }

  private func resume() {
    let typed = terminal?.enter() ?? []
    terminal?.resize()
    if wasPlaying { session.player.play() }
    wasPlaying = false
    terminal?.handle(typed)
    flushKeysLater()
  }
}
