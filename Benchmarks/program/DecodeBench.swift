import FFmpegBackend
import Foundation
import Glibc
import MediaEngine
import MediaIO
import MediaRuntime

/// Decodes all pictures of a file as fast as it goes through the engine's demuxer and decoder; prints `frames`.
enum DecodeBench {
  static func run(_ path: String, threads: Int) -> Never {
    do {
      print(try decode(URL(fileURLWithPath: path), threads: threads))
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func decode(_ url: URL, threads: Int) throws -> Int {
    let backend = FFmpegMediaBackend()
    let source = try LocalSourceOpener().source(for: url, options: SourceOptions(), scheduler: RealScheduler.shared)
    source.want(.first)
    try source.open(.first)
    let demuxer = backend.demuxer(source, hints: SourceHints(pathExtension: url.pathExtension))
    let description = try demuxer.open(.first)
    guard let track = description.tracks(of: .video).first else { return 0 }
    demuxer.select([track.index])
    let decoder = try backend.videoDecoder(for: track, threads: threads, .first)
    var frames = 0
    func drain() throws -> Bool {
      while true {
        switch try decoder.receive() {
        case .output: frames += 1
        case .needsInput: return true
        case .end: return false
        }
      }
    }
    while true {
      switch try demuxer.read(.first) {
      case .packet(let packet):
        try decoder.send(packet, skippingNonReference: false)
        _ = try drain()
      case .description: break
      case .end:
        decoder.finish()
        _ = try drain()
        return frames
      }
    }
  }
}
