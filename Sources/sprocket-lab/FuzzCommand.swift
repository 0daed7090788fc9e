import Foundation
import MediaTestSupport

/// `fuzz container --seconds N --from FOLDER --keep FOLDER`: damaged files through a whole player, each in a process.
/// `fuzz backend …`: see `BackendFuzz`.
enum FuzzCommand {
  private static let hangLimit = 20.0
  /// Seconds played at most: a damaged length of hours is no hang, and no clip has ten minutes.
  private static let longest = "600"

  static func run(_ arguments: [String]) throws -> Int32 {
    var seconds = 60.0
    var from: URL?
    var keep: URL?
    var chosenSeed: UInt64?
    var only: Int?
    var words = arguments.dropFirst()
    while let word = words.popFirst() {
      guard let value = words.popFirst() else { throw UsageError(description: "\(word) needs a value") }
      switch word {
      case "--seconds": seconds = Double(value) ?? seconds
      case "--from": from = URL(fileURLWithPath: value)
      case "--keep": keep = URL(fileURLWithPath: value)
      case "--seed": chosenSeed = UInt64(value)
      case "--case": only = Int(value)
      default: throw UsageError(description: "unknown option \(word)")
      }
    }
    guard let from, let keep else { throw UsageError(description: "--from and --keep are needed") }
    if arguments.first == "backend" {
      return try BackendFuzz.run(seconds: seconds, from: from, keep: keep, seed: chosenSeed, only: only)
    }
    let clips = try FileManager.default.contentsOfDirectory(atPath: from.path)
      .filter { !$0.hasPrefix(".") }.sorted()
    guard !clips.isEmpty else { throw UsageError(description: "no clip in \(from.path)") }

    let end = Date(timeIntervalSinceNow: seconds)
    let first = chosenSeed ?? UInt64(Date().timeIntervalSince1970)
    var seed = first
    var faults = 0
    while Date() < end {
      let seeds = (0..<2).map { seed + $0 }
      seed += 2
      let results = Parallel.map(seeds, width: 2) { seed -> String? in
        let clip = clips[Int(seed % UInt64(clips.count))]
        let file = keep.appendingPathComponent("\(seed)-\(clip)")
        do {
          var damage = Damage(seed: seed)
          try damage.apply(to: Data(contentsOf: from.appendingPathComponent(clip))).write(to: file)
          let child = try ChildProcess.run(CommandLine.arguments[0], ["conform", file.path, longest], limit: hangLimit)
          if child.ending == .exit(0) {
            try FileManager.default.removeItem(at: file)
            return nil
          }
          return "\(file.lastPathComponent): \(child.ending) \(child.complaint.suffix(400))"
        } catch {
          return "\(clip): \(error)"
        }
      }
      for fault in results.compactMap(\.self) {
        print(fault)
        faults += 1
      }
    }
    print("fuzz container: \(seed - first) damaged files from seed \(first), \(faults) traps or hangs")
    return faults == 0 ? 0 : 1
  }
}
