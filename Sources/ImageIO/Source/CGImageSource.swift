public import CoreGraphics
import CoreVideo
import FFmpegBackend
import Foundation
import MediaRuntime

/// A picture file that is read: PNG, JPEG, GIF, WebP, BMP, TIFF and AVIF as FFmpeg can.
///
/// Any thread; the pictures are decoded when the first one is asked for.
public final class CGImageSource: Sendable {
  private let data: Data
  private let decoded = Lock<StillDecoder?>(nil)

  fileprivate init(_ data: Data) { self.data = data }

  fileprivate var pictures: StillDecoder? {
    if let known = decoded.withLock({ $0 }) { return known }
    let made = try? StillDecoder(data)
    decoded.withLock { $0 = made }
    return made
  }

  /// The type by the first bytes.
  fileprivate var type: CFString? {
    let start = Array(data.prefix(16))
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "public.png" }
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "public.jpeg" }
    if start.starts(with: Array("GIF8".utf8)) { return "com.compuserve.gif" }
    if start.starts(with: Array("BM".utf8)) { return "com.microsoft.bmp" }
    if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "org.webmproject.webp"
    }
    if start.starts(with: [0x49, 0x49, 0x2A, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2A]) { return "public.tiff" }
    if start.dropFirst(4).starts(with: Array("ftypavif".utf8)) { return "public.avif" }
    return nil
  }
}

/// Nil when the file can't be read.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  guard let data = try? Data(contentsOf: url), !data.isEmpty else { return nil }
  return CGImageSource(data)
}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
  data.isEmpty ? nil : CGImageSource(data)
}

/// The type's identifier; nil for content that is no known picture.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? { isrc.type }

/// How many pictures there are: more than one in animations. Decodes.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { isrc.pictures?.pictures.count ?? 0 }

/// Nil for an index that does not exist, and for damaged content.
public func CGImageSourceCreateImageAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImage? {
  guard let pictures = isrc.pictures?.pictures, pictures.indices.contains(index) else { return nil }
  return try? PixelBufferImage.image(of: pictures[index], utType: isrc.type)
}

/// Width, height and depth under `kCGImageProperty…` keys.
public func CGImageSourceCopyPropertiesAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?)
  -> CFDictionary?
{
  guard let pictures = isrc.pictures?.pictures, pictures.indices.contains(index) else { return nil }
  return [
    kCGImagePropertyPixelWidth: CVPixelBufferGetWidth(pictures[index]),
    kCGImagePropertyPixelHeight: CVPixelBufferGetHeight(pictures[index]), kCGImagePropertyDepth: 8,
  ]
}

public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
public let kCGImagePropertyDepth: CFString = "Depth"
