import Glibc

// Drivers of `./run conformance` and `./run fuzz`. Not part of the product.

let arguments = Array(CommandLine.arguments.dropFirst())
let commands: [String: @Sendable ([String]) throws -> Int32] = [
  "conform": ConformCommand.playOne,
  "conformance": ConformCommand.run,
  "diagnose": DoctorCommand.examineOne,
  "doctor": DoctorCommand.run,
  "fuzz": FuzzCommand.run,
  "subtitles": ConformCommand.judgeSubtitles,
  "tag": TagsCommand.readOne,
  "tags": TagsCommand.run,
  "thumbnail": ThumbnailsCommand.makeOne,
  "thumbnails": ThumbnailsCommand.run,
]
guard let name = arguments.first, let command = commands[name] else {
  complain("usage: sprocket-lab \(commands.keys.sorted().joined(separator: "|")) …")
  exit(64)
}
do {
  exit(try command(Array(arguments.dropFirst())))
} catch {
  complain("sprocket-lab \(name): \(error)")
  exit(1)
}
