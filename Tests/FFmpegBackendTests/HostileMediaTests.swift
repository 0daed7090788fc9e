import CoreMedia
import CoreVideo
import FFmpegBackend
import Foundation
import ImageIO
import MediaEngine
import MediaIO
import MediaRuntime
import MediaTestSupport
import Testing

/// Small files that claim what would take all memory, all time, or more than a number can hold.
@Suite struct HostileMediaTests {
  private func decoded(_ bytes: [UInt8], _ name: String) throws(MediaError) -> DecodedMedia {
    try decodeEverything(MemorySource(Data(bytes)), hints: SourceHints(pathExtension: name))
  }

  @Test(arguments: [1, 999, 1_536_001, 0x7FFF_FFFF] as [UInt32])
  func aRateThatNoSoundHasIsRefused(rate: UInt32) throws {
    let media = try decoded(Wave.file(rate: rate, format: 1, bits: 16, [UInt8](repeating: 1, count: 80_000)), "wav")
    let track = try #require(media.description.tracks(of: .audio).first)
    #expect(!track.isDecodable)
    #expect(track.audio?.sampleRate == 0)
    #expect(media.sampleCounts.isEmpty)
    #expect(media.damagedPackets > 0)
  }

  /// Matroska states a rate beside the codec's own.
  @Test func aRateThatTheContainerHasWrong_isTheDecodersAffair() throws {
    var file = [UInt8](try Data(contentsOf: try Fixture.url("languages.mkv")))
    let (right, wrong): ([UInt8], [UInt8]) = ([0xb5, 0x88, 0x40, 0xe7, 0x70], [0xb5, 0x88, 0x3f, 0xf0, 0])
    var places = 0
    while let place = file.firstRange(of: right) {
      file.replaceSubrange(place, with: wrong)
      places += 1
    }
    #expect(places > 0)
    let media = try decoded(file, "mkv")
    let tracks = media.description.tracks(of: .audio)
    #expect(tracks.count == places && tracks.allSatisfy(\.isDecodable))
    #expect(tracks.allSatisfy { (media.sampleCounts[$0.index] ?? 0) > 48_000 })
  }

  @Test(arguments: [1_000, 1_536_000] as [UInt32])
  func theSlowestAndTheFastestSoundPlay(rate: UInt32) throws {
    let media = try decoded(Wave.file(rate: rate, format: 1, bits: 16, [UInt8](repeating: 1, count: 8_000)), "wav")
    let track = try #require(media.description.tracks(of: .audio).first)
    #expect(track.isDecodable)
    #expect(media.sampleCounts == [track.index: 4_000])
  }

  @Test("Fragments of tracks that the movie does not have cost no more than their bytes", .timeLimit(.minutes(1)))
  func fragmentsOfUnknownTracks() throws {
    let clip = [UInt8](try Data(contentsOf: try Fixture.url("fragmented.mp4")))
    var bytes = clip
    var id: UInt32 = 100
    for number in UInt32(0)..<100 {
      var parts = Box.make("mfhd", Box.word(0) + Box.word(number))
      for _ in 0..<500 {
        parts += Box.make("traf", Box.make("tfhd", Box.word(0x02_0000) + Box.word(id)))
        id += 1
      }
      bytes += Box.make("moof", parts)
    }
    let media = try decoded(bytes, "mp4")
    #expect(media.description.duration == (try decoded(clip, "mp4")).description.duration)
    #expect(media.frames.values.map(\.count) == [300])
  }

  @Test func aPictureOfMoreThanTwice8KIsRefused() throws {
    let side: [UInt8] = [0x28, 0x23]
    let screen = Array("GIF89a".utf8) + side + side + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let picture: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    let source = try #require(CGImageSourceCreateWithData(Data(screen + picture), nil))
    #expect(CGImageSourceGetCount(source) == 0)
  }

  @Test func anAbsurdBitRateIsNone() throws {
    var bytes = [UInt8](try Data(contentsOf: try Fixture.url("flash.flv")))
    let key = Array("videodatarate".utf8) + [0]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: key) }) + key.count
    bytes.replaceSubrange(
      place..<place + 8, with: withUnsafeBytes(of: (9.0e15 as Double).bitPattern.bigEndian) { Array($0) })
    let media = try decoded(bytes, "flv")
    #expect(media.description.tracks.allSatisfy { MediaTrack.bitRates.contains($0.bitRate) })
    #expect(MediaTrack.bitRates.contains(media.description.bitRate))
  }

  @Test func numbersThatAreNoneBecomeSilence() throws {
    let samples: [Float] = [
      0.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -0.25, 2_147_483_648, .leastNonzeroMagnitude,
    ]
    let bytes = samples.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
    #expect(
      try heard(Wave.file(rate: 48_000, format: 3, bits: 32, bytes)) == [
        0.5, 0, 0, 0, 0, -0.25, 2_147_483_648, .leastNonzeroMagnitude,
      ])
    let wide = [0.5, .nan, 1e300, -.infinity].flatMap { (value: Double) in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    #expect(try heard(Wave.file(rate: 48_000, format: 3, bits: 64, wide)) == [0.5, 0, 0, 0])
  }

  /// All samples of a file's sound, as a converter gets them.
  private func heard(_ bytes: [UInt8]) throws -> [Float] {
    let backend = FFmpegMediaBackend()
    let source = MemorySource(Data(bytes))
    try source.open(.first)
    let demuxer = backend.demuxer(source, hints: SourceHints(pathExtension: "wav"))
    defer { demuxer.close() }
    let track = try #require(try demuxer.open(.first).tracks(of: .audio).first)
    let decoder = try backend.audioDecoder(for: track, .first)
    var result: [Float] = []
    while case .packet(let packet) = try demuxer.read(.first) {
      try decoder.send(packet)
      while case .output(let block) = try decoder.receive() {
        var samples = [Float](repeating: .nan, count: block.sampleCount * block.format.channelCount)
        samples.withUnsafeMutableBufferPointer { block.storage.copyInterleaved($0) }
        result += samples
      }
    }
    return result
  }

  @Test func timesAtTheEdgeOfWhatNumbersHoldAreNone() throws {
    var bytes = [UInt8](try Data(contentsOf: try Fixture.url("fragmented.mp4")))
    let key = Array("tfdt".utf8) + [1, 0, 0, 0]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: key) }) + key.count
    bytes.replaceSubrange(place..<place + 8, with: [0x40, 0, 0, 0, 0, 0, 0, 0])
    let source = MemorySource(Data(bytes))
    try source.open(.first)
    let demuxer = FFmpegMediaBackend().demuxer(source, hints: SourceHints(pathExtension: "mp4"))
    defer { demuxer.close() }
    _ = try demuxer.open(.first)
    var packets = 0
    while case .packet(let packet) = try demuxer.read(.first) {
      packets += 1
      for time in [packet.presentationTime, packet.decodeTime].compactMap({ $0 }) {
        #expect(MediaPacket.ticks.contains(time))
      }
      #expect(MediaPacket.durations.contains(packet.duration))
    }
    #expect(packets > 100)
  }

  @Test func aMovieOfTwoHundredTracksOpens() throws {
    let clip = [UInt8](try Data(contentsOf: try Fixture.url("video-only.mp4")))
    var bytes: [UInt8] = []
    for box in Box.all(in: clip) {
      guard box.type == "moov" else {
        bytes += clip[box.range]
        continue
      }
      var parts: [UInt8] = []
      for part in Box.all(in: Array(clip[box.range].dropFirst(8))) {
        let content = Array(
          clip[box.range].dropFirst(8)[(box.range.lowerBound + 8 + part.range.lowerBound)...].prefix(part.range.count))
        for number in 0..<(part.type == "trak" ? 200 : 1) {
          var copy = content
          if part.type == "trak" {
            // The number in `tkhd`, behind two headers, flags and two dates.
            copy.replaceSubrange(28..<32, with: Box.word(UInt32(number + 1)))
          }
          parts += copy
        }
      }
      bytes += Box.make("moov", parts)
    }
    let source = MemorySource(Data(bytes))
    try source.open(.first)
    let demuxer = FFmpegMediaBackend().demuxer(source, hints: SourceHints(pathExtension: "mp4"))
    defer { demuxer.close() }
    let tracks = try demuxer.open(.first).tracks
    #expect(tracks.map(\.id) == Array(1...200))
  }
}

/// Damage that ends reading before the file's end.
@Suite struct ReadErrorTests {
  @Test func whatWasReadPlays_andThenTheDamageIsTold() throws {
    let clip = [UInt8](try Data(contentsOf: try Fixture.url("fragmented.mp4")))
    var bytes = clip
    let fragment = Box.all(in: clip).filter { $0.type == "moof" }[5].range
    let key = Array("tfhd".utf8)
    let place = try #require(fragment.first { clip[$0...].starts(with: key) }) + 8
    // A track that the movie does not have.
    bytes.replaceSubrange(place..<place + 4, with: Box.word(99))
    let media = try decodeEverything(MemorySource(Data(bytes)), hints: SourceHints(pathExtension: "mp4"))
    #expect((media.frames[0]?.count ?? 0) > 100)
    #expect(media.readError?.code == .containerDamaged)
  }
}

/// Damage that costs its own picture and no more.
@Suite struct DamagedPictureTests {
  @Test func aBrokenPictureOfAnAnimationLeavesTheOthers() throws {
    let screen = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let delay: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
    let good: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    var broken = good
    // No LZW code is that long.
    broken[10] = 0x1F
    let bytes = screen + delay + good + delay + broken + delay + good + [0x3B]
    let source = try #require(CGImageSourceCreateWithData(Data(bytes), nil))
    #expect(CGImageSourceGetCount(source) == 2)
  }

  @Test func greyOfSixteenBitsKeepsThem() throws {
    let source = MemorySource(Data(Array("P5\n2 1\n65535\n".utf8) + [0x12, 0x34, 0xAB, 0xCD]))
    try source.open(.first)
    let backend = FFmpegMediaBackend()
    let demuxer = backend.demuxer(source, hints: SourceHints(pathExtension: "pgm"))
    defer { demuxer.close() }
    let track = try #require(try demuxer.open(.first).tracks(of: .video).first)
    let decoder = try backend.videoDecoder(for: track, threads: 1, .first)
    guard case .packet(let packet) = try demuxer.read(.first) else { throw CocoaError(.fileReadCorruptFile) }
    try decoder.send(packet, skippingNonReference: false)
    decoder.finish()
    guard case .output(let frame) = try decoder.receive() else { throw CocoaError(.fileReadCorruptFile) }
    let buffer = try frame.picture.pixelBuffer()
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_16Gray)
    #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    #expect(Array(UnsafeRawBufferPointer(start: base, count: 4)) == [0x12, 0x34, 0xAB, 0xCD])
  }

  @Test func aDamagedPacketIsNoFailureOfTheDevice() throws {
    let url = try Fixture.url("b-pyramid.mp4")
    var bytes = [UInt8](try Data(contentsOf: url))
    let source = MemorySource(Data(bytes))
    try source.open(.first)
    let demuxer = FFmpegMediaBackend().demuxer(source, hints: SourceHints(pathExtension: "mp4"))
    _ = try demuxer.open(.first)
    var offsets: [Int] = []
    while case .packet(let packet) = try demuxer.read(.first) {
      if packet.track == 0 { offsets.append(Int(try #require(packet.offset))) }
    }
    demuxer.close()
    // The length of a unit that is longer than all.
    bytes.replaceSubrange(offsets[70]..<offsets[70] + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    let device = SimulatedDevice()
    let media = try decodeEverything(
      MemorySource(Data(bytes)), hints: SourceHints(pathExtension: "mp4"),
      backend: FFmpegMediaBackend(simulating: device))
    #expect(media.damagedPackets > 0)
    #expect((media.frames[0]?.count ?? 0) >= offsets.count - 2)
    #expect(device.downloadCount == media.frames[0]?.count)
  }
}

/// WAVE files made by hand.
enum Wave {
  /// - Parameter format: 1 for whole numbers, 3 for floats; one channel.
  static func file(rate: UInt32, format: UInt16, bits: UInt16, _ samples: [UInt8]) -> [UInt8] {
    func little(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    let width = bits / 8
    let header =
      little(format) + little(UInt16(1)) + little(rate) + little(rate &* UInt32(width)) + little(width) + little(bits)
    let chunks =
      Array("fmt ".utf8) + little(UInt32(header.count)) + header + Array("data".utf8)
      + little(UInt32(samples.count)) + samples
    return Array("RIFF".utf8) + little(UInt32(chunks.count + 4)) + Array("WAVE".utf8) + chunks
  }
}

/// A box of a movie, with its header.
struct Box {
  var type: String
  var range: Range<Int>

  static func all(in bytes: [UInt8]) -> [Box] {
    var result: [Box] = []
    var place = 0
    while place + 8 <= bytes.count {
      let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, place + size <= bytes.count else { break }
      result.append(
        Box(type: String(decoding: bytes[place + 4..<place + 8], as: UTF8.self), range: place..<place + size))
      place += size
    }
    return result
  }

  static func word(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  static func make(_ type: String, _ content: [UInt8]) -> [UInt8] {
    word(UInt32(8 + content.count)) + Array(type.utf8) + content
  }
}
