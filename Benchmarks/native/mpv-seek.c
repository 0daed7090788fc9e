// Seeks a paused mpv over its socket: mpv-seek exact|keyframe SOCKET PID SECONDS…
// A seek lasts until mpv says playback-restart: the frame is out. The line of `summarize`.
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common.h"

static double processor_of(const char *pid) {
  char path[64], line[1024];
  unsigned long user = 0, system = 0;
  snprintf(path, sizeof path, "/proc/%s/stat", pid);
  FILE *file = fopen(path, "r");
  if (file && fgets(line, sizeof line, file) && strrchr(line, ')'))
    sscanf(strrchr(line, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
  if (file) fclose(file);
  return (user + system) / (double)sysconf(_SC_CLK_TCK);
}

int main(int argc, char **argv) {
  if (argc < 5) return 64;
  int connection = socket(AF_UNIX, SOCK_STREAM, 0), connected = -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[2], sizeof address.sun_path - 1);
  for (int attempt = 0; attempt < 500 && connected < 0; attempt++) {
    connected = connect(connection, (struct sockaddr *)&address, sizeof address);
    if (connected < 0) usleep(20000);
  }
  FILE *lines = connected < 0 ? NULL : fdopen(connection, "r");
  if (!lines) return 1;
  // The film may be there before the connection: a first seek makes sure of it.
  int count = argc - 4;
  double *durations = calloc(count, sizeof *durations), processor = 0;
  char line[4096];
  for (int i = -1; i < count; i++) {
    if (i < 0) usleep(1500000);
    if (i == 0) processor = processor_of(argv[3]);
    double begin = now();
    dprintf(connection, "{\"command\":[\"seek\",%s,\"absolute+%s\"]}\n", i < 0 ? "1" : argv[4 + i],
            strcmp(argv[1], "exact") ? "keyframes" : "exact");
    int sought = 0, restarted = 0;
    while (!restarted && fgets(line, sizeof line, lines)) {
      if (strstr(line, "\"event\":\"seek\"")) sought = 1;
      restarted = sought && strstr(line, "playback-restart");
    }
    if (!restarted) return 1;
    if (i >= 0) durations[i] = now() - begin;
  }
  summarize(durations, count, processor_of(argv[3]) - processor, 0);
  dprintf(connection, "{\"command\":[\"quit\"]}\n");
  return 0;
}
