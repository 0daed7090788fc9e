import AVFoundation
import MediaRuntime
import Testing
import UniformTypeIdentifiers

/// NSValue boxes, errors, typed strings.
@Suite struct BoxTests {
  @Test func timesComeOutAsTheyWentIn() {
    var time = CMTime(value: 7, timescale: 30)
    time.epoch = 3
    time.flags.insert(.hasBeenRounded)
    let box = NSValue(time: time)
    #expect(box.timeValue.epoch == 3)
    #expect(box.timeValue.flags == time.flags)
    #expect(box == NSValue(time: time))
    #expect(box != NSValue(time: CMTime(value: 14, timescale: 60)))
    #expect(NSValue(timeRange: CMTimeRange(start: time, duration: .zero)).timeRangeValue.start == time)
    #expect(!box.timeRangeValue.isValid)
    let mapping = CMTimeMapping(source: .invalid, target: CMTimeRange(start: .zero, duration: time))
    #expect(NSValue(timeMapping: mapping).timeMappingValue.target.duration == time)
    #expect([NSValue(time: .zero), box].map(\.timeValue) == [.zero, time])
  }

  @Test func errorsAreCastBothWays() {
    let plain: any Error = NSError(domain: AVFoundationErrorDomain, code: -11821)
    #expect((plain as? AVError)?.code == .decodeFailed)
    let typed: any Error = AVError(.noImageAtTime)
    #expect((typed as NSError).code == -11832)
    #expect((NSError(domain: NSCocoaErrorDomain, code: 1) as any Error) as? AVError == nil)
    #expect(AVError.decodeFailed == AVError.Code.decodeFailed)
  }

  @Test func errorsTellTheReasonAndTheRemedyApart() {
    let error = MediaError(.sourceChanged, "It was cut. It is short now. Open it again.", address: "/a").appleError
    #expect(error.localizedDescription == "It was cut. It is short now. Open it again.")
    #expect(error.localizedFailureReason == "It was cut. It is short now.")
    #expect(error.localizedRecoverySuggestion == "Open it again.")
    let memory = MediaError(.outOfMemory, "There is not enough memory. Close other programs.").appleError
    #expect(memory.domain == AVFoundationErrorDomain && memory.code == AVError.Code.outOfMemory.rawValue)
    let bare = MediaError(.interrupted, "Loading was cancelled.").appleError
    #expect(bare.localizedFailureReason == "Loading was cancelled.")
    #expect(bare.localizedRecoverySuggestion == nil)
  }

  @Test func typedStringsHaveApplesRawValues() {
    #expect(AVMediaType.video.rawValue == "vide")
    #expect(AVFileType.mp4.rawValue == "public.mpeg-4")
    #expect(AVLayerVideoGravity.resizeAspect.rawValue == "AVLayerVideoGravityResizeAspect")
    #expect(AVMetadataIdentifier.iTunesMetadataSongName.rawValue == "itsk/%A9nam")
    #expect(AVMetadataIdentifier.id3MetadataTitleDescription.rawValue == "id3/TIT2")
    #expect(AVMetadataIdentifier.quickTimeMetadataMake.rawValue == "mdta/com.apple.quicktime.make")
  }

  @Test func identifiersAreTakenApartAndPutTogether() {
    let identifier = AVMetadataItem.identifier(forKey: "©nam", keySpace: .iTunes)
    #expect(identifier == .iTunesMetadataSongName)
    #expect(AVMetadataItem.keySpace(forIdentifier: .id3MetadataUserText) == .id3)
    #expect(AVMetadataItem.key(forIdentifier: .iTunesMetadataSongName) as? String == "©nam")
    let odd = AVMetadataItem.identifier(forKey: "a/b ü", keySpace: .quickTimeMetadata)
    #expect(odd?.rawValue == "mdta/a%2Fb%20%C3%BC")
    #expect(odd.flatMap { AVMetadataItem.key(forIdentifier: $0) } as? String == "a/b ü")
    for key in ["Réalisateur", "é", "©©", "a©é", "%", "😀©", "ÿ"] {
      let identifier = AVMetadataItem.identifier(forKey: key, keySpace: .quickTimeMetadata)
      #expect(identifier.flatMap { AVMetadataItem.key(forIdentifier: $0) } as? String == key)
    }
    #expect(AVMetadataItem.key(forIdentifier: AVMetadataIdentifier("mdta/a%zz")) as? String == "a%zz")
    #expect(AVMetadataItem.key(forIdentifier: AVMetadataIdentifier("mdta/50%")) as? String == "50%")
  }

  @Test func extendedMIMETypesAreJudgedByTheirCodecs() {
    #expect(AVURLAsset.isPlayableExtendedMIMEType("video/mp4; codecs=\"avc1.64001f, mp4a.40.2\""))
    #expect(AVURLAsset.isPlayableExtendedMIMEType("audio/mpeg"))
    #expect(!AVURLAsset.isPlayableExtendedMIMEType("video/mp4; codecs=\"xyz1\""))
    #expect(!AVURLAsset.isPlayableExtendedMIMEType("text/html"))
    #expect(!AVURLAsset.isPlayableExtendedMIMEType(""))
  }

  @Test func typesOfMediaAreUniformTypes() {
    let types = AVURLAsset.audiovisualContentTypes
    #expect(types.map(\.identifier) == AVURLAsset.audiovisualTypes().map(\.rawValue))
    #expect(types.contains(.mpeg4Movie) && types.contains(.mp3))
  }

  @Test func aspectRatiosAreFitted() {
    let rect = AVMakeRect(
      aspectRatio: CGSize(width: 16, height: 9), insideRect: CGRect(x: 0, y: 0, width: 100, height: 100))
    #expect(rect == CGRect(x: 0, y: 21.875, width: 100, height: 56.25))
    #expect(AVCoreAnimationBeginTimeAtZero > 0 && AVCoreAnimationBeginTimeAtZero < 1e-9)
  }
}
