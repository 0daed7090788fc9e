import CoreMedia
import MediaEngine
import MediaRuntime
import MediaTestSupport
import Testing

/// Devices and clocks. The numbers are those of Docs/FaultCases.md.
@Suite struct OutputCases {
  @Test("P089: when the device goes away time goes on, and sound is back on the next one without reopening")
  func deviceLossDoesNotStopTime() throws {
    var options = VirtualAudioDevice.Options()
    options.faults = [.lost(at: .milliseconds(1_500)), .recovered(at: .milliseconds(4_000))]
    let devices = VirtualAudioDevices(options: options)
    let runner = PlayerRunner.files(sinks: devices)
    defer { runner.shutdown() }
    let player = runner.makePlayer()
    player.replaceCurrentItem(runner.makeItem(file: try Fixture.url("noise-aac.mp4")))
    player.play()
    try runner.advance(player).until(.position(1))
    var last = player.currentTime()
    for _ in 0..<8 {
      try runner.pass(.milliseconds(500))
      let now = player.currentTime()
      #expect(abs((now - last).seconds - 0.5) < 0.05)
      last = now
    }
    let device = try #require(devices.devices.first)
    #expect(devices.devices.count == 1)
    #expect(!device.isLost)
    #expect(player.snapshot.timeControl == .playing)
    // Seeking, pausing and stopping work as before.
    player.seek(to: CMTime(value: 8, timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    try runner.advance(player).until(.position(8.2))
    device.lose(MediaError(.outputLost, "The test takes the device away while paused."))
    player.pause()
    try runner.pass(.milliseconds(500))
    player.play()
    try runner.advance(player).until(.ended)
    player.close()
  }

  @Test("P099: a device clock 0.3 % off gives no drift between sound and picture", arguments: [-3_000.0, 3_000.0])
  func skewGivesNoDrift(skew: Double) throws {
    let bench = DriverBench.files(devices: CapturingAudioSinks(skew: skew))
    defer { bench.finish() }
    let output = VideoFrameOutput()
    let errors = Lock<[Double]>([])
    let sink = Lock<CapturingAudioSink?>(nil)
    output.setHandlers(onFrameDue: { frame in
      guard let sink = sink.withLock({ $0 }), sink.isRunning else { return }
      let heard = Double(sink.position().frame) / 48_000
      errors.withLock { $0.append(abs(heard - frame.time.seconds)) }
    })
    bench.load(file: try Fixture.url("film-29.97.mp4"), output: output)
    bench.driver.run(rate: 1, from: nil, at: nil)
    bench.advance(0.1)
    sink.withLock { $0 = bench.devices.sinks.first }
    #expect(bench.wait { $0 == "end 1" })
    let all = errors.withLock { $0 }
    #expect(all.count > 280)
    #expect((all.max() ?? 1) < 0.001)
  }

  @Test("P081: a seek through a long group is given up within a frame when a newer one comes")
  func longSeekIsGivenUp() {
    let bench = DriverBench()
    defer { bench.finish() }
    var video = ScriptedMedia.Video()
    video.seconds = 60
    video.group = 1_500
    bench.backend.add(.make(video: video, audio: nil))
    let output = VideoFrameOutput()
    bench.load(output: output)
    bench.seek(to: CMTime(value: 59, timescale: 1), waits: false)
    let backend = bench.backend
    bench.scheduler.run(until: { backend.log.counts.videoPackets > 600 })
    let atOnce = backend.log.counts.videoPackets
    #expect(atOnce < 700)
    bench.seek(to: CMTime(value: 1, timescale: 1))
    #expect(output.frame(at: bench.time())?.picture.checksum() == 25)
    #expect(backend.log.counts.videoPackets < atOnce + 60)
  }
}
