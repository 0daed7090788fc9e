import Foundation
import Glibc
import MediaTestSupport
import Testing

/// `sprocket play` in a terminal of its own: what is shown, what keys do, and how the terminal is left.
extension DeviceTests {
  @Suite struct TerminalPlayerTests {
    private static let entered = "\u{1b}[?1049h"
    private static let left = "\u{1b}[?1049l"
    private static let cursorShown = "\u{1b}[?25h"

    private func play(
      _ arguments: [String] = [], environment: [String: String] = [:], answer: String = "\u{1b}[?62;22c",
      answersLate: Bool = false
    ) throws -> TerminalProcess {
      try TerminalProcess(
        try ProcessRunner("sprocket").executable, ["play", "--output", "null"] + arguments + [try Fixture.film().path],
        environment: ["COLORTERM": "truecolor", "TMUX": "", "NO_COLOR": ""].merging(environment) { $1 }, answer: answer,
        answersLate: answersLate)
    }

    private func expectTheTerminalIsGivenBack(_ terminal: TerminalProcess) {
      let text = String(decoding: terminal.output, as: UTF8.self)
      #expect(text.contains(Self.left) && text.contains(Self.cursorShown))
      #expect(terminal.isAsAShellLeavesIt)
    }

    @Test func pictureAndStatus_areShown_andQLeaves() throws {
      let terminal = try play()
      try terminal.until(Self.entered)
      #expect(!terminal.isAsAShellLeavesIt)
      try terminal.until("\u{1b}[38;2;")
      try terminal.until("▀")
      try terminal.until("▶ 0:")
      terminal.type("q")
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
      expectTheTerminalIsGivenBack(terminal)
    }

    @Test func subtitlesStandOverThePicture_andKeysChangeThem() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("subs-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("film.srt")
      try Data("1\n00:00:00,000 --> 00:00:11,000\nOver the picture\n".utf8).write(to: file)
      let terminal = try play(["--sub", file.path])
      try terminal.until(" Over the picture ")
      terminal.type("x")
      try terminal.until("100 ms later")
      terminal.type("v")
      try terminal.until("Subtitles off")
      terminal.type("v")
      try terminal.until("Subtitles 1/1")
      try terminal.until(" Over the picture ")
      terminal.type("q")
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
    }

    /// A terminal that draws pixels gets the letters' colour among them.
    @Test func subtitlesAreDrawnIntoThePicture() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("subs-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("film.srt")
      try Data("1\n00:00:00,000 --> 00:00:11,000\n<font color=\"#ff0000\">RED LETTERS</font>\n".utf8).write(to: file)
      func sixels(_ arguments: [String]) throws -> String {
        let terminal = try play(["--picture", "sixel"] + arguments)
        try terminal.until("\u{1b}P0;1;0q")
        terminal.type(" ")
        try terminal.until("‖ 0:")
        terminal.type("0")
        try terminal.until("‖ 0:00")
        terminal.type("q")
        _ = try terminal.finish()
        return String(decoding: terminal.output, as: UTF8.self)
      }
      // The palette's pure red is used by the letters alone; each picture defines it.
      func reds(_ text: String) -> Int { text.matches(of: /#210[^;]/).count }
      let (plain, subtitled) = (try sixels([]), try sixels(["--sub", file.path]))
      #expect(reds(plain) == 0 && reds(subtitled) > 0, "\(reds(plain)), \(reds(subtitled))")
    }

    @Test func keys_act_andTheStatusLineTells() throws {
      let terminal = try play()
      try terminal.until("▶ 0:")
      terminal.type("m")
      try terminal.until("muted")
      terminal.type("m")
      try terminal.until("vol 100%")
      terminal.type("-")
      try terminal.until("vol 95%")
      terminal.type(" ")
      try terminal.until("‖ 0:")
      terminal.type("5")
      try terminal.until("‖ 0:06")
      terminal.type("\u{1b}[C")
      try terminal.until("‖ 0:11")
      terminal.type("0")
      try terminal.until("‖ 0:00")
      terminal.type("?")
      try terminal.until("this help")
      terminal.type("?")
      try terminal.until("‖ 0:00")
      terminal.type("9 ")
      try terminal.until("▶ 0:10")
      // The film's end ends the program.
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
      expectTheTerminalIsGivenBack(terminal)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
    func signals_leaveTheTerminalAsItWas(signal: Int32) throws {
      let terminal = try play()
      try terminal.until("▶ 0:")
      terminal.signal(signal)
      let ending = try terminal.finish()
      #expect(ending == .exit(130))
      expectTheTerminalIsGivenBack(terminal)
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGILL])
    func crash_leavesTheTerminalAsItWas_withWhatWasSaid(signal: Int32) throws {
      var environment = ["SPROCKET_LOG": "trace", "SWIFT_BACKTRACE": "enable=no"]
      // A sanitizer would take the first of these signals for itself.
      for (name, options) in ProcessInfo.processInfo.environment where name.hasSuffix("SAN_OPTIONS") {
        environment[name] = options + ":handle_segv=0"
      }
      let terminal = try play(environment: environment)
      try terminal.until("▶ 0:")
      terminal.signal(signal)
      let ending = try terminal.finish()
      #expect(ending == .signal(signal))
      expectTheTerminalIsGivenBack(terminal)
      let said = String(decoding: terminal.output, as: UTF8.self).components(separatedBy: Self.left).last
      #expect(said?.contains(" trace ") == true)
    }

    @Test func help_staysAloneOnTheScreen_inAnotherSizeToo() throws {
      let terminal = try play()
      try terminal.until("▶ 0:")
      terminal.type(" 9")
      try terminal.until("‖ 0:10")
      terminal.type("?")
      try terminal.until("this help")
      terminal.type("?")
      try terminal.until("▀")
      // Under the help the film plays on to its end, which ends the program.
      terminal.type(" ?")
      try terminal.until("this help")
      terminal.resize(columns: 40, rows: 12)
      let meanwhile = try terminal.until(Self.left)
      #expect(meanwhile.contains("this help"))
      #expect(!meanwhile.contains("▀"))
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
    }

    @Test func keysTypedWhileTheTerminalIsAsked_actOnTheFilm() throws {
      let terminal = try play(answersLate: true)
      try terminal.until("\u{1b}[c")
      terminal.type(" ")
      terminal.answerNow()
      try terminal.until("‖ 0:0")
      terminal.type("q")
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
    }

    @Test func controlC_isASignal_andControlZ_givesTheTerminalBackUntilItGoesOn() throws {
      let terminal = try play()
      try terminal.until("▶ 0:")
      terminal.type("\u{1a}")
      try terminal.untilStopped()
      expectTheTerminalIsGivenBack(terminal)
      terminal.signal(SIGCONT)
      try terminal.until(Self.entered)
      try terminal.until("▶ 0:")
      terminal.type("\u{3}")
      let ending = try terminal.finish()
      #expect(ending == .exit(130))
      expectTheTerminalIsGivenBack(terminal)
    }

    @Test func aStopFromElsewhere_andAShellsModes_areOvercome() throws {
      let terminal = try play()
      try terminal.until("▶ 0:")
      terminal.signal(SIGSTOP)
      try terminal.untilStopped()
      terminal.makeAsAShellDoes()
      #expect(terminal.isAsAShellLeavesIt)
      terminal.signal(SIGCONT)
      try terminal.until(Self.entered)
      try terminal.until("▶ 0:")
      #expect(!terminal.isAsAShellLeavesIt)
      terminal.type("q")
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
      expectTheTerminalIsGivenBack(terminal)
    }

    @Test func anotherSize_drawsAgainWithinIt() throws {
      let terminal = try play()
      try terminal.until("▶ 0:")
      terminal.type(" ")
      try terminal.until("‖ 0:")
      terminal.resize(columns: 40, rows: 12)
      try terminal.until("\u{1b}[2J")
      // The last line of the new size.
      try terminal.until("\u{1b}[12;1H")
      terminal.type("q")
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
    }

    @Test(
      arguments: [
        ("\u{1b}[?62;4;22c", "\u{1b}P"), ("\u{1b}_Gi=4211;OK\u{1b}\\\u{1b}[6;20;10t\u{1b}[?62;22c", "\u{1b}_G"),
      ])
    func terminalsThatDrawPixels_getThem(answer: String, form: String) throws {
      let terminal = try play(answer: answer)
      try terminal.until("▶ 0:")
      try terminal.until(form)
      terminal.type("q")
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
      expectTheTerminalIsGivenBack(terminal)
    }

    @Test func terminalThatAnswersNothing_getsBlocks() throws {
      let terminal = try play(answer: "")
      try terminal.until("▀")
      terminal.type("q")
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
    }

    @Test func terminalThatAnswersLate_getsItsFormThen() throws {
      let terminal = try play(answer: "\u{1b}[?62;4;22c", answersLate: true)
      try terminal.until("▀")
      terminal.answerNow()
      try terminal.until("\u{1b}P")
      terminal.type("q")
      let ending = try terminal.finish()
      #expect(ending == .exit(0))
    }

    @Test func inTmux_theScreenIsAsBefore() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tmux-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let tmux = try Tmux(folder)
      defer { tmux.stop() }
      let program = try ProcessRunner("sprocket").executable.path
      try tmux.run("PS1='ready> '; clear; echo before")
      try tmux.run("'\(program)' play --output null --start 11 '\(try Fixture.film().path)'; echo exit $?")
      let screen = try tmux.screen()
      #expect(screen.contains("before") && screen.contains("exit 0"))
      #expect(!screen.contains("▀"))
    }
  }
}

/// A tmux server with one shell.
private struct Tmux {
  private let socket: String

  init(_ folder: URL) throws {
    socket = folder.appendingPathComponent("socket").path
    // Programs built with a sanitizer print what they were told not to without these.
    let kept = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    let variables = kept.map { "\($0.key)='\($0.value)'" } + ["TERM=screen-256color"]
    try command(
      "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24",
      "env -i \(variables.joined(separator: " ")) sh -i")
  }

  /// Types a line into the shell and returns when it was done.
  func run(_ line: String) throws {
    try command("send-keys", "-l", "\(line); tmux -S \(socket) wait-for -S done")
    try command("send-keys", "Enter")
    try command("wait-for", "done")
  }

  func screen() throws -> String { try command("capture-pane", "-p") }

  struct Refused: Error {
    let command: [String]
    let errors: String
  }

  func stop() { _ = try? command("kill-server") }

  @discardableResult
  private func command(_ arguments: String...) throws -> String {
    let runner = ProcessRunner(executable: URL(fileURLWithPath: "/usr/bin/tmux"))
    let result = try runner.run(1, arguments: ["-S", socket] + arguments, environment: ["LC_ALL": "C.UTF-8"])
    guard let first = result.first, first.exitCode == 0 else {
      throw Refused(command: arguments, errors: result.first?.errors ?? "")
    }
    return first.output
  }
}
