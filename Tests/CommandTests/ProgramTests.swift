import Foundation
import MediaTestSupport
import Testing

/// The built program in processes of its own, as a shell runs it: no terminal, output into files.
@Suite struct ProgramTests {
  private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ProcessRunner.Result {
    let runner = try ProcessRunner("sprocket")
    return try #require(try runner.run(1, arguments: arguments, environment: environment).first)
  }

  private func temporaryFile(_ text: String) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString).mp4")
    try Data(text.utf8).write(to: url)
    return url
  }

  @Test func help_isGivenForTheProgramAndEachCommand() throws {
    let overview = try run(["--help"])
    #expect(overview.exitCode == 0 && overview.output.contains("play") && overview.output.contains("info"))
    for command in ["play", "info", "doctor", "thumbnail"] {
      let help = try run([command, "--help"])
      #expect(help.exitCode == 0)
      #expect(help.output.hasPrefix("usage: sprocket \(command)"))
      #expect(help.output.contains("exit codes:"))
    }
  }

  @Test(arguments: [
    [], ["paly"], ["play"], ["play", "--nonsense", "a.mp4"], ["info"], ["info", "--decoders", "a.mp4"], ["doctor"],
    ["thumbnail"],
  ])
  func wrongCommandLines_endWithTwoAndSaySo(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.exitCode == 2)
    #expect(result.output.isEmpty && !result.errors.isEmpty)
  }

  @Test(arguments: ["play", "info", "thumbnail"])
  func missingFile_endsWithThreeAndTheRemedy(command: String) throws {
    let result = try run([command, "/nonexistent/film.mp4"])
    #expect(result.exitCode == 3)
    #expect((result.output + result.errors).contains("/nonexistent/film.mp4"))
  }

  @Test(arguments: ["play", "info", "thumbnail"])
  func textNamedAsAFilm_endsWithFour(command: String) throws {
    let url = try temporaryFile(String(repeating: "This is no film. ", count: 500))
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(try run([command, url.path], ["SPROCKET_AUDIO": "null"]).exitCode == 4)
  }

  @Test(arguments: ["/nonexistent/a.wav", "/tmp", "/dev/full", "/dev/null"])
  func soundFileThatCantBeWritten_endsWithFiveAtOnce(path: String) throws {
    let result = try run(["play", "--output", "wav:\(path)", try Fixture.film().path])
    #expect(result.exitCode == 5)
    #expect(result.errors.contains(path) && result.output.isEmpty)
  }

  @Test func soundFileThatIsToBePlayed_isNotOverwritten() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString).mp4")
    try FileManager.default.copyItem(at: try Fixture.film(), to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let folder = url.deletingLastPathComponent().path
    let result = try run(["play", "--output", "wav:\(folder)/./\(url.lastPathComponent)", url.path])
    #expect(result.exitCode == 5)
    #expect(try Data(contentsOf: url) == Data(contentsOf: try Fixture.film()))
  }

  @Test(arguments: ["--help", "info FILM", "info --json FILM", "play --json FILM", "play FILM", "info --decoders"])
  func outputThatCantBeWritten_endsWithFive(command: String) throws {
    let program = try ProcessRunner("sprocket").executable.path
    let shell = ProcessRunner(executable: URL(fileURLWithPath: "/bin/sh"))
    for target in [">/dev/full", ">&-"] {
      let line = command.replacingOccurrences(of: "FILM", with: "'\(try Fixture.film().path)'")
      let result = try #require(
        try shell.run(
          1, arguments: ["-c", "exec '\(program)' \(line) \(target)"], environment: ["SPROCKET_AUDIO": "null"]
        )
        .first)
      #expect(result.exitCode == 5 && result.signal == nil, "\(line) \(target)")
      #expect(result.errors.contains("can't be written"))
      #expect(result.errors.contains(target == ">&-" ? "output is closed" : "Free some space"), "\(line) \(target)")
    }
  }

  /// A shell's line in a folder of its own: `$program`, `$film`.
  private func shell(_ line: String, _ environment: [String: String] = [:]) throws -> ProcessRunner.Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = [
      "program": try ProcessRunner("sprocket").executable.path, "film": try Fixture.film().path, "folder": folder.path,
    ]
    let runner = ProcessRunner(executable: URL(fileURLWithPath: "/bin/sh"))
    let results = try runner.run(
      1, arguments: ["-c", "cd \"$folder\" || exit 99\n" + line], environment: names.merging(environment) { $1 })
    return try #require(results.first)
  }

  @Test(arguments: ["play", "play --json", "info"])
  func aReaderThatEnds_endsTheProgramQuietly(command: String) throws {
    let null = ["SPROCKET_AUDIO": "null"]
    let line = "{ env --default-signal=PIPE \"$program\" \(command) \"$film\"; echo $? >&2; } | true"
    let quiet = try shell(line, null)
    #expect(quiet.errors == "141\n")
    let told = try shell(line.replacingOccurrences(of: "--default", with: "--ignore"), null)
    #expect(told.errors.contains("What read it has ended") && told.errors.hasSuffix("5\n"))
  }

  @Test func tooFewDescriptors_areToldBeforeTheyAreMissed() throws {
    for limit in [8, 10, 12, 14, 16] {
      let play = try shell("ulimit -n \(limit); exec \"$program\" play -s 11.5 --output null \"$film\"")
      #expect(play.exitCode == 3 && play.signal == nil && play.errors.contains("Too many files are open"), "\(limit)")
      let info = try shell("ulimit -n \(limit); exec \"$program\" info \"$film\"")
      #expect(info.exitCode == 3 || info.exitCode == 0, "\(limit)")
    }
    // What may be raised is.
    let soft = try shell("ulimit -Sn 10; exec \"$program\" play -s 11.9 --output null \"$film\"")
    #expect(soft.exitCode == 0 && soft.output.contains("ended"))
  }

  @Test func whatHoldsNothing_isEmpty_andWhatSaysSoIsRead() throws {
    for line in ["play - </dev/null", "play /dev/null", "info /dev/null", "info - <&-"] {
      let result = try shell("\"$program\" \(line)", ["SPROCKET_AUDIO": "null"])
      #expect(result.exitCode == 3 && (result.errors.contains("is empty") || line.hasPrefix("info -")), "\(line)")
    }
    #expect(try shell("\"$program\" info /proc/self/cmdline").exitCode == 4)
    let terminal = try shell("exec setsid -w \"$program\" info /dev/tty")
    #expect(terminal.exitCode == 3 && terminal.errors.contains("No such device or address"))
  }

  @Test func soundOutputOfTheEnvironment_isCheckedLikeTheOption() throws {
    let film = try shell(
      "cp \"$film\" a.mp4; SPROCKET_AUDIO=wav:a.mp4 \"$program\" play a.mp4; echo $?; cmp a.mp4 \"$film\"")
    #expect(film.output == "5\n" && film.exitCode == 0)
    #expect(film.errors.contains("would be overwritten"))
    let unknown = try shell("exec \"$program\" play \"$film\"", ["SPROCKET_AUDIO": "bogus"])
    #expect(unknown.exitCode == 2 && unknown.errors.contains("SPROCKET_AUDIO"))
  }

  @Test func soundFileThatCantGrow_endsPlayingWithFive() throws {
    // A mebibyte: Thread Sanitizer's runtime needs half of one for a file of its own.
    let result = try shell("ulimit -f 2048; exec \"$program\" play --json --output wav:x.wav \"$film\"")
    #expect(result.exitCode == 5 && result.signal == nil)
    #expect(result.errors.contains("no room for more of the sound file"))
    #expect(!result.output.contains("\"ended\""))
  }

  @Test func soundFile_isNotMadeForNothing_norWhereTheTextGoes() throws {
    let missing = try shell("\"$program\" play --output wav:x.wav missing; echo $?; ls")
    #expect(missing.output.hasSuffix("3\n"))
    let both = try shell("\"$program\" play --output wav:/dev/stdout \"$film\" >x.wav; echo $?; wc -c <x.wav")
    #expect(both.output == "5\n0\n")
  }

  @Test func linesOfAFile_tellNoPauseAtItsEnd_andNameItsCodecs() throws {
    // Its picture ends before its duration does.
    let result = try shell("exec \"$program\" play --output null \"$song\"", ["song": try Fixture.url("raw.aac").path])
    #expect(result.exitCode == 0 && result.errors.isEmpty)
    #expect(!result.output.contains("paused") && result.output.contains("ended"))
    #expect(result.output.contains(", aac 44100 Hz") || result.output.contains(", aac 48000 Hz"))
    let film = try shell("exec \"$program\" play --start 11.9 --output null \"$film\"")
    #expect(film.output.contains(", h264 640×360"))
  }

  @Test func aCountBehindLoop_isExplained() throws {
    let result = try run(["play", "--loop", "2", try Fixture.film().path])
    #expect(result.exitCode == 2 && result.errors.contains("--loop=2"))
  }

  @Test func aFileThatWasCutOff_isPlayed_andEndsWithOne() throws {
    let song = try Fixture.url("tone.flac").path
    let result = try shell(
      """
      head -c $(($(wc -c <"$song") * 6 / 10)) "$song" >cut.flac
      "$program" play --output null cut.flac 2>&1 >/dev/null
      "$program" play --json --output null cut.flac >lines; echo $?
      grep -c '"event":"ended"' lines; grep -c '"event":"warning"' lines
      "$program" info --exact cut.flac | grep -c 'cut short'
      """, ["song": song])
    #expect(result.output.hasPrefix("sprocket: cut.flac: The file ends before its media does"))
    #expect(result.output.hasSuffix("\n1\n1\n1\n1\n"))
  }

  @Test func aLinkForTheSoundFile_staysALink() throws {
    let result = try shell(
      """
      ln -s target.wav x.wav
      "$program" play --start 11.9 --output wav:x.wav "$film" >/dev/null; echo $?
      test -L x.wav && test -s target.wav && echo kept
      """)
    #expect(result.output == "0\nkept\n")
  }

  @Test func aReaderThatDoesNotRead_doesNotKeepThePlayer() throws {
    // The pipe is full from the beginning. Log lines tell that it plays.
    let result = try shell(
      """
      mkfifo pipe; exec 3<>pipe; head -c 65536 /dev/zero >&3
      "$program" play --json --output null "$film" >pipe 2>log & player=$!
      until grep -q . log || ! kill -0 $player; do sleep 0.05; done
      kill -TERM $player; wait $player
      """, ["SPROCKET_LOG": "trace"])
    #expect(result.exitCode == 130)
  }

  @Test func emptyFiles_areSourcesThatAreNotThere() throws {
    let result = try shell(
      ": >a.mp4; \"$program\" play a.mp4; echo $?; \"$program\" info a.mp4; echo $?", ["SPROCKET_AUDIO": "null"])
    #expect(result.output.split(separator: "\n").filter { Int($0) != nil } == ["3", "3"])
  }

  @Test func soundAlone_ofAFileWithoutSound_isAFailure() throws {
    let result = try run(["play", "--no-video", "--output", "null", try Fixture.url("video-only.mp4").path])
    #expect(result.exitCode == 1 && result.errors.contains("no sound in this file"))
  }

  @Test func info_asJSON_tellsTracksChaptersAndTags() throws {
    let result = try run(["info", "--json", try Fixture.film().path])
    #expect(result.exitCode == 0)
    let reports = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let report = try #require(reports.first)
    #expect(report["duration"] as? Double == 12)
    #expect((report["chapters"] as? [Any])?.count == 3)
    let tracks = try #require(report["tracks"] as? [[String: Any]])
    #expect(tracks.compactMap { $0["codec"] as? String }.prefix(2) == ["h264", "aac"])
  }

  @Test func info_throughALink_tellsTheFilesSize_andOfAPipeNone() throws {
    let link = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString).mp4")
    let film = try Fixture.film()
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: film)
    defer { try? FileManager.default.removeItem(at: link) }
    let size = try #require(try film.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    let linked = try run(["info", link.path]).output
    #expect(linked.contains("\(size) bytes"))
    let program = try ProcessRunner("sprocket").executable.path
    let shell = ProcessRunner(executable: URL(fileURLWithPath: "/bin/sh"))
    let line = "cat '\(try Fixture.url("tone.mp3").path)' | '\(program)' info /dev/stdin"
    let piped = try #require(try shell.run(1, arguments: ["-c", line]).first)
    #expect(piped.output.contains("not possible") && !piped.output.contains(" bytes"))
  }

  @Test func play_inAPipe_writesLinesToTheEnd() throws {
    let result = try run(["play", "--start", "11", "--output", "null", try Fixture.film().path])
    #expect(result.exitCode == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.contains { $0.contains("playing") })
    #expect(lines.last?.contains("ended") == true)
  }

  @Test func play_asJSON_tellsEventsInOrder() throws {
    let result = try run(["play", "--json", "--start", "11.5", "--output", "null", try Fixture.film().path])
    let events = try result.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let names = events.compactMap { $0["event"] as? String }.filter { $0 != "time" && $0 != "state" }
    #expect(names == ["begin", "opened", "ended"])
    let states = events.compactMap { $0["state"] as? String }
    #expect(states.first == "loading" && states.last == "ended" && states.contains("playing"))
  }

  @Test func play_ofABadAndAGoodFile_playsTheGoodOneAndTellsOfTheBadOne() throws {
    let film = try Fixture.film().path
    let result = try run(["play", "--output", "null", "--start", "11.5", "/nonexistent.mp4", film])
    #expect(result.exitCode == 3)
    #expect(result.output.contains("  failed\n") && result.output.contains("ended"))
    #expect(result.errors.hasPrefix("sprocket: /nonexistent.mp4: ") && result.errors.split(separator: "\n").count == 1)
  }

  @Test func play_fromAPipe_playsToTheEnd() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString)").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let program = try ProcessRunner("sprocket").executable.path
    let shell = ProcessRunner(executable: URL(fileURLWithPath: "/bin/sh"))
    let clip = try Fixture.url("tone.mp3").path
    let line = "cat '\(clip)' >'\(path)' & exec '\(program)' play --output null '\(path)'"
    let result = try #require(try shell.run(1, arguments: ["-c", line]).first)
    #expect(result.exitCode == 0)
    #expect(result.output.contains("playing") && result.output.contains("ended"))
  }

  @Test(arguments: [[], ["--loop"]])
  func play_fromBehindTheEnd_saysSoOnce(options: [String]) throws {
    let result = try run(["play", "--output", "null", "--start", "99:00"] + options + [try Fixture.film().path])
    #expect(result.exitCode == 1)
    #expect(result.errors.components(separatedBy: "nothing to play").count == 2)
  }

  @Test func decoders_areListedWithH264() throws {
    let result = try run(["info", "--decoders", "--json"])
    let decoders = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(decoders.contains { $0["name"] as? String == "h264" && $0["kind"] as? String == "video" })
  }
}
