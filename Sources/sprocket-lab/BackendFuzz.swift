import FFmpegBackend
import Foundation
import MediaTestSupport

/// `fuzz backend --seconds N --from FOLDER --keep FOLDER [--seed N] [--case N]`: damaged files through the back end
/// alone, in this process. The number of the case that runs stands in `KEEP/backend-case`, in case it traps.
enum BackendFuzz {
  /// Seconds of computing after which a case counts as hanging; of waiting it may take ten times as many.
  private static let hangLimit = 20.0

  static func run(seconds: Double, from: URL, keep: URL, seed: UInt64?, only: Int?) throws -> Int32 {
    let seed = seed ?? UInt64(Date().timeIntervalSince1970)
    let fuzz = ContainerFuzz(folder: from)
    guard fuzz.fileCount > 0 else { throw UsageError(description: "no media in \(from.path)") }
    let watch = Watch(limit: hangLimit)
    watch.start()
    if let only {
      watch.begin("seed \(seed) case \(only)")
      let start = ContainerFuzz.computed
      let outcome = fuzz.runCase(only, seed: seed)
      print("seed \(seed) case \(only): \(outcome), \(ContainerFuzz.computed - start) s of computing")
      return outcome == .refused || outcome == .opened(broken: []) ? 0 : 1
    }
    let note = keep.appendingPathComponent("backend-case")
    let report = fuzz.run(seconds: seconds, seed: seed) { name in
      watch.begin(name)
      try? name.write(to: note, atomically: false, encoding: .utf8)
    }
    for name in report.slow { print("slow: \(name)") }
    for text in report.broken { print("promise broken: \(text)") }
    print(
      "fuzz backend: \(report.cases) damaged files by seed \(seed), \(report.opened) opened, \(report.slow.count) slow, "
        + "\(report.broken.count) with a promise broken")
    return report.slow.isEmpty && report.broken.isEmpty ? 0 : 1
  }

  /// Ends the process when a case hangs. `@unchecked Sendable`: all is read and written under the lock.
  private final class Watch: @unchecked Sendable {
    private let lock = NSLock()
    private let limit: Double
    private var name = ""
    private var begun = Date()
    private var computed = 0.0

    init(limit: Double) { self.limit = limit }

    func begin(_ name: String) {
      lock.withLock {
        self.name = name
        begun = Date()
        computed = ContainerFuzz.computed
      }
    }

    func start() {
      Thread.detachNewThread { [self] in
        while true {
          Thread.sleep(forTimeInterval: 1)
          let (name, waited, computed) = lock.withLock {
            (self.name, -begun.timeIntervalSinceNow, ContainerFuzz.computed - self.computed)
          }
          guard waited > limit * 10 || computed > limit, !name.isEmpty else { continue }
          print("hang: \(name)")
          exit(1)
        }
      }
    }
  }
}
