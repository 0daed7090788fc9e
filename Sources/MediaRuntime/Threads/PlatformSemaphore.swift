import Glibc

/// A POSIX semaphore: the cheapest way to hand something to one sleeping thread.
struct PlatformSemaphore: @unchecked Sendable {
  // The pointer is set once; sem_post and sem_wait may be called from any thread.
  private let pointer: UnsafeMutablePointer<sem_t>

  init() {
    pointer = .allocate(capacity: 1)
    sem_init(pointer, 0, 0)
  }

  func destroy() {
    sem_destroy(pointer)
    pointer.deallocate()
  }

  @inline(__always) func post() { sem_post(pointer) }

  @inline(__always)
  func wait() {
    while sem_wait(pointer) != 0 {}
  }
}
