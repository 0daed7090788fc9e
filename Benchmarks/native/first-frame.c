// Preloaded into any player: stamps the first video frame that avcodec_receive_frame returns, and ends the process
// there when FIRST_FRAME_EXIT is set.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int avcodec_receive_frame(AVCodecContext *context, AVFrame *frame) {
  static int (*next)(AVCodecContext *, AVFrame *);
  static int stamped;
  if (!next) {
    // Players that load their decoders as plug-ins have the library outside the program's own scope.
    void *library = dlopen("libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR), RTLD_LAZY | RTLD_NOLOAD);
    next = (int (*)(AVCodecContext *, AVFrame *))dlsym(library ? library : RTLD_NEXT, "avcodec_receive_frame");
    if (!next) abort();
  }
  int status = next(context, frame);
  if (status == 0 && frame->width > 0 && !__atomic_exchange_n(&stamped, 1, __ATOMIC_SEQ_CST)) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const char *path = getenv("FIRST_FRAME_FILE");
    int file = path ? open(path, O_WRONLY) : -1;
    if (file >= 0) {
      dprintf(file, "%lld\n", time.tv_sec * 1000000000LL + time.tv_nsec);
      close(file);
    }
    if (getenv("FIRST_FRAME_EXIT")) _exit(0);
  }
  return status;
}
