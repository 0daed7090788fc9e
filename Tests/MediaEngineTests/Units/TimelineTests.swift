import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

@Suite struct TimelineTests {
  private let item = ItemID(1)
  private let next = ItemID(2)

  private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1_000) }

  private func span(
    _ item: ItemID, _ start: TimelineSpan.Start, at milliseconds: Int64, rate: Double, generation: UInt64 = 1
  ) -> TimelineSpan {
    TimelineSpan(item: item, start: start, mediaTime: time(milliseconds), rate: rate, generation: generation)
  }

  private func run(_ body: (VirtualScheduler, Timeline) -> Void) {
    let scheduler = VirtualScheduler()
    scheduler.adopt()
    body(scheduler, Timeline(scheduler: scheduler))
    scheduler.release()
    scheduler.shutdown()
  }

  @Test("Time rests, runs at its rate from a span's start, and rests again where it is halted")
  func restRunHalt() {
    run { scheduler, timeline in
      #expect(timeline.time(of: item) == .zero)
      timeline.rest(item, at: time(5_000), generation: 1)
      scheduler.advance(by: .seconds(Int64(1)))
      #expect(timeline.time(of: item) == time(5_000))
      timeline.append(span(item, .host(scheduler.now + .milliseconds(200)), at: 5_000, rate: 2))
      #expect(timeline.rate(of: item) == 0)
      scheduler.advance(by: .milliseconds(700))
      #expect(timeline.time(of: item) == time(6_000))
      #expect(timeline.rate(of: item) == 2)
      #expect(timeline.hostTime(of: time(7_000), in: item) == scheduler.now + .milliseconds(500))
      #expect(timeline.halt(item) == time(6_000))
      scheduler.advance(by: .seconds(Int64(1)))
      #expect(timeline.time(of: item) == time(6_000))
      #expect(timeline.hostTime(of: time(7_000), in: item) == nil)
    }
  }

  @Test("What comes before a stretch that has not begun is due by the one that still runs")
  func dueBeforeTheNextStretch() {
    run { scheduler, timeline in
      let start = scheduler.now
      timeline.append(span(item, .host(start), at: 0, rate: 2))
      timeline.append(span(item, .host(start + .milliseconds(100)), at: 200, rate: 0.5))
      // By the slow stretch it would have been due long ago.
      #expect(timeline.hostTime(of: time(150), in: item) == start + .milliseconds(75))
      #expect(timeline.hostTime(of: time(210), in: item) == start + .milliseconds(120))
      scheduler.advance(by: .milliseconds(75))
      #expect(timeline.time(of: item) == time(150))
      scheduler.advance(by: .milliseconds(45))
      #expect(timeline.time(of: item) == time(210))
    }
  }

  @Test("A start that was on its way when a halt came is void")
  func haltMakesStartsVoid() {
    run { scheduler, timeline in
      let transport = timeline.transport
      timeline.halt(item)
      #expect(!timeline.append(span(item, .host(scheduler.now), at: 0, rate: 1), transport: transport))
      #expect(timeline.append(span(item, .host(scheduler.now), at: 0, rate: 1), transport: timeline.transport))
    }
  }

  @Test("Within a generation time never goes back; a newer one may")
  func monotonic() {
    run { scheduler, timeline in
      timeline.append(span(item, .host(scheduler.now), at: 0, rate: 1))
      scheduler.advance(by: .milliseconds(500))
      #expect(timeline.time(of: item) == time(500))
      timeline.append(span(item, .host(scheduler.now), at: 490, rate: 1))
      #expect(timeline.time(of: item) == time(500))
      scheduler.advance(by: .milliseconds(20))
      #expect(timeline.time(of: item) == time(510))
      timeline.append(span(item, .host(scheduler.now), at: 100, rate: 1, generation: 2))
      #expect(timeline.time(of: item) == time(100))
    }
  }

  @Test("Time does not lie before its start where the sum of two time scales is rounded", arguments: [1.0, -1.0])
  func neverBeforeItsStart(rate: Double) {
    run { scheduler, timeline in
      let start = CMTime(value: 42_496, timescale: 12_288)
      timeline.append(
        TimelineSpan(item: item, start: .host(scheduler.now), mediaTime: start, rate: rate, generation: 1))
      #expect(timeline.time(of: item) == start)
      scheduler.advance(by: Nanoseconds(1))
      let time = timeline.time(of: item)
      #expect(rate > 0 ? time >= start : time <= start)
    }
  }

  @Test("A limit and a cap hold time back")
  func limits() {
    run { scheduler, timeline in
      timeline.append(span(item, .host(scheduler.now), at: 0, rate: 1))
      timeline.setLimit(time(300), of: item)
      scheduler.advance(by: .milliseconds(500))
      #expect(timeline.time(of: item) == time(300))
      timeline.setLimit(nil, of: item)
      #expect(timeline.time(of: item) == time(500))
      timeline.setCap(time(450), of: item)
      #expect(timeline.halt(item) == time(450))
    }
  }

  @Test("On the device's frames an item ends where its successor begins, whatever the device's skew")
  func successor() {
    run { scheduler, timeline in
      let sink = CapturingAudioSink(skew: 1_000, scheduler: scheduler)
      timeline.setSink(sink)
      timeline.append(span(item, .device(0), at: 0, rate: 1))
      timeline.append(span(next, .device(48_000), at: 250, rate: 1))
      sink.setRunning(true)
      scheduler.advance(by: .milliseconds(500))
      #expect(abs((timeline.time(of: item) - time(500)).seconds - 0.0005) < 0.000_05)
      #expect(timeline.time(of: next) == time(250))
      scheduler.advance(by: .seconds(Int64(1)))
      #expect(timeline.time(of: item) == time(1_000))
      #expect(abs(timeline.time(of: next).seconds - (0.25 + 0.5015)) < 0.000_1)
      sink.close()
    }
  }

  @Test("A forgotten item is at zero")
  func forgotten() {
    run { scheduler, timeline in
      timeline.rest(item, at: time(5_000), generation: 1)
      timeline.forget(item)
      #expect(timeline.time(of: item) == .zero)
      #expect(timeline.lastSpan(of: item) == nil)
      #expect(scheduler.steps == 0)
    }
  }
}
