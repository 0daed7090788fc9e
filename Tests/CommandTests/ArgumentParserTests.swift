import CoreMedia
import Testing
import VideoOutput

@testable import sprocket

@Suite struct ArgumentParserTests {
  private let parser = ArgumentParser(options: [
    OptionSpec("start", letter: "s", value: "TIME", ""), OptionSpec("mute", letter: "m", ""),
    OptionSpec("loop", letter: "l", value: "N", isValueOptional: true, ""), OptionSpec("json", letter: "j", ""),
  ])

  private func message(_ arguments: [String]) -> String? {
    do {
      _ = try parser.parse(arguments)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func longAndShortForms_meanTheSame() throws {
    let long = try parser.parse(["--start", "1:30", "--mute", "a.mp4"])
    #expect(long == ParsedArguments(positionals: ["a.mp4"], options: ["start": "1:30", "mute": ""]))
    #expect(try parser.parse(["-s", "1:30", "-m", "a.mp4"]) == long)
    #expect(try parser.parse(["--start=1:30", "a.mp4", "-m"]) == long)
    #expect(try parser.parse(["-ms1:30", "a.mp4"]) == long)
  }

  @Test func doubleDash_endsTheOptions() throws {
    #expect(try parser.parse(["--", "--mute", "-x"]).positionals == ["--mute", "-x"])
  }

  @Test func loneDash_isAPositional() throws {
    #expect(try parser.parse(["-"]).positionals == ["-"])
  }

  @Test func optionalValue_isTakenOnlyBehindAnEqualsSign() throws {
    let parsed = try parser.parse(["--loop", "3", "--loop=4"])
    #expect(parsed.positionals == ["3"])
    #expect(parsed.value("loop") == "4")
    #expect(try parser.parse(["--loop"]).value("loop") == "")
  }

  @Test func valueWithEqualsSigns_isKeptWhole() throws {
    #expect(try parser.parse(["--start=a=b"]).value("start") == "a=b")
  }

  @Test func mistypedOption_isCorrected() {
    #expect(message(["--strat", "1"]) == "Unknown option --strat. Did you mean --start?")
    #expect(message(["--zzzzzz"]) == "Unknown option --zzzzzz.")
    #expect(message(["-m.mp4"])?.hasPrefix("Unknown option -. in -m.mp4. A file") == true)
    #expect(message(["-x"]) == "Unknown option -x. A file whose name begins with - is given behind --.")
  }

  @Test func missingAndSuperfluousValues_areToldWithTheRemedy() {
    #expect(message(["--start"]) == "--start needs a value: --start TIME.")
    #expect(message(["-s"]) == "-s needs a value: -s TIME.")
    for arguments in [["--start="], ["--start", ""], ["-s", ""], ["-ms", ""]] {
      #expect(message(arguments)?.contains("needs a value") == true)
    }
    #expect(message(["--loop="]) == "--loop needs a value: --loop=N, or --loop alone.")
    #expect(message(["--mute=yes"]) == "--mute takes no value.")
  }

  @Test(arguments: [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "abc", 0), ("paly", "play", 1), ("ab", "", 2)])
  func editDistance_countsEdits(left: String, right: String, expected: Int) {
    #expect(editDistance(left, right) == expected)
  }
}

@Suite struct PlayOptionsTests {
  private func options(_ arguments: [String]) throws -> PlayOptions {
    try PlayOptions(ArgumentParser(options: PlayOptions.specs).parse(arguments))
  }

  @Test func everyOption_isRead() throws {
    let read = try options([
      "--start", "1:02.5", "--loop=3", "--volume", "40", "--mute", "--audio-only", "--picture", "sixel", "--output",
      "wav:out.wav", "--json", "a.mp4", "b.mp4",
    ])
    #expect(read.addresses == ["a.mp4", "b.mp4"])
    #expect(read.start?.seconds == 62.5)
    #expect(read.repetitions == 3)
    #expect(read.volume == 0.4)
    #expect(read.isMuted && !read.showsVideo)
    #expect(read.picture == .sixel)
    #expect(read.output == .wav("out.wav"))
    #expect(read.report == .json)
  }

  @Test func loopWithoutACount_isForEver() throws {
    #expect(try options(["--loop", "a.mp4"]).repetitions == nil)
    #expect(try options(["a.mp4"]).repetitions == 1)
  }

  @Test(arguments: [
    ["--start", "1:99"], ["--start", "x"], ["--loop=0"], ["--loop=x"], ["--volume", "101"], ["--volume", "nan"],
    ["--picture", "oil"], ["--output", "tape"], ["--output", "wav:"],
  ])
  func badValues_areUsageErrors(arguments: [String]) {
    #expect(throws: UsageError.self) { try options(arguments + ["a.mp4"]) }
  }
}
