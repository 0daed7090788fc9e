import CoreMedia
import CoreVideo
import Foundation
import Testing

@Suite struct AttachmentTests {
  private func makeBuffer(_ width: Int = 16, _ height: Int = 16) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
    return try #require(buffer)
  }

  @Test func values_comeBackWithTheirMode() throws {
    let buffer = try makeBuffer()
    CVBufferSetAttachment(
      buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
    CVBufferSetAttachment(buffer, "mine", 5, .shouldNotPropagate)
    var mode = CVAttachmentMode.shouldNotPropagate
    let value = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, &mode)
    #expect(value as? String == "ITU_R_709_2" && mode == .shouldPropagate)
    #expect(CVBufferGetAttachment(buffer, "mine", nil)?.takeUnretainedValue() as? Int == 5)
    let old = CVBufferGetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil)?.takeUnretainedValue()
    #expect(old as? String == "ITU_R_709_2")
    #expect(CVBufferGetAttachments(buffer, .shouldPropagate)?.count == 1)
    CVBufferRemoveAttachment(buffer, "mine")
    #expect(!CVBufferHasAttachment(buffer, "mine") && CVBufferCopyAttachments(buffer, .shouldNotPropagate) == nil)
  }

  @Test func onlyPropagatingValues_goAlong() throws {
    let (source, target) = (try makeBuffer(), try makeBuffer())
    CVBufferSetAttachments(source, ["a": 1, "b": 2], .shouldPropagate)
    CVBufferSetAttachment(source, "c", 3, .shouldNotPropagate)
    CVBufferPropagateAttachments(source, target)
    #expect(CVBufferCopyAttachments(target, .shouldPropagate)?.keys.sorted() == ["a", "b"])
    #expect(!CVBufferHasAttachment(target, "c"))
    CVBufferRemoveAllAttachments(target)
    #expect(!CVBufferHasAttachment(target, "a"))
  }

  @Test func coreMediasFunctions_reachImageSampleAndBlockBuffers() throws {
    let block = try CMBlockBuffer(length: 4)
    let sample = try CMSampleBuffer(
      dataBuffer: block, formatDescription: nil, numSamples: 0, sampleTimings: [], sampleSizes: [])
    let bearers: [AnyObject] = [try makeBuffer(), block, sample]
    for bearer in bearers {
      CMSetAttachment(bearer, key: "k", value: "v", attachmentMode: kCMAttachmentMode_ShouldPropagate)
      var mode: CMAttachmentMode = 9
      #expect(CMGetAttachment(bearer, key: "k", attachmentModeOut: &mode) as? String == "v" && mode == 1)
      CMPropagateAttachments(bearer, destination: block)
      #expect(
        CMCopyDictionaryOfAttachments(
          allocator: kCFAllocatorDefault, target: block, attachmentMode: kCMAttachmentMode_ShouldPropagate)?.count == 1)
      CMSetAttachment(bearer, key: "k", value: nil, attachmentMode: 0)
      #expect(CMGetAttachment(bearer, key: "k", attachmentModeOut: nil) == nil)
      CMRemoveAllAttachments(bearer)
    }
  }

  /// Calls back when it is freed.
  private final class Returning {
    let act: () -> Void

    init(_ act: @escaping () -> Void) { self.act = act }

    deinit { act() }
  }

  @Test func whatIsReplacedOrRemoved_isFreedWhenItsBufferCanBeUsed() throws {
    let sample = try CMSampleBuffer(
      dataBuffer: nil, formatDescription: nil, numSamples: 0, sampleTimings: [], sampleSizes: [])
    let bearers: [AnyObject] = [try makeBuffer(), try CMBlockBuffer(length: 4), sample]
    for bearer in bearers {
      var seen: [String?] = []
      func attach() {
        let value = Returning { [unowned bearer] in
          seen.append(CMGetAttachment(bearer, key: "k", attachmentModeOut: nil) as? String)
        }
        CMSetAttachment(bearer, key: "k", value: value, attachmentMode: 0)
      }
      attach()
      CMSetAttachment(bearer, key: "k", value: "new", attachmentMode: 0)
      attach()
      CMRemoveAttachment(bearer, key: "k")
      attach()
      CMRemoveAllAttachments(bearer)
      #expect(seen == ["new", nil, nil])
    }
    var seen: [Bool] = []
    do {
      let held = Returning { [unowned sample] in seen.append(sample.isValid) }
      try sample.setInvalidateHandler { _ in withExtendedLifetime(held) {} }
    }
    try sample.setInvalidateHandler { _ in }
    #expect(seen == [true])
  }

  @Test func displaySize_followsApertureAndAspect() throws {
    let buffer = try makeBuffer(720, 576)
    #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 720, height: 576))
    CVBufferSetAttachment(
      buffer, kCVImageBufferCleanApertureKey,
      [
        kCVImageBufferCleanApertureWidthKey: 704, kCVImageBufferCleanApertureHeightKey: 576,
        kCVImageBufferCleanApertureHorizontalOffsetKey: 4, kCVImageBufferCleanApertureVerticalOffsetKey: 0,
      ] as [String: Any], .shouldPropagate)
    CVBufferSetAttachment(
      buffer, kCVImageBufferPixelAspectRatioKey,
      [
        kCVImageBufferPixelAspectRatioHorizontalSpacingKey: 12, kCVImageBufferPixelAspectRatioVerticalSpacingKey: 11,
      ] as [String: Any], .shouldPropagate)
    #expect(CVImageBufferGetCleanRect(buffer) == CGRect(x: 12, y: 0, width: 704, height: 576))
    #expect(CVImageBufferGetDisplaySize(buffer) == CGSize(width: 768, height: 576))
    #expect(CVImageBufferGetEncodedSize(buffer) == CGSize(width: 720, height: 576))
  }

  @Test func apertureOutsideThePicture_isIgnored() throws {
    let buffer = try makeBuffer()
    for aperture: [String: Any] in [
      ["Width": -5, "Height": 4], ["Width": Double.nan, "Height": 4], ["Width": 4],
      ["Width": 4, "Height": 4, "HorizontalOffset": 1e9],
    ] {
      CVBufferSetAttachment(buffer, kCVImageBufferCleanApertureKey, aperture, .shouldPropagate)
      #expect(CVImageBufferGetCleanRect(buffer) == CGRect(x: 0, y: 0, width: 16, height: 16))
    }
  }

  @Test func codePoints_matchTheNames() {
    #expect(CVColorPrimariesGetIntegerCodePointForString(kCVImageBufferColorPrimaries_ITU_R_2020) == 9)
    #expect(CVTransferFunctionGetStringForIntegerCodePoint(16) == kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ)
    #expect(CVYCbCrMatrixGetIntegerCodePointForString(kCVImageBufferYCbCrMatrix_ITU_R_601_4) == 6)
    #expect(CVYCbCrMatrixGetStringForIntegerCodePoint(77) == nil)
    #expect(CVTransferFunctionGetIntegerCodePointForString(nil) == 2)
  }

  @Test func colourSpace_comesFromPrimariesAndTransfer() throws {
    let space = CVImageBufferCreateColorSpaceFromAttachments([
      kCVImageBufferColorPrimariesKey: kCVImageBufferColorPrimaries_ITU_R_2020,
      kCVImageBufferTransferFunctionKey: kCVImageBufferTransferFunction_ITU_R_2100_HLG,
    ])
    #expect(space?.takeRetainedValue().name == CGColorSpace.itur_2100_HLG)
    #expect(CVImageBufferCreateColorSpaceFromAttachments([:]) == nil)
  }
}
