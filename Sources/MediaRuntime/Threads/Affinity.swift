internal import CLinux
import Glibc

/// Which CPUs a thread may use. Threads that only take turns hand over several times faster on one CPU.
struct Affinity {
  private var words: [UInt64]

  /// The calling thread's.
  static var current: Affinity? {
    var words = [UInt64](repeating: 0, count: 64)
    return linux_get_affinity(&words, words.count) > 0 ? Affinity(words: words) : nil
  }

  /// One CPU out of these, spread over processes so that parallel test processes share the machine.
  var single: Affinity {
    let cpus = words.indices.flatMap { word in
      (0..<64).compactMap { words[word] >> UInt64($0) & 1 == 1 ? word * 64 + $0 : nil }
    }
    guard !cpus.isEmpty else { return self }
    let cpu = cpus[Int(getpid()) % cpus.count]
    var result = [UInt64](repeating: 0, count: words.count)
    result[cpu / 64] = 1 << UInt64(cpu % 64)
    return Affinity(words: result)
  }

  /// Applies it to the calling thread; threads that it starts later inherit it.
  func apply() { _ = linux_set_affinity(words, words.count) }
}
