// Runs a program and says what it took: measure [--memory-after SECONDS] [--limit SECONDS] PROGRAM ARGUMENTS…
// One line to standard error's place, the file of MEASURE_OUTPUT: wall ms, CPU s, peak RSS MB, first frame ms or -,
// private dirty MB of the program and its children or -, voluntary context switches.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

static long private_kilobytes(pid_t process) {
  char path[64], line[256];
  long kilobytes, sum = 0;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "Private_Dirty: %ld", &kilobytes) == 1) sum += kilobytes;
  fclose(file);
  return sum;
}

// Of all processes of the group, in MB.
static double private_dirty(pid_t group) {
  long sum = 0;
  DIR *folder = opendir("/proc");
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    pid_t process = atoi(entry->d_name);
    if (process > 0 && getpgid(process) == group) sum += private_kilobytes(process);
  }
  if (folder) closedir(folder);
  return sum / 1024.0;
}

int main(int argc, char **argv) {
  double memory_after = 0, limit = 120, memory = -1, first = -1;
  int at = 1;
  for (; at + 1 < argc && !strncmp(argv[at], "--", 2); at += 2) {
    if (!strcmp(argv[at], "--memory-after")) memory_after = atof(argv[at + 1]);
    else if (!strcmp(argv[at], "--limit")) limit = atof(argv[at + 1]);
    else return 64;
  }
  const char *output = getenv("MEASURE_OUTPUT");
  if (at >= argc || !output) return 64;
  char stamp[] = "/tmp/sprocket-first-frame-XXXXXX";
  int stamp_file = mkstemp(stamp);
  setenv("FIRST_FRAME_FILE", stamp, 1);
  double begin = now();
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    setpgid(0, 0);
    const char *preload = getenv("FIRST_FRAME_SHIM");
    if (preload) setenv("LD_PRELOAD", preload, 1);
    execvp(argv[at], argv + at);
    _exit(127);
  }
  struct rusage usage;
  int status;
  for (;;) {
    if (wait4(child, &status, WNOHANG, &usage) == child) break;
    double passed = now() - begin;
    if (memory_after > 0 && passed >= memory_after && memory < 0) {
      memory = private_dirty(child);
      kill(-child, SIGKILL);
    }
    if (passed > limit) kill(-child, SIGKILL);
    usleep(2000);
  }
  double wall = now() - begin;
  long long nanoseconds;
  FILE *file = fdopen(stamp_file, "r");
  if (file && fscanf(file, "%lld", &nanoseconds) == 1) first = nanoseconds / 1e9 - begin;
  unlink(stamp);
  file = fopen(output, "w");
  if (!file) return 1;
  fprintf(file, "%.1f %.3f %.1f ", wall * 1000,
          usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
          usage.ru_maxrss / 1024.0);
  if (first >= 0) fprintf(file, "%.1f ", first * 1000); else fprintf(file, "- ");
  if (memory >= 0) fprintf(file, "%.1f ", memory); else fprintf(file, "- ");
  fprintf(file, "%ld\n", usage.ru_nvcsw);
  fclose(file);
  if (memory >= 0) return 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
