import CoreMedia
import MediaEngine
import Testing

@Suite struct BufferPolicyTests {
  private func level(
    _ seconds: Double, bytes: Int = 1_000, count: Int = 10, ended: Bool = false
  ) -> PacketBuffer.Level {
    PacketBuffer.Level(
      aheadSeconds: seconds, heldBytes: bytes, aheadBytes: bytes, aheadCount: count, hasEnded: ended)
  }

  private func range(_ start: Double, _ end: Double) -> CMTimeRange {
    CMTimeRange(
      start: CMTime(seconds: start, preferredTimescale: 1_000), end: CMTime(seconds: end, preferredTimescale: 1_000))
  }

  private func remote(_ levels: [PacketBuffer.Level], _ ranges: [CMTimeRange] = []) -> BufferPolicy.Input {
    var input = BufferPolicy.Input()
    input.isLocal = false
    input.levels = levels
    input.heldRanges = ranges
    input.duration = CMTime(value: 100, timescale: 1)
    return input
  }

  @Test("A local file is loaded as a whole and keeps up as soon as it has given anything")
  func localFile() {
    var input = BufferPolicy.Input()
    input.duration = CMTime(value: 10, timescale: 1)
    input.levels = [level(0, bytes: 0, count: 0)]
    let before = BufferPolicy.state(input)
    #expect(before.isEmpty)
    #expect(!before.isLikelyToKeepUp)
    input.levels = [level(0.1), level(0, bytes: 0, count: 0)]
    let after = BufferPolicy.state(input)
    #expect(!after.isEmpty)
    #expect(after.isLikelyToKeepUp)
    #expect(after.loadedRanges == [range(0, 10)])
    #expect(after.seekableRanges == [range(0, 10)])
  }

  @Test("Over a network only what every track holds is loaded")
  func commonRange() {
    let state = BufferPolicy.state(remote([level(3), level(2)], [range(1, 6), range(2, 5)]))
    #expect(state.loadedRanges == [range(2, 5)])
    #expect(BufferPolicy.state(remote([level(3), level(2)], [range(1, 2), range(3, 5)])).loadedRanges.isEmpty)
  }

  @Test("Playing is likely to keep up with five seconds ahead, with less when data come quicker than they are played")
  func likelihood() {
    #expect(!BufferPolicy.state(remote([level(4.9), level(9)])).isLikelyToKeepUp)
    #expect(BufferPolicy.state(remote([level(5), level(9)])).isLikelyToKeepUp)
    var quick = remote([level(2.1)])
    quick.inflow = 1.5
    #expect(BufferPolicy.state(quick).isLikelyToKeepUp)
    quick.rate = 2
    #expect(!BufferPolicy.state(quick).isLikelyToKeepUp)
    var wished = remote([level(1.5)])
    wished.preferredForwardBufferDuration = 1
    #expect(BufferPolicy.state(wished).isLikelyToKeepUp)
  }

  @Test("A track that has ended holds nothing up")
  func endedTrack() {
    let state = BufferPolicy.state(remote([level(0, ended: true), level(6)]))
    #expect(!state.isEmpty)
    #expect(state.isLikelyToKeepUp)
    let all = BufferPolicy.state(remote([level(0, ended: true), level(0, ended: true)]))
    #expect(all.isLikelyToKeepUp)
    #expect(!all.isEmpty)
  }

  @Test("The buffer is full by seconds or by bytes, and what is full keeps up")
  func fullness() {
    #expect(BufferPolicy.state(remote([level(30), level(31)])).isFull)
    #expect(!BufferPolicy.state(remote([level(30), level(29)])).isFull)
    let heavy = BufferPolicy.state(remote([level(2, bytes: 65 << 20)]))
    #expect(heavy.isFull)
    #expect(heavy.isLikelyToKeepUp)
  }

  @Test("What can't be sought is seekable only where it is loaded")
  func unseekable() {
    var input = remote([level(3)], [range(4, 7)])
    input.isSeekable = false
    #expect(BufferPolicy.state(input).seekableRanges == [range(4, 7)])
  }

  @Test("Goals: the app's wish counts on a network within bounds; sound alone is read further ahead")
  func goals() {
    func goals(_ local: Bool, _ preferred: Double, _ video: Bool) -> BufferPolicy.Goals {
      BufferPolicy.goals(isLocal: local, preferred: preferred, hasVideo: video, timeBase: TimeBase(1, 1_000))
    }
    #expect(goals(false, 0, true).highSeconds == 30)
    #expect(goals(false, 10, true).highSeconds == 10)
    #expect(goals(false, 0.1, true).highSeconds == 1)
    #expect(goals(false, 1e9, true).highSeconds == 300)
    #expect(goals(true, 100, true).highSeconds == goals(true, 0, true).highSeconds)
    #expect(goals(true, 0, false).highSeconds > goals(true, 0, true).highSeconds)
    #expect(goals(true, 0, true).lowSeconds < goals(true, 0, true).highSeconds)
    #expect(goals(true, 0, true).secondsPerTick == 0.001)
  }
}
