import CoreMedia
import Foundation
import MediaEngine
import MediaTestSupport
import Testing

/// What codecs' own headers say is known when the media is opened, before anything is decoded.
@Suite struct CodecHeaderTests {
  private func format(_ name: String) throws -> VideoFormat {
    let media = try decodeEverything(try Fixture.url(name), hashing: false)
    return try #require(media.description.tracks(of: .video).first?.video)
  }

  @Test func hevcTellsColorDepthAspectAndLight() throws {
    let format = try format("hevc-vui.mp4")
    #expect(format.width == 322 && format.height == 180)
    #expect(format.bitDepth == 10)
    #expect(format.pixelAspect == (4, 3))
    #expect(format.color.primaries == 9)
    #expect(format.color.transfer == 18)
    #expect(format.color.matrix == 9)
    #expect(!format.color.isFullRange)
    #expect(format.hasReorderedFrames)
    #expect(format.color.masteringDisplay?.count == 24)
    #expect(format.color.masteringDisplay?.prefix(4) == Data([0x33, 0xC2, 0x86, 0xC4]))
    #expect(format.color.contentLightLevel == Data([0x03, 0xE8, 0x01, 0x90]))
  }

  @Test func av1TellsColorAndDepth() throws {
    let format = try format("av1-color.mp4")
    #expect(format.bitDepth == 10)
    #expect(format.color.primaries == 9)
    #expect(format.color.transfer == 16)
    #expect(format.color.matrix == 9)
    #expect(format.color.isFullRange)
  }

  @Test func h264TellsItsAspectBesideTheContainer() throws {
    let format = try format("anamorphic.mp4")
    #expect(format.pixelAspect == (4, 3))
    #expect(format.bitDepth == 8)
  }
}
