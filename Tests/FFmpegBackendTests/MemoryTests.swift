import MediaRuntime
import Testing

@testable import FFmpegBackend

@Suite struct MemoryTests {
  @Test(
    "A lack of memory is told as that, whatever was being done",
    arguments: [
      MediaError.Code.containerDamaged, .containerTruncated, .decodeFailed, .decoderOpenFailed, .conversionFailed,
    ])
  func aLackOfMemoryIsNoFaultOfTheMedia(code: MediaError.Code) {
    #expect(MediaError(code, "It is damaged.", status: .outOfMemory).code == .outOfMemory)
    #expect(MediaError(code, "It is damaged.", status: .endOfFile).code == code)
  }
}
