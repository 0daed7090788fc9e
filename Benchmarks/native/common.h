// What the small programs share: clocks and the summary of many durations.
#ifndef SPROCKET_BENCH_COMMON_H
#define SPROCKET_BENCH_COMMON_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static inline double now(void) { return seconds_of(CLOCK_MONOTONIC); }

static int compare_doubles(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

/// One line: p50 and p95 in milliseconds, processor milliseconds of each, how many were off target, the count.
static inline void summarize(double *seconds, int count, double processor, int off) {
  qsort(seconds, count, sizeof *seconds, compare_doubles);
  int last = count - 1, p95 = count * 95 / 100;
  printf("%.2f %.2f %.2f %d %d\n", seconds[count / 2] * 1e3, seconds[p95 < last ? p95 : last] * 1e3,
         processor / count * 1e3, off, count);
}

#endif
