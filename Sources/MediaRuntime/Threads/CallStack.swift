internal import CLinux
import Glibc

/// The calling thread's stack as function names, for reports.
enum CallStack {
  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  static func symbols(skipping skipped: Int = 2, limit: Int = 24) -> [String] {
    var frames = [UnsafeMutableRawPointer?](repeating: nil, count: limit + skipped)
    let count = backtrace(&frames, Int32(frames.count))
    guard let texts = backtrace_symbols(&frames, count) else { return [] }
    defer { free(texts) }
    let demangle = dlsym(nil, "swift_demangle").map { unsafeBitCast($0, to: Demangle.self) }
    return (0..<Int(count)).dropFirst(skipped).map { index in
      guard let text = texts[index] else { return "?" }
      return name(String(cString: text), demangle)
    }
  }

  /// From `file(symbol+offset) [address]`: the symbol in Swift's spelling, or the whole where there is none.
  private static func name(_ frame: String, _ demangle: Demangle?) -> String {
    guard let open = frame.lastIndex(of: "("), let plus = frame[open...].firstIndex(of: "+") else { return frame }
    let symbol = String(frame[frame.index(after: open)..<plus])
    guard !symbol.isEmpty else { return frame }
    guard symbol.hasPrefix("$s"), let demangle, let text = demangle(symbol, symbol.utf8.count, nil, nil, 0) else {
      return symbol
    }
    defer { free(text) }
    return String(cString: text)
  }
}
