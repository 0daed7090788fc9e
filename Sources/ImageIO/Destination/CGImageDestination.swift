public import CoreGraphics
import FFmpegBackend
import Foundation
import MediaRuntime

/// A picture file that is written: PNG, JPEG, or WebP where FFmpeg has its encoder. One picture per file.
public final class CGImageDestination: Sendable {
  /// `@unchecked Sendable`: `NSMutableData` belongs to the caller, who leaves it alone until
  /// `CGImageDestinationFinalize`; it is touched under the lock only.
  fileprivate enum Target: @unchecked Sendable {
    case file(URL)
    case memory(NSMutableData)
  }

  private struct State {
    var target: Target
    var encoded: Data?
    var isFinalized = false
  }

  private let format: StillEncoder.Format
  private let state: Lock<State>

  fileprivate init?(_ type: CFString, _ target: Target) {
    switch type {
    case "public.png": format = .png
    case "public.jpeg": format = .jpeg
    case "org.webmproject.webp": format = .webp
    default: return nil
    }
    state = Lock(State(target: target))
  }

  fileprivate func add(_ image: CGImage, _ properties: CFDictionary?) {
    let quality = (properties?[kCGImageDestinationLossyCompressionQuality] as? NSNumber)?.doubleValue
    guard let pixels = PlainPixels(image) else { return }
    let encoded = try? StillEncoder.encode(
      pixels.bytes, width: image.width, height: image.height, hasAlpha: pixels.hasAlpha, as: format, quality: quality)
    state.withLock { if $0.encoded == nil { $0.encoded = encoded } }
  }

  fileprivate func write() -> Bool {
    state.withLock { state in
      guard !state.isFinalized, let encoded = state.encoded else { return false }
      state.isFinalized = true
      switch state.target {
      case .file(let url): return (try? encoded.write(to: url, options: .atomic)) != nil
      case .memory(let data):
        data.append(encoded)
        return true
      }
    }
  }
}

/// Nil for types that can't be written here.
public func CGImageDestinationCreateWithURL(_ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?)
  -> CGImageDestination?
{
  CGImageDestination(type, .file(url))
}

/// Nil for types that can't be written here.
public func CGImageDestinationCreateWithData(
  _ data: NSMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
  CGImageDestination(type, .memory(data))
}

public func CGImageDestinationAddImage(_ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?) {
  idst.add(image, properties)
}

/// Writes the file; false when there is no picture, or it could not be written.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { idst.write() }

/// 0…1, for formats that lose.
public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
