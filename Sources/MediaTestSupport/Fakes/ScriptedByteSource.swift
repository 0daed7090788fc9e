package import Foundation
package import MediaIO
package import MediaRuntime

/// Bytes whose delivery follows a script: stalls, errors, short reads, an early end.
///
/// Reads wait at a gate, so a stall is a real one: on virtual time it is a deadlock unless somebody lets it go on.
package final class ScriptedByteSource: ByteSource {
  package enum Happening: Sendable {
    /// Reads that reach this far wait for `release()`.
    case stall
    /// Reads that begin here or later fail.
    case fail(MediaError)
    /// The bytes end here although `length` says more.
    case cut
  }

  package struct Script: Sendable {
    package var happenings: [Int64: Happening] = [:]
    /// The most bytes that one read gives.
    package var largestRead = Int.max
    package var mayBlock = false
    package var isSeekable = true
    package var isRemote = false
    package var canDuplicate = true
    /// How long the opening waits; nil: for `release()`.
    package var stallsAtOpening = false

    package init() {}
  }

  package let address: String
  package let script: Script
  private let data: Data?
  private let total: Int64
  private let gate: Gate<State>
  private let scheduler: any Scheduler

  private struct State {
    var wanted = Generation(0)
    var releases = 0
    var usedStalls: Set<Int64> = []
    var isClosed = false
    var reads = 0
    var isWaiting = false
    /// They stall at the same places, and are released together with this one.
    var duplicates: [ScriptedByteSource] = []
    var available: Int64 = 0
  }

  /// - Parameter data: nil gives zeros of `length`.
  package init(
    _ address: String = "fake://media", data: Data? = nil, length: Int64 = 0, script: Script = Script(),
    scheduler: any Scheduler
  ) {
    self.address = address
    self.script = script
    self.data = data
    self.scheduler = scheduler
    total = data.map { Int64($0.count) } ?? length
    gate = Gate(scheduler, "bytes of \(address)", State())
  }

  package func open(_ generation: Generation) throws(MediaError) {
    if script.stallsAtOpening, gate.withLock({ !$0.usedStalls.contains(-1) }) { try wait(at: -1, generation) }
    if case .fail(let error)? = script.happenings[-1] { throw error }
  }

  package var length: Int64? { total }
  package var isSeekable: Bool { script.isSeekable }
  package var mayBlock: Bool { script.mayBlock }

  package var availableRanges: [Range<Int64>]? {
    script.isRemote ? [0..<gate.withLock { $0.available }] : nil
  }

  package func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ generation: Generation)
    throws(MediaError) -> Int
  {
    try check(generation)
    gate.withLock { $0.reads += 1 }
    var end = min(offset + Int64(min(buffer.count, script.largestRead)), total)
    for (place, happening) in script.happenings.sorted(by: { $0.key < $1.key }) where place >= 0 && place < end {
      switch happening {
      case .stall:
        guard gate.withLock({ !$0.usedStalls.contains(place) }) else { continue }
        if place > offset {
          end = place
        } else {
          try wait(at: place, generation)
        }
      case .fail(let error):
        if place <= offset { throw error }
        end = min(end, place)
      case .cut:
        end = min(end, place)
      }
    }
    let count = Int(max(0, end - offset))
    if count > 0, let data {
      data.withUnsafeBytes { bytes in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(end)]))
      }
    } else if count > 0 {
      UnsafeMutableRawBufferPointer(rebasing: buffer[0..<count]).initializeMemory(as: UInt8.self, repeating: 0)
    }
    gate.withLock { $0.available = max($0.available, end) }
    return count
  }

  private func wait(at place: Int64, _ generation: Generation) throws(MediaError) {
    gate.withLock { $0.isWaiting = true }
    let result = gate.wait(
      "release of the stall at \(place)",
      ready: { $0.wanted > generation || $0.isClosed || $0.releases > $0.usedStalls.count },
      take: { state in
        state.isWaiting = false
        if state.releases > state.usedStalls.count { state.usedStalls.insert(place) }
      })
    _ = result
    try check(generation)
  }

  private func check(_ generation: Generation) throws(MediaError) {
    let isWanted = gate.withLock { $0.wanted <= generation && !$0.isClosed }
    if !isWanted { throw MediaError(.interrupted, "A newer operation wants the source.", address: address) }
  }

  package func want(_ generation: Generation) {
    gate.withLock(signal: true) { $0.wanted = max($0.wanted, generation) }
  }

  package func duplicate() -> (any ByteSource)? {
    guard script.canDuplicate else { return nil }
    let duplicate = ScriptedByteSource(address, data: data, length: total, script: script, scheduler: scheduler)
    gate.withLock { state in
      state.duplicates.append(duplicate)
      duplicate.release(times: state.releases)
    }
    return duplicate
  }

  package func close() {
    gate.withLock(signal: true) { $0.isClosed = true }
  }

  // MARK: For the test

  /// Lets one stall pass, the one that a read waits at or the next; it does not come again.
  package func release() { release(times: 1) }

  private func release(times: Int) {
    let duplicates = gate.withLock(signal: true) { state in
      state.releases += times
      return state.duplicates
    }
    for duplicate in duplicates { duplicate.release(times: times) }
  }

  /// A read waits now: a test of interruption must have seen this.
  package var isWaiting: Bool { gate.withLock { $0.isWaiting } }
  package var readCount: Int { gate.withLock { $0.reads } }
  package var duplicateCount: Int { gate.withLock { $0.duplicates.count } }
  package var isClosed: Bool { gate.withLock { $0.isClosed } }
}
