package import Foundation
package import MediaEngine
import MediaRuntime

/// Examines files on the engine's queues.
package enum MediaDoctor {
  /// Calls back on an engine queue: `progress` now and then with the part that is done, `completion` once.
  package static func examine(
    _ url: URL, address: String, isQuick: Bool, environment: EngineEnvironment,
    progress: @escaping @Sendable (Double) -> Void, _ completion: @escaping @Sendable (Diagnosis) -> Void
  ) {
    let queue = environment.scheduler.queue("doctor \(url.lastPathComponent)", .blocking)
    let work = Work(FileExamination(url, address: address, isQuick: isQuick, environment: environment))
    queue.post("examine") { work.goOn(queue, progress, completion) }
  }

  /// `@unchecked Sendable`: used by the steps of one queue alone.
  private final class Work: @unchecked Sendable {
    private let examination: FileExamination
    private var told = -1

    init(_ examination: FileExamination) { self.examination = examination }

    func goOn(
      _ queue: SerialQueue, _ progress: @escaping @Sendable (Double) -> Void,
      _ completion: @escaping @Sendable (Diagnosis) -> Void
    ) {
      switch examination.step() {
      case .goesOn(let part):
        let percent = Int((part ?? 0) * 100)
        if percent != told, let part { progress(part) }
        told = percent
        queue.post("examine") { self.goOn(queue, progress, completion) }
      case .done(let diagnosis):
        queue.close()
        completion(diagnosis)
      }
    }
  }
}
