import CoreGraphics
import CoreMedia
import MediaIO
import Testing

@testable import MediaEngine

/// Sizes and turns of still pictures; which packet holds a time's picture. Pure.
@Suite struct ImageGeometryTests {
  private func geometry(
    _ width: Int, _ height: Int, aspect: (Int, Int) = (1, 1), transform: CGAffineTransform = .identity,
    limit: CGSize = .zero, applies: Bool = true
  ) -> (Int, Int) {
    var format = VideoFormat(width: width, height: height)
    format.pixelAspect = aspect
    format.transform = transform
    var settings = ImageSettings()
    settings.maximumSize = limit
    settings.appliesTransform = applies
    let geometry = ImageGeometry(format, settings)
    return (geometry.width, geometry.height)
  }

  @Test func thePixelAspectWidens() {
    #expect(geometry(720, 576, aspect: (64, 45)) == (1024, 576))
    #expect(geometry(720, 576, aspect: (64, 45), limit: CGSize(width: 512, height: 512)) == (512, 288))
  }

  @Test func theBoxIsThatOfTheTurnedPicture() {
    let quarter = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1080, ty: 0)
    let box = CGSize(width: 180, height: 320)
    #expect(geometry(1920, 1080, transform: quarter, limit: box) == (320, 180))
    #expect(geometry(1920, 1080, transform: quarter, limit: box, applies: false) == (180, 101))
  }

  @Test(arguments: [
    CGSize(width: CGFloat.nan, height: -1), CGSize(width: CGFloat.infinity, height: CGFloat.infinity),
    CGSize(width: -5, height: 0),
  ])
  func limitsThatAreNoneLimitNothing(limit: CGSize) {
    #expect(geometry(64, 32, limit: limit) == (64, 32))
  }

  @Test func noSideVanishes() {
    #expect(geometry(4000, 2, limit: CGSize(width: 10, height: 10)) == (10, 1))
    #expect(geometry(0, 0) == (1, 1))
  }

  @Test func transformsThatAreNoQuarterTurnsStandUpright() {
    for transform in [
      CGAffineTransform(rotationAngle: 0.5), CGAffineTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0),
      CGAffineTransform(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0),
    ] { #expect(PictureTurn(transform) == .upright) }
    #expect(PictureTurn(CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 0, ty: 0)).a == -1)
  }

  private func packet(_ decode: Int64, _ time: Int64) -> MediaPacket {
    MediaPacket(
      track: 0, presentationTime: time, decodeTime: decode, duration: 1, isKeyframe: decode == 0, size: 1,
      generation: .first, payload: ())
  }

  @Test("The packet of a time is known as soon as no earlier picture can follow")
  func windows() {
    var window = PacketWindow()
    // I0 P3 B1 B2 P6 B4 B5, decoded two ticks ahead of what is shown.
    for (decode, time) in [(-2, 0), (-1, 3), (0, 1), (1, 2), (2, 6), (3, 4), (4, 5)] as [(Int64, Int64)] {
      #expect(!window.isSure(of: 4))
      window.append(packet(decode, time))
    }
    #expect(window.isSure(of: 3) && !window.isSure(of: 4))
    #expect(window.slot(shownAt: 3) == 1)
    #expect(window.slot(shownAt: 1) == 2)
    #expect(window.slot(shownAt: -9) == 0)
    window.want(2)
    var taken: [Bool] = []
    while let next = window.takeNext() { taken.append(next.isWanted) }
    #expect(taken == [false, false, true])
    #expect(window.fed == 3 && window.size == 4 * packet(0, 0).cost)
  }
}
