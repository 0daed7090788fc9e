import MediaRuntime
import Testing

@Suite struct LogTests {
  @Test(arguments: [
    ("", "any", Log.Level.warning), ("debug", "any", .debug), ("off", "any", .off), ("demux:trace", "demux", .trace),
    ("demux:trace", "network", .warning), ("demux:trace, network:error ,info", "network", .error),
    ("demux:trace, network:error ,info", "decode", .info),
  ])
  func aFilterGivesEachCategoryItsLevel(text: String, category: String, level: Log.Level) {
    #expect(LogFilter(text).level(of: category) == level)
  }

  @Test func partsThatAreNoLevelAreRejectedAndSaidOnce() {
    #expect(LogFilter("loud,demux:,:debug,a:b:c,info").rejected == ["loud", "demux:", ":debug", "a:b:c"])
    let lines = Recorder<String>()
    _ = LogRegistry(filter: LogFilter("lo\u{1B}ud"), output: { lines.add($0) })
    #expect(lines.all == ["sprocket: SPROCKET_LOG: “lo\\u{1B}ud” is neither a level nor category:level.\n"])
  }

  @Test func aMessageThatIsOffIsNotBuilt() {
    let lines = Recorder<String>()
    let log = Log("test", in: LogRegistry(filter: LogFilter("info"), output: { lines.add($0) }))
    func text() -> String {
      lines.add("built")
      return "text"
    }
    log.debug(text())
    #expect(lines.all.isEmpty)
    log.info(text())
    #expect(lines.count == 2)
    #expect(lines.all.last?.hasSuffix(" info test: text\n") == true)
  }

  @Test func levelsCanBeSetAnew() {
    let lines = Recorder<String>()
    let registry = LogRegistry(filter: LogFilter(), output: { lines.add($0) })
    let log = Log("test", in: registry)
    #expect(!log.isEnabled(.trace))
    #expect(registry.configure("test:trace,nonsense") == ["nonsense"])
    #expect(log.isEnabled(.trace))
    _ = registry.configure("off")
    log.error("silence")
    #expect(lines.all.isEmpty)
  }

  @Test func strangersTextsReachNoTerminalRaw() {
    #expect(LogRegistry.escaped("a\nb\u{1B}[2Jc\u{202E}") == "a\\nb\\u{1B}[2Jc\\u{202E}")
    #expect(LogRegistry.escaped("Größe 漢字 👨‍👩‍👧") == "Größe 漢字 👨‍👩‍👧")
  }
}
