import CFFmpeg
import MediaRuntime

/// libswscale's functions, opened when the first picture must be converted: most playback never needs it.
struct ScalerLibrary: Sendable {
  typealias MakeContext =
    @convention(c) (
      OpaquePointer?, Int32, Int32, AVPixelFormat, Int32, Int32, AVPixelFormat, Int32, OpaquePointer?, OpaquePointer?,
      UnsafePointer<Double>?
    ) -> OpaquePointer?
  typealias Scale =
    @convention(c) (
      OpaquePointer?, UnsafePointer<UnsafePointer<UInt8>?>?, UnsafePointer<Int32>?, Int32, Int32,
      UnsafePointer<UnsafeMutablePointer<UInt8>?>?, UnsafePointer<Int32>?
    ) -> Int32
  typealias SetColor =
    @convention(c) (
      OpaquePointer?, UnsafePointer<Int32>?, Int32, UnsafePointer<Int32>?, Int32, Int32, Int32, Int32
    ) -> Int32
  typealias Coefficients = @convention(c) (Int32) -> UnsafePointer<Int32>?
  typealias FreeContext = @convention(c) (OpaquePointer?) -> Void

  let makeContext: MakeContext
  let scale: Scale
  let setColor: SetColor
  let coefficients: Coefficients
  let freeContext: FreeContext

  /// Only the version that was compiled against: pixel formats are numbers, and other versions number them otherwise.
  private static let library = LazyLibrary(
    "libswscale", sonames: ["libswscale.so.\(LIBSWSCALE_VERSION_MAJOR)"],
    package: "libswscale\(LIBSWSCALE_VERSION_MAJOR)", missing: .conversionFailed)
  private static let opened = Lock<ScalerLibrary?>(nil)

  static func open() throws(MediaError) -> ScalerLibrary {
    if let opened = opened.withLock({ $0 }) { return opened }
    let made = try ScalerLibrary()
    opened.withLock { $0 = made }
    return made
  }

  private init() throws(MediaError) {
    makeContext = try Self.library.symbol("sws_getCachedContext", as: MakeContext.self)
    scale = try Self.library.symbol("sws_scale", as: Scale.self)
    setColor = try Self.library.symbol("sws_setColorspaceDetails", as: SetColor.self)
    coefficients = try Self.library.symbol("sws_getCoefficients", as: Coefficients.self)
    freeContext = try Self.library.symbol("sws_freeContext", as: FreeContext.self)
  }
}
