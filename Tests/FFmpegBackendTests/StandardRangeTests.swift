import CoreVideo
import FFmpegBackend
import Foundation
import MediaEngine
import MediaIO
import MediaTestSupport
import Testing

/// Pictures of every range, matrix and transfer function as an sRGB display shows them, against the published formulas.
@Suite struct StandardRangeTests {
  @Test(
    "CIEDE2000 gives the differences of Sharma's pairs",
    arguments: [
      (50.0, 2.6772, -79.7751, 50.0, 0.0, -82.7485, 2.0425), (50, 3.1571, -77.2803, 50, 0, -82.7485, 2.8615),
      (50, -1.3802, -84.2814, 50, 0, -82.7485, 1.0), (50, 0, 0, 50, -1, 2, 2.3669),
      (50, 2.49, -0.001, 50, -2.49, 0.0009, 7.1792), (50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195),
      (50, 2.5, 0, 50, 0, -2.5, 4.3065), (50, 2.5, 0, 73, 25, -18, 27.1492), (50, 2.5, 0, 58, 24, 15, 19.4535),
      (60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644),
      (22.7233, 20.0904, -46.694, 23.0331, 14.973, -42.5619, 2.0373),
      (2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082),
    ])
  func sharmasPairs(
    l1: Double, a1: Double, b1: Double, l2: Double, a2: Double, b2: Double, expected: Double
  ) {
    let first = LabColour(l: l1, a: a1, b: b1)
    let second = LabColour(l: l2, a: a2, b: b2)
    #expect(abs(first.difference(to: second) - expected) < 0.0001)
    #expect(abs(second.difference(to: first) - expected) < 0.0001)
  }

  static let clips: [(String, PublishedColour)] = [
    ("patches-pq.mkv", PublishedColour(transfer: .pq, kr: 0.2627, kb: 0.0593, isWide: true)),
    ("patches-pq-full.mkv", PublishedColour(transfer: .pq, kr: 0.2627, kb: 0.0593, isFull: true, isWide: true)),
    ("patches-pq-4000.mp4", PublishedColour(transfer: .pq, kr: 0.2627, kb: 0.0593, isWide: true, peak: 4_000)),
    ("patches-hlg.mkv", PublishedColour(transfer: .hlg, kr: 0.2627, kb: 0.0593, isWide: true)),
    ("patches-wide.mkv", PublishedColour(kr: 0.2627, kb: 0.0593, isWide: true)),
    ("patches-709.mkv", PublishedColour()),
    ("patches-709-full.mkv", PublishedColour(isFull: true)),
    ("patches-601.mkv", PublishedColour(kr: 0.299, kb: 0.114, bits: 8)),
    ("patches-601-full.mkv", PublishedColour(kr: 0.299, kb: 0.114, isFull: true, bits: 8)),
  ]

  @Test("P105 Patches look as the formulas say: ΔE2000 of 2 on average at most, 5 for 99 of 100", arguments: clips)
  func patches(name: String, colour: PublishedColour) throws {
    let picture = try picture(name)
    for (width, height) in [(320, 240), (160, 120)] {
      let shown = try picture.standardBuffer(width: width, height: height)
      let codes = try codes(picture)
      var differences: [Double] = []
      let side = width / 16
      try read(shown) { pixel in
        for patch in 0..<192 {
          let (x, y) = (patch % 16 * side + side / 2, patch / 16 * side + side / 2)
          let expected = colour.shown(codes[patch].0, codes[patch].1, codes[patch].2)
          let made = LabColour(red: pixel(x, y, 2), green: pixel(x, y, 1), blue: pixel(x, y, 0))
          let wanted = LabColour(red: expected.red, green: expected.green, blue: expected.blue)
          differences.append(made.difference(to: wanted))
        }
      }
      let mean = differences.reduce(0, +) / Double(differences.count)
      let nearlyAll = differences.sorted()[differences.count * 99 / 100]
      #expect(mean <= 2, "\(name) \(width): mean \(mean)")
      #expect(nearlyAll <= 5, "\(name) \(width): 99 of 100 at most \(nearlyAll)")
    }
  }

  @Test("P105 A film of high dynamic range is about as bright as its tone map by the formulas")
  func filmOfHighRange() throws {
    let picture = try picture("hevc10.mp4")
    let shown = try picture.standardBuffer(width: 80, height: 45)
    let colour = PublishedColour(transfer: .pq, kr: 0.2627, kb: 0.0593, isWide: true)
    var made = 0.0
    var wanted = 0.0
    let buffer = try picture.pixelBuffer()
    try read(shown) { pixel in
      for y in 0..<45 {
        for x in 0..<80 { made += LabColour(red: pixel(x, y, 2), green: pixel(x, y, 1), blue: pixel(x, y, 0)).l }
      }
    }
    let codes = try deepCodes(buffer, places: (0..<45).flatMap { y in (0..<80).map { ($0 * 4 + 2, y * 4 + 2) } })
    for code in codes {
      let expected = colour.shown(code.0, code.1, code.2)
      wanted += LabColour(red: expected.red, green: expected.green, blue: expected.blue).l
    }
    #expect(abs(made - wanted) / 3_600 < 2)
  }

  // MARK: Reading

  private func picture(_ name: String) throws -> any VideoPicture {
    let url = try Fixture.url(name)
    let backend = FFmpegMediaBackend()
    let source = FileSource(path: url.path)
    try source.open(.first)
    let demuxer = backend.demuxer(source, hints: SourceHints(pathExtension: url.pathExtension))
    defer { demuxer.close() }
    let track = try #require(try demuxer.open(.first).tracks(of: .video).first)
    demuxer.select([track.index])
    let decoder = try backend.videoDecoder(for: track, threads: 1, .first)
    while case .packet(let packet) = try demuxer.read(.first) {
      try decoder.send(packet, skippingNonReference: false)
      if case .output(let frame) = try decoder.receive() { return frame.picture }
    }
    decoder.finish()
    guard case .output(let frame) = try decoder.receive() else { throw CocoaError(.fileReadCorruptFile) }
    return frame.picture
  }

  /// The codes of each patch's centre, as the decoder gives them.
  private func codes(_ picture: any VideoPicture) throws -> [(Int, Int, Int)] {
    let buffer = try picture.pixelBuffer()
    let places = (0..<192).map { ($0 % 16 * 20 + 10, $0 / 16 * 20 + 10) }
    if CVPixelBufferGetPlaneCount(buffer) == 2 { return try deepCodes(buffer, places: places) }
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    return places.map { x, y in
      func code(_ plane: Int, _ x: Int, _ y: Int) -> Int {
        guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane) else { return 0 }
        return Int(base.load(fromByteOffset: y * CVPixelBufferGetBytesPerRowOfPlane(buffer, plane) + x, as: UInt8.self))
      }
      return (code(0, x, y), code(1, x / 2, y / 2), code(2, x / 2, y / 2))
    }
  }

  private func deepCodes(_ buffer: CVPixelBuffer, places: [(Int, Int)]) throws -> [(Int, Int, Int)] {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let luma = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
    let chroma = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, 1))
    let (lumaRow, chromaRow) = (
      CVPixelBufferGetBytesPerRowOfPlane(buffer, 0), CVPixelBufferGetBytesPerRowOfPlane(buffer, 1)
    )
    return places.map { x, y in
      let place = y / 2 * chromaRow + x / 2 * 4
      return (
        Int(luma.load(fromByteOffset: y * lumaRow + x * 2, as: UInt16.self)) >> 6,
        Int(chroma.load(fromByteOffset: place, as: UInt16.self)) >> 6,
        Int(chroma.load(fromByteOffset: place + 2, as: UInt16.self)) >> 6
      )
    }
  }

  private func read(_ buffer: CVPixelBuffer, _ body: ((Int, Int, Int) -> Double) throws -> Void) throws {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
    try body { x, y, component in Double(base.load(fromByteOffset: y * rowBytes + x * 4 + component, as: UInt8.self)) }
  }
}
