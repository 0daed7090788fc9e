import CFFmpeg

/// Has pictures laid out one behind the other from the first film on, as they are from the second.
///
/// glibc maps a large block by itself until a block of its size has been freed once (mallopt(3), M_MMAP_THRESHOLD). Decoding
/// 1080p took 3 % longer with mapped ones. They all begin at the same place of a page, so most likely the rows of a
/// picture and of those it is predicted from compete for the same lines of the processor's cache.
enum PicturePlacement {
  /// More than a plane of 1080p with 16 bits. Without it 4K had 0.99 of the bare libraries' speed.
  private static let block = 5 << 20

  static func install() { _ = installed }

  // By FFmpeg's names: the compiler leaves out a `free(malloc())`.
  private static let installed: Void = av_free(av_malloc(block))
}
