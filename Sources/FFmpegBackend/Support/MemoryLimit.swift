import CFFmpeg

/// Bounds what one table or picture of damaged or hostile media may take.
enum MemoryLimit {
  /// An 8K picture of four 16-bit planes in one piece has 253 MiB; an index of ten million samples has 229.
  static let block = 320 << 20

  /// Pixels of one picture: twice 8K, and more than any of the conformance corpus has. A decoder keeps up to sixteen
  /// pictures that others refer to, and one behind for each of its threads, each within `block`: only together they
  /// would take all memory.
  static let pixels: Int64 = 1 << 26

  static func install() { _ = installed }

  private static let installed: Void = av_max_alloc(block)
}
