import CoreMedia
import Foundation
import Testing

@Suite struct ParameterSetTests {
  private static let h264 = ["6742c028da01e0089f97016a020202800000030080000019078c1950", "68ce0fc8"]
  private static let hevc = [
    "40010c01ffff022000000300900000030000030078959809",
    "420101022000000300900000030000030078a003c08010e4d96566924caf016a12201208000003000800000300c840",
    "4401c172b46240",
  ]

  private func sets(_ texts: [String]) -> [Data] { texts.map { Data(hex: $0) } }

  private func atom(_ name: String, of description: CMFormatDescription) -> String? {
    let atoms = CMFormatDescriptionGetExtension(
      description, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
    return ((atoms as? [String: Any])?[name] as? Data)?.hex
  }

  @Test func h264_sizeColourAndRecord_areThoseOfTheStream() throws {
    let description = try CMFormatDescription(h264ParameterSets: sets(ParameterSetTests.h264))
    #expect(description.mediaType == .video && description.mediaSubType == .h264)
    #expect(description.dimensions == CMVideoDimensions(width: 1920, height: 1080))
    #expect(
      description.extensions[.colorPrimaries]?.propertyListRepresentation as? String
        == kCMFormatDescriptionColorPrimaries_ITU_R_709_2)
    // The record that FFmpeg's muxer writes for the same stream.
    #expect(
      atom("avcC", of: description)
        == "0142c028ffe1001c6742c028da01e0089f97016a020202800000030080000019078c195001000468ce0fc8")
  }

  @Test func h264_interlacedWideHighProfile() throws {
    let description = try CMFormatDescription(
      h264ParameterSets: sets(["677a001eb6cd940b424d820800000300080000030190f8a14cb0", "68fba3cb22c0"]),
      nalUnitHeaderLength: 2)
    #expect(description.dimensions == CMVideoDimensions(width: 720, height: 576))
    #expect(description.presentationDimensions().width.rounded() == 1047)
    #expect(description.nalUnitHeaderLength == 2)
  }

  @Test func h264_croppedFullRange() throws {
    let description = try CMFormatDescription(
      h264ParameterSets: sets(["6742c01ed900a42fe226c05b20000003002000000641e2c5c9", "68cb83cb20"]))
    #expect(description.dimensions == CMVideoDimensions(width: 642, height: 358))
    #expect(description.extensions[.fullRangeVideo]?.propertyListRepresentation as? Bool == true)
  }

  @Test func hevc_sizeColourAndRecord_areThoseOfTheStream() throws {
    let description = try CMFormatDescription(hevcParameterSets: sets(ParameterSetTests.hevc))
    #expect(description.mediaSubType == .hevc)
    #expect(description.dimensions == CMVideoDimensions(width: 1920, height: 1080))
    #expect(
      description.extensions[.transferFunction]?.propertyListRepresentation as? String
        == kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ)
    let record =
      "01022000000090000000000078f000fcfdfafa00000f03a000010018\(ParameterSetTests.hevc[0])"
      + "a10001002f\(ParameterSetTests.hevc[1])a200010007\(ParameterSetTests.hevc[2])"
    #expect(atom("hvcC", of: description) == record)
  }

  @Test func hevc_withScalingListsAndAspect() throws {
    let description = try CMFormatDescription(
      hevcParameterSets: sets([
        "40010c01ffff0408000003009e0800000300003f959809",
        "4201010408000003009e0800000300003f9000a2402d39fcb2b349272bc39a020000030002000003003210", "4401c172860c4624",
      ]))
    #expect(description.dimensions == CMVideoDimensions(width: 642, height: 360))
    #expect(description.presentationDimensions() == CGSize(width: 856, height: 360))
  }

  @Test func parameterSets_comeBack() throws {
    for texts in [ParameterSetTests.h264, ParameterSetTests.hevc] {
      let isHEVC = texts.count == 3
      let description =
        try isHEVC
        ? CMFormatDescription(hevcParameterSets: sets(texts)) : CMFormatDescription(h264ParameterSets: sets(texts))
      #expect(description.parameterSets.map(\.hex) == texts && description.nalUnitHeaderLength == 4)
      var (pointer, size, count, length): (UnsafePointer<UInt8>?, Int, Int, Int32) = (nil, 0, 0, 0)
      let function =
        isHEVC
        ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex : CMVideoFormatDescriptionGetH264ParameterSetAtIndex
      #expect(function(description, 1, &pointer, &size, &count, &length) == noErr)
      #expect(count == texts.count && length == 4)
      #expect(pointer.map { Data(bytes: $0, count: size).hex } == texts[1])
      #expect(function(description, 9, &pointer, &size, nil, nil) == kCMFormatDescriptionError_InvalidParameter)
    }
  }

  @Test func cFunction_makesTheSameDescription() throws {
    let (sequence, picture) = (Data(hex: ParameterSetTests.h264[0]), Data(hex: ParameterSetTests.h264[1]))
    var description: CMFormatDescription?
    let status = sequence.withUnsafeBytes { sequence in
      picture.withUnsafeBytes { picture in
        let pointers = [sequence, picture].compactMap { $0.bindMemory(to: UInt8.self).baseAddress }
        return CMVideoFormatDescriptionCreateFromH264ParameterSets(
          allocator: kCFAllocatorDefault, parameterSetCount: 2, parameterSetPointers: pointers,
          parameterSetSizes: [sequence.count, picture.count], nalUnitHeaderLength: 4,
          formatDescriptionOut: &description)
      }
    }
    #expect(status == noErr)
    #expect(description == (try CMFormatDescription(h264ParameterSets: sets(ParameterSetTests.h264))))
  }

  @Test func missingSets_areRefused() {
    #expect(throws: NSError.self) { try CMFormatDescription(h264ParameterSets: []) }
    #expect(throws: NSError.self) { try CMFormatDescription(h264ParameterSets: sets([ParameterSetTests.h264[0]])) }
    #expect(throws: NSError.self) { try CMFormatDescription(hevcParameterSets: sets([ParameterSetTests.hevc[1]])) }
    #expect(throws: NSError.self) {
      try CMFormatDescription(h264ParameterSets: sets(ParameterSetTests.h264), nalUnitHeaderLength: 3)
    }
  }

  @Test func damagedSets_neverTrap() {
    var random = SplitMix(seed: 3)
    var made = 0
    for _ in 0..<2_000 {
      func damage(_ text: String) -> Data {
        var data = Data(hex: text)
        for _ in 0...random.below(4) { data[1 + random.below(UInt64(data.count - 1))] = UInt8(random.below(256)) }
        return Data(data.prefix(1 + random.below(UInt64(data.count))))
      }
      let h264 = try? CMFormatDescription(h264ParameterSets: ParameterSetTests.h264.map(damage))
      let hevc = try? CMFormatDescription(hevcParameterSets: ParameterSetTests.hevc.map(damage))
      made += h264.map { $0.parameterSets.count } ?? 0
      made += hevc.map { $0.parameterSets.count } ?? 0
      let record = Data((0..<40).map { _ in UInt8(random.below(256)) })
      let foreign = CMFormatDescription.Extensions(
        base: [kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: ["avcC": record, "hvcC": record]])
      made +=
        (try? CMFormatDescription(videoCodecType: .h264, width: 1, height: 1, extensions: foreign))
        .map { $0.parameterSets.count } ?? 0
    }
    #expect(made > 0)
  }
}

extension Data {
  init(hex: String) {
    self.init(
      stride(from: 0, to: hex.count, by: 2).compactMap { offset in
        let start = hex.index(hex.startIndex, offsetBy: offset)
        return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
      })
  }

  var hex: String { map { String(format: "%02x", $0) }.joined() }
}
