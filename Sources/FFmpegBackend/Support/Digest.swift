import CFFmpeg

/// MD5 by libavutil, shortened to 64 bits: the first sixteen digits that `ffmpeg -f framemd5` prints.
struct Digest: ~Copyable {
  private let state: OpaquePointer?

  init() {
    state = av_md5_alloc()
    if let state { av_md5_init(state) }
  }

  deinit { av_free(UnsafeMutableRawPointer(state)) }

  borrowing func add(_ bytes: UnsafeRawBufferPointer) {
    guard let state, let base = bytes.baseAddress, !bytes.isEmpty else { return }
    av_md5_update(state, base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  consuming func finish() -> UInt64 {
    guard let state else { return 0 }
    var result = [UInt8](repeating: 0, count: 16)
    av_md5_final(state, &result)
    return result.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
