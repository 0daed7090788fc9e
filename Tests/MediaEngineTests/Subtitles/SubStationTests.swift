import CoreMedia
import MediaEngine
import Testing

@Suite struct SubStationTests {
  private let script = """
    [Script Info]
    ScriptType: v4.00+

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment
    Style: Default,Arial,20,&H00FFFFFF,0,0,2
    Style: Sign,Serif,20,&H000000FF,-1,0,8

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
    Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,not shown
    Dialogue: 1,0:00:01.25,0:00:02.00,Default,Ann,1,2,3,fx,Hello, {\\i1\\c&H00FF00&}you{\\r}\\Nthere
    Dialogue: 0,0:00:03.00,0:00:04.00,Sign,,0,0,0,,{\\an7\\pos(3,4)}{\\p1}m 0 0 l 5 5{\\p0}EXIT
    """

  @Test func dialogue() throws {
    let file = try SubtitleFile(Array(script.utf8))
    #expect(file.format == .subStation)
    #expect(file.cues.map { $0.text?.string } == ["Hello, you\nthere", "EXIT"])
    #expect(file.cues.map(\.start.seconds) == [1.25, 3])
    #expect(file.cues.map(\.end.seconds) == [2, 4])
    guard case .script(let event, let text) = try #require(file.cues.first).content else {
      Issue.record("no event")
      return
    }
    #expect(event.packet == "0,1,Default,Ann,1,2,3,fx,Hello, {\\i1\\c&H00FF00&}you{\\r}\\Nthere")
    #expect(SubStationEvent(packet: event.packet) == event)
    #expect(text.runs.map(\.style.isItalic) == [false, true, false])
    #expect(text.runs[1].style.color == SubtitleColor(red: 0, green: 255, blue: 0))
    let sign = try #require(file.cues.last)
    #expect(sign.text?.runs.first?.style.isBold == true)
    #expect(sign.text?.runs.first?.style.color == SubtitleColor(red: 255, green: 0, blue: 0))
    #expect(sign.placement.line == .number(0) && sign.placement.textAlignment == .left)
    #expect(file.script?.header.contains("Dialogue") == false)
    #expect(file.script?.header.contains("Style: Sign") == true)
  }

  @Test(arguments: ["", "1,2,3", "a,b,c,d,e,f,g,h", "Dialogue: x"])
  func packetsOfAnotherFormAreNone(_ packet: String) { #expect(SubStationEvent(packet: packet) == nil) }
}
