import Foundation
import Glibc

/// Measures what the `sprocket` program cannot show by itself; `Scripts/bench` runs it. Each command prints one line.
@MainActor
enum BenchProgram {
  static func run(_ arguments: [String]) -> Never {
    var words = arguments[...]
    switch (words.popFirst(), words.popFirst()) {
    case ("seek", let path?):
      SeekBench.begin(path, .exact, words.compactMap(Double.init))
    case ("keyframe", let path?):
      SeekBench.begin(path, .keyframe, words.compactMap(Double.init))
    case ("forward", let path?):
      SeekBench.begin(path, .forward(words.first.flatMap { Int($0) } ?? 15), words.dropFirst().compactMap(Double.init))
    case ("decode", let path?):
      DecodeBench.run(path, threads: words.first.flatMap { Int($0) } ?? 2)
    case ("stills", let path?):
      StillBench.begin(path, words.compactMap(Double.init))
    case ("reverse", let path?):
      let numbers = words.compactMap(Double.init)
      ReverseBench.begin(path, from: numbers.first ?? 60, rate: Float(numbers.dropFirst().first ?? 1))
    case ("play", let path?):
      PlayBench.begin([path] + words)
    default:
      complain(
        "usage: sprocket-bench seek|keyframe FILE SECONDS… | forward FILE FRAMES SECONDS… | decode FILE THREADS | stills FILE SECONDS… | reverse FILE FROM RATE | play FILE…"
      )
      exit(64)
    }
    RunLoop.main.run()
    exit(1)
  }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  static func fail(_ text: String) -> Never {
    complain(text)
    exit(1)
  }
}

/// Milliseconds since an arbitrary moment.
func milliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Processor time of this process so far, in milliseconds.
func processorMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
