import AVFoundation
import Foundation
import MediaDiagnosis
import MediaEngine
import MediaRuntime

extension Command {
  @MainActor static let doctor = Command(
    name: "doctor", usage: "doctor [OPTION…] FILE…",
    summary: "Tell what is wrong with files, how that shows, and what to do about it.",
    options: [
      OptionSpec("json", letter: "j", "one JSON array with an object for each file"),
      OptionSpec("quick", letter: "q", "look at header and index alone; else all is read and decoded once"),
    ], descriptors: 12
  ) { parsed, completion in
    guard !parsed.positionals.isEmpty else { throw UsageError("Name at least one file.") }
    DoctorCommand.current = DoctorCommand(
      parsed.positionals, asJSON: parsed.has("json"), isQuick: parsed.has("quick"), completion)
    DoctorCommand.current?.next()
  }
}

/// Examines files one after the other, and tells of each at once.
@MainActor
final class DoctorCommand {
  static var current: DoctorCommand?

  private var rest: ArraySlice<String>
  private let asJSON: Bool
  private let isQuick: Bool
  private let completion: (ExitCode) -> Void
  private let progress = DoctorProgress()
  private var exitCode = ExitCode.success
  private var objects: [String] = []
  private var isFirst = true

  init(_ addresses: [String], asJSON: Bool, isQuick: Bool, _ completion: @escaping (ExitCode) -> Void) {
    rest = addresses[...]
    self.asJSON = asJSON
    self.isQuick = isQuick
    self.completion = completion
  }

  func next() {
    guard let address = rest.popFirst() else {
      if asJSON { ProgramOutput.write("[" + objects.joined(separator: ",\n ") + "]\n") }
      return completion(exitCode)
    }
    let entry = PlayEntry(address)
    guard let url = entry.url else {
      return took(.unreachable(address, entry.problem ?? "This is not an address."))
    }
    let environment = EngineEnvironment.forNewObjects
    // `self` is the process's one command, so it is there when the answers come.
    MediaDoctor.examine(
      url, address: address, isQuick: isQuick, environment: environment,
      progress: { part in
        environment.scheduler.deliver("part that is done", to: nil) {
          MainActor.assumeIsolated { DoctorCommand.current?.progress.show(part, of: address) }
        }
      },
      { diagnosis in
        environment.scheduler.deliver("diagnosis", to: nil) {
          MainActor.assumeIsolated { DoctorCommand.current?.took(diagnosis) }
        }
      })
  }

  private func took(_ diagnosis: Diagnosis) {
    progress.clear()
    exitCode = exitCode.combined(with: ExitCode(diagnosis))
    if asJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      if let data = try? encoder.encode(diagnosis) {
        objects.append(JSONValue.harmless(String(decoding: data, as: UTF8.self)))
      }
    } else {
      ProgramOutput.write((isFirst ? "" : "\n") + DoctorText.text(diagnosis))
    }
    isFirst = false
    next()
  }
}

extension ExitCode {
  /// A file that can't be had at all is another thing than one that is broken.
  init(_ diagnosis: Diagnosis) {
    switch diagnosis.verdict {
    case .healthy: self = .success
    case .warnings: self = .playbackFailed
    case .faults: self = diagnosis.isOutOfReach ? .sourceUnavailable : .notMedia
    }
  }
}
