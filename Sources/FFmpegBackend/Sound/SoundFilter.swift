import CFFmpeg
import MediaEngine
import MediaRuntime

/// A chain of libavfilter's filters for interleaved floats of one format. Owned by one stretcher or effect.
final class SoundFilter {
  struct Step {
    var name: String
    var arguments: String
  }

  private let library: FilterLibrary
  private var graph: FilterLibrary.Graph?
  private var source: FilterLibrary.Context?
  private var sink: FilterLibrary.Context?
  private var input: UnsafeMutablePointer<AVFrame>?
  private var output: UnsafeMutablePointer<AVFrame>?
  private let format: AudioDeviceFormat
  private var position: Int64 = 0

  /// Whether this computer's libavfilter has a filter.
  static func has(_ name: String) throws(MediaError) -> Bool { try FilterLibrary.open().filter(name) != nil }

  /// - Throws: `conversionFailed` where libavfilter or one of the filters is missing.
  init(_ steps: [Step], format: AudioDeviceFormat) throws(MediaError) {
    library = try FilterLibrary.open()
    self.format = format
    graph = library.makeGraph()
    // A thread for each of a player's sounds would be one too many.
    graph?.pointee.nb_threads = 1
    input = av_frame_alloc()
    output = av_frame_alloc()
    guard graph != nil, input != nil, output != nil else { throw .outOfMemory }
    let formatArguments =
      "time_base=1/\(format.sampleRate):sample_rate=\(format.sampleRate):sample_fmt=flt"
      + ":channel_layout=0x\(String(format.mask, radix: 16))"
    source = try add("abuffer", formatArguments)
    var last = source
    for step in steps { last = try link(last, add(step.name, step.arguments)) }
    // Filters may change the format; what comes out is as what went in.
    last = try link(
      last,
      add(
        "aformat",
        "sample_fmts=flt:sample_rates=\(format.sampleRate):channel_layouts=0x\(String(format.mask, radix: 16))"))
    sink = try link(last, add("abuffersink", ""))
    try check(library.configure(graph, nil))
  }

  deinit {
    av_frame_free(&input)
    av_frame_free(&output)
    library.freeGraph(&graph)
  }

  func process(_ samples: [Float], into result: inout [Float]) throws(MediaError) {
    guard let input, !samples.isEmpty else { return }
    let count = samples.count / format.channelCount
    av_frame_unref(input)
    input.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
    input.pointee.sample_rate = Int32(clamping: format.sampleRate)
    input.pointee.nb_samples = Int32(clamping: count)
    input.pointee.pts = position
    av_channel_layout_from_mask(&input.pointee.ch_layout, format.mask)
    try check(av_frame_get_buffer(input, 0))
    samples.withUnsafeBytes { bytes in
      guard let data = input.pointee.data.0, let base = bytes.baseAddress else { return }
      UnsafeMutableRawPointer(data).copyMemory(
        from: base, byteCount: count * format.channelCount * MemoryLayout<Float>.size)
    }
    position += Int64(count)
    try check(library.send(source, input, 0))
    try drain(into: &result)
  }

  func finish(into result: inout [Float]) throws(MediaError) {
    try check(library.send(source, nil, 0))
    try drain(into: &result)
  }

  private func drain(into result: inout [Float]) throws(MediaError) {
    guard let output else { return }
    while true {
      let status = library.receive(sink, output)
      if status == .again || status == .endOfFile { return }
      try check(status)
      if let data = output.pointee.data.0 {
        let count = Int(output.pointee.nb_samples) * format.channelCount
        UnsafeRawPointer(data).withMemoryRebound(to: Float.self, capacity: count) { samples in
          result.append(contentsOf: UnsafeBufferPointer(start: samples, count: count))
        }
      }
      av_frame_unref(output)
    }
  }

  private func add(_ name: String, _ arguments: String) throws(MediaError) -> FilterLibrary.Context? {
    guard let filter = library.filter(name) else {
      throw MediaError(
        .conversionFailed, "FFmpeg has no filter “\(name)” here. Install a build of libavfilter that has it.")
    }
    var context: FilterLibrary.Context?
    try check(library.add(&context, filter, name, arguments, nil, graph))
    return context
  }

  private func link(_ from: FilterLibrary.Context?, _ to: FilterLibrary.Context?) throws(MediaError)
    -> FilterLibrary.Context?
  {
    try check(library.link(from, 0, to, 0))
    return to
  }

  private func check(_ status: Int32) throws(MediaError) {
    guard status < 0 else { return }
    throw MediaError(
      .conversionFailed, "The sound can't be filtered. Play it at its own speed, without effects.", status: status)
  }
}

extension AudioDeviceFormat {
  /// The channels' mask; the usual one for their number where none is known.
  fileprivate var mask: UInt64 {
    if channelMask.nonzeroBitCount == channelCount { return channelMask }
    var layout = AVChannelLayout()
    defer { av_channel_layout_uninit(&layout) }
    av_channel_layout_default(&layout, Int32(clamping: channelCount))
    return layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : (1 << UInt64(min(channelCount, 63))) - 1
  }
}
