import Foundation
import MediaRuntime

/// Plays a scenario on virtual time and prints its trace's hash; with `lines`, the whole trace.
///
/// `engine` drives from the main thread, `thread` from another one, `unordered` starts plain tasks that nothing orders:
/// its traces differ, which shows that the hash can tell. `player [CLIP]` plays real files through the whole engine.
/// `costs` measures hand-overs instead, `memory FILE`, `backward FILE RATE` and `cycles FILE COUNT` what playing takes of
/// memory,
/// `players ROUNDS` what dropped players leave, `queue FILE COUNT` and `loop FILE SECONDS` what long queues and loops do.
@main struct TraceProbe {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.contains("costs") { return HandoverCosts.print(count: 100_000) }
    if ["player", "memory", "backward", "cycles"].contains(arguments.first) {
      // The main thread serves the main queue, as in a program.
      Thread.detachNewThread { exit(run(Array(CommandLine.arguments.dropFirst()))) }
      RunLoop.main.run()
    }
    let count = arguments.last.flatMap { Int($0) }
    switch (arguments.first, arguments.count, count) {
    case ("players", 2, let rounds?): serve { try await CycleRun.print(rounds: rounds) }
    case ("queue", 3, let count?):
      serve { try await QueueRun.queue(URL(fileURLWithPath: CommandLine.arguments[2]), count: count) }
    case ("loop", 3, let seconds?):
      serve { try await QueueRun.loop(URL(fileURLWithPath: CommandLine.arguments[2]), seconds: seconds) }
    case ("players", _, _), ("queue", _, _), ("loop", _, _): exit(64)
    default: break
    }
    var options = VirtualScheduler.Options()
    options.keepsTrace = arguments.contains("lines")
    options.pinsCPU = !arguments.contains("free")
    if arguments.contains("unordered") {
      options.plainTasks = .ignore
      options.strictForeign = false
    }
    let scheduler = VirtualScheduler(options)
    if arguments.contains("thread") {
      Thread.detachNewThread {
        let code = play(scheduler, Set(arguments))
        exit(code)
      }
      RunLoop.main.run()
    }
    exit(play(scheduler, Set(arguments)))
  }

  /// Runs a body to its end while the main thread serves the main queue.
  private static func serve(_ body: @escaping @MainActor () async throws -> Void) -> Never {
    Task { @MainActor in
      do {
        try await body()
        exit(0)
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
      }
    }
    while true { RunLoop.main.run() }
  }

  private static func run(_ arguments: [String]) -> Int32 {
    do {
      switch arguments.first {
      case "player":
        let named = arguments.dropFirst().filter { $0 != "lines" }
        for clip in named.isEmpty ? EngineRun.clips : named {
          try EngineRun.printTrace(of: clip, keepsLines: arguments.contains("lines"))
        }
      case "memory":
        for path in arguments.dropFirst() { try MemoryRun.play(URL(fileURLWithPath: path)) }
      case "backward":
        guard arguments.count == 3, let rate = Float(arguments[2]) else { return 64 }
        try MemoryRun.playBackward(URL(fileURLWithPath: arguments[1]), rate: rate)
      case "cycles":
        guard arguments.count == 3, let count = Int(arguments[2]) else { return 64 }
        try MemoryRun.cycle(URL(fileURLWithPath: arguments[1]), count: count)
      default: return 64
      }
      return 0
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return 1
    }
  }

  private static func play(_ scheduler: VirtualScheduler, _ arguments: Set<String>) -> Int32 {
    let players = (0..<3).map { MiniPlayer("player \($0)", seed: UInt64($0) + 7, packets: 100, scheduler: scheduler) }
    for player in players { player.play() }
    if arguments.contains("unordered") { startUnorderedTasks(scheduler) }
    let outcome = scheduler.run(limit: .seconds(10 as Int64))
    guard outcome.isEnd else {
      FileHandle.standardError.write(Data("\(outcome)\n".utf8))
      return 1
    }
    for line in scheduler.traceLines { print(line) }
    print(String(scheduler.traceHash, radix: 16), scheduler.steps)
    scheduler.shutdown()
    return 0
  }

  private static func startUnorderedTasks(_ scheduler: VirtualScheduler) {
    let queue = scheduler.queue("unordered", .light)
    @Sendable func spawn(_ round: Int) {
      for index in 0..<4 { Task { scheduler.note("task \(round) \(index)") } }
      if round < 200 { queue.post("spawn", after: .milliseconds(5)) { spawn(round + 1) } }
    }
    queue.post("spawn") { spawn(0) }
  }
}

extension VirtualOutcome {
  fileprivate var isEnd: Bool { if case .limit = self { true } else { false } }
}
