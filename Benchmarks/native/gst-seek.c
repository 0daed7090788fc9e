// Seeks a paused playbin: gst-seek exact|keyframe FILE SECONDS…; the line of `summarize`.
#include <gst/gst.h>
#include <string.h>

#include "common.h"

static int settled(GstElement *player) {
  return gst_element_get_state(player, NULL, NULL, 30 * GST_SECOND) == GST_STATE_CHANGE_SUCCESS;
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  gst_init(NULL, NULL);
  GstElement *player = gst_element_factory_make("playbin", NULL);
  GstElement *video = gst_element_factory_make("fakesink", NULL), *audio = gst_element_factory_make("fakesink", NULL);
  if (!player || !video || !audio) return 1;
  char *address = gst_filename_to_uri(argv[2], NULL);
  g_object_set(player, "uri", address, "video-sink", video, "audio-sink", audio, NULL);
  gst_element_set_state(player, GST_STATE_PAUSED);
  if (!settled(player)) return 1;
  int count = argc - 3, off = 0;
  GstSeekFlags kind = strcmp(argv[1], "exact") ? GST_SEEK_FLAG_KEY_UNIT | GST_SEEK_FLAG_SNAP_BEFORE : GST_SEEK_FLAG_ACCURATE;
  double *durations = calloc(count, sizeof *durations), processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < count; i++) {
    double begin = now();
    if (!gst_element_seek_simple(player, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | kind, atof(argv[3 + i]) * GST_SECOND) ||
        !settled(player))
      off++;
    durations[i] = now() - begin;
  }
  summarize(durations, count, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor, off);
  gst_element_set_state(player, GST_STATE_NULL);
  return 0;
}
