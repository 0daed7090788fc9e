import CFFmpeg
import MediaRuntime

/// libavfilter's functions, opened when the first sound must be filtered: most playback never needs it.
struct FilterLibrary: Sendable {
  typealias Graph = UnsafeMutablePointer<AVFilterGraph>
  typealias Context = UnsafeMutablePointer<AVFilterContext>

  let makeGraph: @convention(c) () -> Graph?
  let freeGraph: @convention(c) (UnsafeMutablePointer<Graph?>?) -> Void
  let filter: @convention(c) (UnsafePointer<CChar>?) -> UnsafePointer<AVFilter>?
  let add:
    @convention(c) (
      UnsafeMutablePointer<Context?>?, UnsafePointer<AVFilter>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafeMutableRawPointer?, Graph?
    ) -> Int32
  let link: @convention(c) (Context?, UInt32, Context?, UInt32) -> Int32
  let configure: @convention(c) (Graph?, UnsafeMutableRawPointer?) -> Int32
  let send: @convention(c) (Context?, UnsafeMutablePointer<AVFrame>?, Int32) -> Int32
  let receive: @convention(c) (Context?, UnsafeMutablePointer<AVFrame>?) -> Int32

  /// Only the version that was compiled against: its structs are laid out as the headers say.
  private static let library = LazyLibrary(
    "libavfilter", sonames: ["libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)"],
    package: "libavfilter\(LIBAVFILTER_VERSION_MAJOR)", missing: .conversionFailed)
  private static let opened = Lock<FilterLibrary?>(nil)

  static func open() throws(MediaError) -> FilterLibrary {
    if let opened = opened.withLock({ $0 }) { return opened }
    let made = try FilterLibrary()
    opened.withLock { $0 = made }
    return made
  }

  private init() throws(MediaError) {
    let library = Self.library
    makeGraph = try library.symbol("avfilter_graph_alloc", as: (@convention(c) () -> Graph?).self)
    freeGraph = try library.symbol(
      "avfilter_graph_free", as: (@convention(c) (UnsafeMutablePointer<Graph?>?) -> Void).self)
    filter = try library.symbol(
      "avfilter_get_by_name", as: (@convention(c) (UnsafePointer<CChar>?) -> UnsafePointer<AVFilter>?).self)
    add = try library.symbol(
      "avfilter_graph_create_filter",
      as: (@convention(c) (
        UnsafeMutablePointer<Context?>?, UnsafePointer<AVFilter>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UnsafeMutableRawPointer?, Graph?
      ) -> Int32).self)
    link = try library.symbol(
      "avfilter_link", as: (@convention(c) (Context?, UInt32, Context?, UInt32) -> Int32).self)
    configure = try library.symbol(
      "avfilter_graph_config", as: (@convention(c) (Graph?, UnsafeMutableRawPointer?) -> Int32).self)
    send = try library.symbol(
      "av_buffersrc_add_frame_flags",
      as: (@convention(c) (Context?, UnsafeMutablePointer<AVFrame>?, Int32) -> Int32).self)
    receive = try library.symbol(
      "av_buffersink_get_frame", as: (@convention(c) (Context?, UnsafeMutablePointer<AVFrame>?) -> Int32).self)
  }
}
