import Foundation
import Glibc

/// The program from its arguments to its exit code.
@MainActor
enum SprocketProgram {
  static let version = "0.1.0"

  static func run(_ arguments: [String]) -> Never {
    ProcessStart.prepare()
    switch arguments.first {
    case nil: end(.usage, error: Command.overview)
    case "--help", "-h", "help": end(.success, output: Command.overview)
    case "--version": end(.success, output: "sprocket \(version)\n")
    case let name?:
      guard let command = Command.all.first(where: { $0.name == name }) else {
        let hint = nearestWord(to: name, among: Command.all.map(\.name)).map { " Did you mean \($0)?" } ?? ""
        end(.usage, error: "sprocket: Unknown command \(name).\(hint) sprocket --help lists them.\n")
      }
      run(command, Array(arguments.dropFirst()))
    }
  }

  private static func run(_ command: Command, _ arguments: [String]) -> Never {
    do {
      let parsed = try ArgumentParser(options: command.options + [Command.helpOption]).parse(arguments)
      if parsed.has("help") { end(.success, output: command.help) }
      guard ProcessStart.hasDescriptors(command.descriptors) else {
        end(
          .sourceUnavailable,
          error: "sprocket: Too many files are open, or too few may be. Raise the limit (ulimit -n), to 64 at least.\n")
      }
      try command.run(parsed) { end($0) }
    } catch let error as UsageError {
      end(.usage, error: "sprocket: \(error) sprocket \(command.name) --help tells more.\n")
    } catch let error as OutputError {
      end(.outputFailed, error: "sprocket: \(error.message)\n")
    } catch {
      let failure = PlayFailure(error)
      end(failure.exitCode, error: "sprocket: \(failure.message)\n")
    }
    RunLoop.main.run()
    // The run loop has nothing left to wait for only when a command forgot its sources.
    end(.playbackFailed)
  }

  private static func end(_ code: ExitCode, output: String = "", error: String = "") -> Never {
    if !output.isEmpty { ProgramOutput.write(output) }
    ProgramOutput.tell(error)
    exit(code.rawValue)
  }
}
