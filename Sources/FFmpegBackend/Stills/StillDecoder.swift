import CFFmpeg
package import CoreVideo
import Foundation
import MediaEngine
import MediaIO
package import MediaRuntime

/// Still pictures and animations read whole from memory: PNG, JPEG, GIF, WebP, BMP, TIFF, AVIF as FFmpeg can.
package struct StillDecoder {
  /// Pictures of an animation that are decoded at most.
  private static let limit = 1_000
  /// Bytes of pixels that are kept at most.
  private static let memoryLimit = 1 << 30

  /// FFmpeg's name of the codec, such as `png`.
  package let codec: String
  /// In 32-bit BGRA.
  package let pictures: [CVPixelBuffer]

  package init(_ data: Data, address: String = "memory:") throws(MediaError) {
    let source = MemorySource(data, address: address)
    try source.open(.first)
    let demuxer = FFmpegDemuxer(source, hints: SourceHints())
    defer { demuxer.close() }
    let description = try demuxer.open(.first)
    guard let track = description.tracks(of: .video).first else {
      throw MediaError(.containerNoTracks, "This is no picture. Choose a PNG or JPEG file.", address: address)
    }
    let decoder = try FFmpegVideoDecoder(track, threads: 1, .first)
    demuxer.select([track.index])
    var pictures: [CVPixelBuffer] = []
    var size = 0
    var isFull: Bool { pictures.count >= Self.limit || size > Self.memoryLimit }
    func collect() throws(MediaError) {
      while !isFull, case .output(let frame) = try decoder.receive() {
        guard let picture = frame.picture as? FramePicture else { continue }
        let buffer = try picture.pixelBuffer(format: kCVPixelFormatType_32BGRA, width: nil, height: nil)
        size += CVPixelBufferGetDataSize(buffer)
        pictures.append(buffer)
      }
    }
    var damage: MediaError?
    /// What is damaged costs its own picture, not those before and behind it.
    func kept(_ step: () throws(MediaError) -> Void) {
      do throws(MediaError) { try step() } catch { damage = error }
    }
    reading: while !isFull {
      do throws(MediaError) {
        guard case .packet(let packet) = try demuxer.read(.first) else { break }
        kept { () throws(MediaError) in try decoder.send(packet, skippingNonReference: false) }
        kept(collect)
      } catch {
        damage = error
        break reading
      }
    }
    decoder.finish()
    kept(collect)
    guard !pictures.isEmpty else {
      throw MediaError(.decodeFailed, "The picture is damaged. Get it anew.", address: address, cause: damage)
    }
    codec = track.codec.name
    self.pictures = pictures
  }
}
