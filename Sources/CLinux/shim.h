// What Linux offers and Swift's Glibc module leaves out: wait sets, timer and event descriptors, thread names,
// affinity. System calls by number and types of our own, because a header included here would make this module the
// owner of its types (timespec, for one) for every module that sees it.
#ifndef SPROCKET_CLINUX_H
#define SPROCKET_CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

extern long syscall(long number, ...);
extern int backtrace(void **frames, int limit);
extern char **backtrace_symbols(void *const *frames, int count);
extern int pthread_setname_np(unsigned long thread, const char *name);
extern int pthread_getname_np(unsigned long thread, char *name, size_t length);

static inline int linux_thread_id(void) { return (int)syscall(SYS_gettid); }

/// The calling thread's permitted CPUs, 64 bits a word; the number of bytes written, or -1.
static inline long linux_get_affinity(uint64_t *words, size_t count) {
  return syscall(SYS_sched_getaffinity, 0, count * sizeof *words, words);
}
static inline long linux_set_affinity(const uint64_t *words, size_t count) {
  return syscall(SYS_sched_setaffinity, 0, count * sizeof *words, words);
}

enum { LINUX_MONOTONIC = 1, LINUX_ABSOLUTE = 1, LINUX_NONBLOCK = 04000, LINUX_CLOEXEC = 02000000 };

/// A descriptor that becomes ready at an absolute CLOCK_MONOTONIC time.
static inline int linux_timer_create(void) {
  return (int)syscall(SYS_timerfd_create, LINUX_MONOTONIC, LINUX_CLOEXEC | LINUX_NONBLOCK);
}

/// Arms the timer for an absolute time; zero disarms it.
static inline int linux_timer_arm(int timer, int64_t nanoseconds) {
  struct { long interval[2]; long value[2]; } when = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  return (int)syscall(SYS_timerfd_settime, timer, LINUX_ABSOLUTE, &when, 0L);
}

/// A descriptor that becomes ready when eight bytes are written to it.
static inline int linux_event_create(void) {
  return (int)syscall(SYS_eventfd2, 0, LINUX_CLOEXEC | LINUX_NONBLOCK);
}

/// A pipe whose ends no program started later inherits: the flag is set with the making, not after it.
static inline int linux_pipe(int *ends, int nonblocking) {
  return (int)syscall(SYS_pipe2, ends, LINUX_CLOEXEC | (nonblocking ? LINUX_NONBLOCK : 0));
}

// epoll's event has no padding on x86-64.
struct linux_wait_event {
  uint32_t events;
  uint64_t data;
}
#if defined(__x86_64__)
__attribute__((packed))
#endif
;

static inline int linux_wait_set_create(void) { return (int)syscall(SYS_epoll_create1, LINUX_CLOEXEC); }

/// Adds a descriptor edge-triggered: each time it becomes ready exactly one waiting thread is woken.
static inline int linux_wait_set_add(int set, int descriptor) {
  struct linux_wait_event event = {0x001 | 1u << 31, (uint64_t)descriptor};
  return (int)syscall(SYS_epoll_ctl, set, 1, descriptor, &event);
}

/// Waits without limit for one descriptor of the set; returns it, or -1 when a signal came in between.
static inline int linux_wait_set_wait(int set) {
  struct linux_wait_event event;
  return syscall(SYS_epoll_pwait, set, &event, 1, -1, 0L, 8L) == 1 ? (int)event.data : -1;
}

struct linux_heap { size_t arena, free_chunks, fast_chunks, maps, mapped, unused, fast_bytes, used, free, trimmable; };
extern struct linux_heap mallinfo2(void);

/// Bytes that are allocated now, in the heaps and in mappings of their own.
static inline size_t linux_allocated_bytes(void) {
  struct linux_heap heap = mallinfo2();
  return heap.used + heap.mapped;
}

/// Copies memory that may not be readable; the bytes copied, or -1. The two ends of a pipe serve as the way.
static inline long linux_peek(const int *pipe, const void *address, void *target, size_t count) {
  long written = syscall(SYS_write, pipe[1], address, count);
  return written > 0 ? syscall(SYS_read, pipe[0], target, written) : -1;
}

#endif
