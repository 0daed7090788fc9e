import MediaEngine
import MediaTestSupport
import Testing

/// Blocks as radio stations send them, and as nobody should.
@Suite struct ICYMetadataTests {
  private func read(_ text: String) -> ICYMetadata { ICYMetadata(block: text.utf8) }

  @Test func titleAndAddress() {
    let block = read("StreamTitle='Björk - Play Dead';StreamUrl='https://radio.example/now';\0\0\0")
    #expect(block.streamTitle == "Björk - Play Dead")
    #expect(block.streamURL == "https://radio.example/now")
    let keys = block.entries.map(\.key)
    #expect(keys == ["StreamTitle", "StreamUrl"])
    #expect(block.entries.allSatisfy { $0.keySpace == .icy })
  }

  @Test(arguments: [
    ("StreamTitle='Don't Stop';StreamUrl='';", "Don't Stop"),
    ("StreamTitle='Rock 'n' Roll'; live';StreamUrl='';", "Rock 'n' Roll'; live"),
    ("StreamTitle='a';b=c';", "a';b=c"),
    ("StreamTitle='It''';", "It''"),
    ("StreamTitle='cut off", "cut off"),
    ("StreamTitle='cut off'", "cut off"),
    ("StreamTitle='';", ""),
    ("StreamTitle=plain;StreamUrl='x';", "plain"),
    ("streamtitle='small letters';", "small letters"),
    (" ; StreamTitle='blanks'; ", "blanks"),
    ("adw_ad='true';durationMilliseconds='3';StreamTitle='behind others';", "behind others"),
    ("StreamTitle='first';StreamTitle='second';", "first"),
    ("StreamTitle='a=b;c';", "a=b;c"),
    ("StreamTitle='x';StreamNext=1;", "x"),
    ("what is this;StreamTitle='found';", "found"),
  ])
  func titles(_ block: String, title: String) {
    #expect(read(block).streamTitle == title)
  }

  @Test func eachValueHasItsOwnEncoding() {
    let bytes = Array("StreamTitle='".utf8) + [0x42, 0x6A, 0xF6, 0x72, 0x6B] + Array("';StreamUrl='ö';".utf8)
    let block = ICYMetadata(block: bytes)
    #expect(block.streamTitle == "Björk")
    #expect(block.streamURL == "ö")
  }

  @Test(arguments: ["", "\0StreamTitle='behind the end';", "='x';", "StreamTitle", "'';'';", "Stream Title='x';"])
  func nothingToRead(_ block: String) {
    #expect(read(block).streamTitle == nil)
    #expect(read(block).entries.isEmpty)
  }

  @Test func anEmptyTitleIsSaidButIsNoTag() {
    #expect(read("StreamTitle='';").streamTitle == "")
    #expect(read("StreamTitle='';").entries.isEmpty)
  }

  @Test func endlessBlocksAreCut() {
    let block = ICYMetadata(block: Array("StreamTitle='".utf8) + [UInt8](repeating: 0x61, count: 1_000_000))
    #expect(block.streamTitle?.utf8.count == ICYMetadata.longestBlock - 13)
  }

  /// Each is read in a number of steps that its 4,080 bytes bound; whatever comes is part of the block.
  @Test func noBytesAreTooStrange() {
    var numbers = SeededNumbers(20)
    let alphabet = Array("StreamTitle='; =a\u{e9}".utf8) + [0xFF, 0]
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...200, using: &numbers)).map { _ in
        alphabet.randomElement(using: &numbers) ?? 0
      }
      let block = ICYMetadata(block: Array("StreamTitle='".utf8) + bytes)
      let title = block.streamTitle
      #expect(title != nil)
      #expect((title?.unicodeScalars.count ?? 0) <= bytes.count)
    }
    let worst = ICYMetadata(block: String(repeating: "StreamTitle='';", count: 272).utf8)
    #expect(worst.streamTitle == "")
  }
}
