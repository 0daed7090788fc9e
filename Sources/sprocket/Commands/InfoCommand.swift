import AVFoundation
import Foundation
import MediaDiagnosis

extension Command {
  @MainActor static let info = Command(
    name: "info", usage: "info [OPTION…] FILE…",
    summary: "Tell what is in files: container, tracks, sizes, rates, colour, chapters, tags.",
    options: [
      OptionSpec("json", letter: "j", "one JSON array with an object for each file"),
      OptionSpec("decoders", "list the decoders of this machine instead; no file is needed"),
      OptionSpec("exact", letter: "x", "measure the duration by reading the file, unless its index states all samples"),
    ], descriptors: 12
  ) { parsed, completion in
    if parsed.has("decoders") {
      guard parsed.positionals.isEmpty else { throw UsageError("--decoders takes no files.") }
      try DecoderListing.show(asJSON: parsed.has("json"))
      return completion(.success)
    }
    guard !parsed.positionals.isEmpty else { throw UsageError("Name at least one file.") }
    InfoCommand.current = InfoCommand(
      parsed.positionals, asJSON: parsed.has("json"), exact: parsed.has("exact"), completion)
    InfoCommand.current?.next()
  }
}

/// Reports on files one after the other; a file that can't be read doesn't stop the others.
@MainActor
final class InfoCommand {
  static var current: InfoCommand?

  private var rest: ArraySlice<String>
  private let asJSON: Bool
  private let exact: Bool
  private let completion: (ExitCode) -> Void
  private var exitCode = ExitCode.success
  private var objects: [String] = []
  private var isFirst = true

  init(_ addresses: [String], asJSON: Bool, exact: Bool, _ completion: @escaping (ExitCode) -> Void) {
    rest = addresses[...]
    self.asJSON = asJSON
    self.exact = exact
    self.completion = completion
  }

  func next() {
    guard let address = rest.popFirst() else {
      if asJSON { ProgramOutput.write("[" + objects.joined(separator: ",\n ") + "]\n") }
      return completion(exitCode)
    }
    let entry = PlayEntry(address)
    guard let url = entry.url else {
      return fail(address, entry.problem ?? "This is not an address.", .sourceUnavailable)
    }
    // The first asset of a process sets the engine up.
    _ = AVURLAsset(url: url)
    // `self` is the process's one command, so it is there when the answer comes.
    MediaInspector.inspect(url, address: address, exact: exact) { outcome in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { InfoCommand.current?.took(outcome, address: address) }
      }
    }
  }

  private func took(_ outcome: MediaInspector.Outcome, address: String) {
    switch outcome {
    case .report(let report):
      show(report)
      next()
    case .failure(let message, let isSource):
      fail(address, message, isSource ? .sourceUnavailable : .notMedia)
    }
  }

  private func show(_ report: MediaReport) {
    if asJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      if let data = try? encoder.encode(report) {
        objects.append(JSONValue.harmless(String(decoding: data, as: UTF8.self)))
      }
    } else {
      if !isFirst { ProgramOutput.write("\n") }
      ProgramOutput.write(InfoText.text(report))
    }
    isFirst = false
  }

  private func fail(_ address: String, _ message: String, _ code: ExitCode) {
    exitCode = exitCode.combined(with: code)
    if asJSON {
      objects.append(JSONValue.object(["address": .string(address), "error": .string(message)]).text)
    } else {
      ProgramOutput.tell("sprocket: \(StatusLine.printable("\(address): \(message)"))\n")
    }
    next()
  }
}
