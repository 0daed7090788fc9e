import Dispatch
package import Foundation
import Glibc
import MediaEngine
import MediaIO
import MediaRuntime

/// Feeds damaged media to the back end: flipped bits, cut ends, changed sizes, pieces of other files.
///
/// A trap ends the process, so the case is told before it runs: seed and number reproduce it.
package struct ContainerFuzz {
  package struct Report: Sendable {
    package var cases = 0
    package var opened = 0
    package var refused = 0
    /// Cases that computed for more than five seconds.
    package var slow: [String] = []
    /// Cases in which the back end broke a promise, with what it gave.
    package var broken: [String] = []
  }

  package enum Outcome: Hashable, Sendable {
    case refused
    /// Opened and read to its end, or as far as it went; with what the back end gave that it promises not to give.
    case opened(broken: Set<String>)
  }

  /// Files larger than that make few cases a second and find nothing more.
  private static let sizeLimit = 400_000

  private let files: [URL]

  /// - Parameter folder: searched for media, deeply; a case's number holds for as long as the files are the same.
  package init(folder: URL) {
    let all = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.fileSizeKey], options: .skipsHiddenFiles)
    var found: [URL] = []
    while let url = all?.nextObject() as? URL {
      let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
      if size > 16, size <= Self.sizeLimit { found.append(url) }
    }
    files = found.sorted { $0.path < $1.path }
  }

  package var fileCount: Int { files.count }

  /// - Parameters:
  ///   - seconds: how long to go on; a case that runs is finished.
  ///   - note: told the name of each case before it runs.
  package func run(seconds: Double, seed: UInt64, note: (String) -> Void = { _ in }) -> Report {
    var report = Report()
    let start = DispatchTime.now().uptimeNanoseconds
    func elapsed() -> Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }
    while elapsed() < seconds, !files.isEmpty {
      let name = "seed \(seed) case \(report.cases)"
      note(name)
      let before = Self.computed
      switch runCase(report.cases, seed: seed) {
      case .refused: report.refused += 1
      case .opened(let broken):
        report.opened += 1
        if !broken.isEmpty { report.broken.append("\(name): \(broken.sorted().joined(separator: ", "))") }
      }
      report.cases += 1
      if Self.computed - before > 5 { report.slow.append(name) }
    }
    return report
  }

  /// Seconds that this process has computed: on a busy machine a case waits for its turn, which is no fault of its own.
  package static var computed: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }

  package func runCase(_ number: Int, seed: UInt64) -> Outcome {
    var random = SeededNumbers(seed &+ UInt64(number) &* 0x1_0000_0001)
    guard let url = files.randomElement(using: &random), let data = try? Data(contentsOf: url) else {
      return .refused
    }
    let bytes = mutated([UInt8](data), &random)
    let hints = SourceHints(
      pathExtension: url.pathExtension.lowercased(), prefersPreciseTiming: Bool.random(using: &random))
    let media = try? decodeEverything(MemorySource(Data(bytes)), hints: hints, hashing: false, packetLimit: 3_000)
    return media.map { .opened(broken: $0.brokenGuarantees) } ?? .refused
  }

  private func mutated(_ original: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard !bytes.isEmpty else { return [0] }
      // Headers lie in front: half of the damage goes there.
      let reach = Bool.random(using: &random) ? min(bytes.count, 2_048) : bytes.count
      let place = Int.random(in: 0..<reach, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        for _ in 0..<Int.random(in: 1...32, using: &random) {
          bytes[Int.random(in: 0..<reach, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      case 1: bytes.removeLast(bytes.count - max(place, 1))
      case 2:
        // A size or count becomes extreme.
        let value: UInt32 = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF].randomElement(using: &random) ?? 0
        for offset in 0..<4 where place + offset < bytes.count {
          bytes[place + offset] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * offset))
        }
      case 3:
        let end = min(place + Int.random(in: 1...256, using: &random), bytes.count)
        bytes.removeSubrange(place..<end)
      case 4:
        let from = Int.random(in: 0..<bytes.count, using: &random)
        let piece = bytes[from..<min(from + Int.random(in: 1...512, using: &random), bytes.count)]
        bytes.insert(contentsOf: Array(piece), at: place)
      default:
        for offset in 0..<Int.random(in: 1...64, using: &random) where place + offset < bytes.count {
          bytes[place + offset] = UInt8.random(in: 0...255, using: &random)
        }
      }
    }
    return bytes
  }
}
