import MediaEngine
import Testing

@testable import FFmpegBackend

@Suite struct SampleLineTests {
  @Test func timesAsFarApartAsNumbersGetAreNotTakenForNear() {
    var line = SampleLine(timeBase: TimeBase(1, 48_000).rational, origin: 0)
    #expect(line.place(0, count: 1, rate: 48_000) == 0)
    // One sample beyond what a difference can say.
    #expect(line.place(Int64.min + 1, count: 1, rate: 48_000) == 1)
    #expect(line.place(1 << 60, count: 1, rate: 48_000) == 1 << 60)
  }
}
