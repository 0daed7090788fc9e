import FFmpegBackend
import Foundation
import MediaTestSupport
import Testing

@Suite struct HardwareFallbackTests {
  /// The clip has a key frame every 60 pictures.
  @Test(arguments: [0, 1, 17, 45, 58, 59, 60, 61, 62, 100, 179])
  func aDeviceThatFailsLosesNoFrame(at number: Int) throws {
    let url = try Fixture.url("b-pyramid.mp4")
    let truth = try decodeEverything(url).frames
    let packets = SimulatedDevice(failingAtPacket: number)
    #expect(try decodeEverything(url, backend: FFmpegMediaBackend(simulating: packets)).frames == truth)
    let surfaces = SimulatedDevice(failingAtDownload: number)
    #expect(try decodeEverything(url, backend: FFmpegMediaBackend(simulating: surfaces)).frames == truth)
    #expect(surfaces.downloadCount > 0)
  }
}
