import Foundation
import Glibc
import MediaTestSupport
import Testing

/// `sprocket doctor` as a shell runs it.
@Suite struct DoctorProgramTests {
  /// A shell's line in a folder of its own: `$program`, `$clips`.
  private func shell(_ line: String) throws -> ProcessRunner.Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sprocket-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    // Another user is to look into it.
    chmod(folder.path, 0o755)
    defer { try? FileManager.default.removeItem(at: folder) }
    let names = [
      "program": try ProcessRunner("sprocket").executable.path, "folder": folder.path,
      "clips": try Fixture.existing("Fixtures/Generated").path,
    ]
    let runner = ProcessRunner(executable: URL(fileURLWithPath: "/bin/sh"))
    return try #require(
      try runner.run(1, arguments: ["-c", "cd \"$folder\" || exit 99\n" + line], environment: names).first)
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  @Test(arguments: [
    ("base.mp4", 0), ("plain.mp4", 0), ("silent.m4a", 0), ("damaged.mp4", 1), ("trunc-fast.mp4", 4),
    ("protected.mp4", 4),
    ("lone-segment.m4s", 4), ("missing.mp4", 3), ("", 3),
  ])
  func theExitCode_tellsHowGraveItIs(clip: String, code: Int32) throws {
    #expect(try shell("exec \"$program\" doctor \"$clips/\(clip)\"").exitCode == code)
  }

  @Test func severalFiles_areToldOfInOrder_andTheFirstThatIsNotHealthyGivesTheCode() throws {
    let result = try shell("cd \"$clips\"; exec \"$program\" doctor base.mp4 damaged.mp4 trunc-fast.mp4 nothing.mp4")
    #expect(result.exitCode == 1 && result.errors.isEmpty)
    let heads = result.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(heads == ["base.mp4", "damaged.mp4", "trunc-fast.mp4", "nothing.mp4"])
  }

  @Test func text_namesTheFinding_itsNumbersAndTheRemedy() throws {
    let output = try shell("exec \"$program\" doctor \"$clips/trunc-fast.mp4\"").output
    #expect(output.contains("  verdict     1 fault, all of it read and decoded\n"))
    #expect(output.contains("  fault       truncated (container)\n"))
    #expect(output.contains("(59 %)") && output.contains("→ Fetch it again"))
    let healthy = try shell("exec \"$program\" doctor \"$clips/base.mp4\"").output
    #expect(healthy.hasSuffix("base.mp4\n  verdict     healthy, all of it read and decoded\n"))
  }

  @Test func json_hasStableKeys() throws {
    let result = try shell(
      "exec \"$program\" doctor --json \"$clips/silent.m4a\" /nonexistent https://example.com/a.mp4")
    let files = try objects(result.output)
    #expect(files.count == 3 && result.exitCode == 3)
    let song = try #require(files.first)
    #expect(song["verdict"] as? String == "healthy" && song["examined"] as? String == "whole")
    #expect(song["codecs"] as? [String] == ["aac"])
    let finding = try #require((song["findings"] as? [[String: Any]])?.first)
    #expect(finding.keys.sorted() == ["evidence", "id", "layer", "message", "remedy", "severity", "track"])
    #expect(finding["id"] as? String == "silent-sound" && finding["severity"] as? String == "note")
    #expect((finding["evidence"] as? [String: Any])?["samples"] as? Int == 144_000)
    let names = files.dropFirst().compactMap { ($0["findings"] as? [[String: Any]])?.first?["id"] as? String }
    #expect(names == ["missing", "bad-address"])
  }

  @Test func quick_looksAtTheHeaderAlone() throws {
    let result = try shell("exec \"$program\" doctor --quick --json \"$clips/silent.m4a\" \"$clips/trunc-fast.mp4\"")
    let files = try objects(result.output)
    #expect(files.compactMap { $0["examined"] as? String } == ["header", "header"])
    #expect(files.compactMap { $0["verdict"] as? String } == ["healthy", "faults"])
  }

  @Test func aFileOfAnotherUser() throws {
    let user = getuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : ""
    let line = "cp \"$clips/tone.mp3\" a.mp3; chmod 000 a.mp3; cp \"$program\" program; chmod 755 program"
    let result = try shell("\(line); exec \(user) ./program doctor --json a.mp3")
    let findings = try #require(try objects(result.output).first?["findings"] as? [[String: Any]])
    #expect(findings.compactMap { $0["id"] as? String } == ["no-permission"] && result.exitCode == 3)
  }

  @Test func aPipe_isExaminedLikeAFile() throws {
    let result = try shell(
      "\"$program\" doctor - <\"$clips/tone.mp3\"; cat \"$clips/trunc-fast.mp4\" | \"$program\" doctor -")
    #expect(result.output.contains("healthy") && result.output.contains("truncated") && result.exitCode == 4)
  }

  @Test func namesThatSteerATerminal_areShownHarmless() throws {
    let result = try shell("cp \"$clips/silent.m4a\" \"$(printf 'a\\033[31m.m4a')\"; exec \"$program\" doctor a*")
    #expect(!result.output.contains("\u{1b}") && result.output.contains("silent-sound"))
  }
}
