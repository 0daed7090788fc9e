// What Linux offers and Swift's Glibc module leaves out: epoll, timer and event descriptors, thread names, affinity.
#pragma once
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Declared by hand: the module that owns <pthread.h> is built without _GNU_SOURCE.
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int pthread_getname_np(pthread_t thread, char *name, size_t length);
extern long syscall(long number, ...);

static inline int linux_thread_id(void) { return (int)syscall(SYS_gettid); }

/// The calling thread's permitted CPUs, 64 bits a word; the number of bytes written, or -1.
static inline long linux_get_affinity(uint64_t *words, size_t count) {
  return syscall(SYS_sched_getaffinity, 0, count * sizeof *words, words);
}
static inline long linux_set_affinity(const uint64_t *words, size_t count) {
  return syscall(SYS_sched_setaffinity, 0, count * sizeof *words, words);
}

/// A descriptor that becomes ready at an absolute CLOCK_MONOTONIC time.
static inline int linux_timer_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

/// Arms the timer for an absolute time; zero disarms it.
static inline int linux_timer_arm(int timer, int64_t nanoseconds) {
  struct itimerspec spec = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &spec, 0);
}

static inline int linux_event_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline int linux_wait_set_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Adds a descriptor edge-triggered: each time it becomes ready exactly one waiting thread is woken.
static inline int linux_wait_set_add(int set, int descriptor) {
  struct epoll_event event;
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = 0;
  event.data.fd = descriptor;
  return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

/// Waits without limit for one descriptor of the set; returns it, or -1 when a signal came in between.
static inline int linux_wait_set_wait(int set) {
  struct epoll_event event;
  int count = epoll_wait(set, &event, 1, -1);
  return count == 1 ? event.data.fd : -1;
}
