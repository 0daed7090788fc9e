import Foundation
import MediaRuntime
import Testing

@Suite struct LockTests {
  @Test func heldLocksAreCountedPerThread() {
    let outer = Lock(1)
    let inner = Lock(2)
    let gate = Gate(RealScheduler.shared, "gate", 0)
    #expect(HeldLocks.count == 0)
    outer.withLock { _ in
      #expect(HeldLocks.count == 1)
      inner.withLock { _ in #expect(HeldLocks.count == 2) }
      gate.withLock { _ in #expect(HeldLocks.count == 2) }
    }
    #expect(HeldLocks.count == 0)
  }

  @Test func anErrorReleasesTheLock() {
    struct Fault: Error {}
    let lock = Lock(0)
    #expect(throws: Fault.self) { try lock.withLock { _ throws(Fault) in throw Fault() } }
    #expect(lock.withLock { $0 } == 0)
    #expect(HeldLocks.count == 0)
  }

  @Test func aLockKeepsTwoThreadsApart() {
    final class Counter: Sendable { let value = Lock(0) }
    let counter = Counter()
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      Thread {
        for _ in 0..<20_000 { counter.value.withLock { $0 += 1 } }
        done.signal()
      }.start()
    }
    done.wait()
    done.wait()
    #expect(counter.value.withLock { $0 } == 40_000)
  }

  @Test func aNonCopyableStateIsDestroyedWithItsLock() {
    final class Witness: Sendable { let deaths = Lock(0) }
    struct Handle: ~Copyable {
      let witness: Witness
      deinit { witness.deaths.withLock { $0 += 1 } }
    }
    let witness = Witness()
    do {
      let lock = Lock(Handle(witness: witness))
      lock.withLock { _ in }
    }
    #expect(witness.deaths.withLock { $0 } == 1)
  }
}
