// What an ISO base media file says about where a track's sound ends: its sample tables, fragments and edit list
// (ISO 14496-12, 8.6.1.2, 8.6.6, 8.8.8). Reads with stdio alone: neither libavformat nor Sprocket takes part.
#ifndef SPROCKET_ORACLE_MOVIE_H
#define SPROCKET_ORACLE_MOVIE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmultichar"

enum { MOVIE_TRACKS = 256, MOVIE_EDITS = 1024, MOVIE_BOXES = 100000 };

struct movie_track {
  uint32_t id;
  int64_t timescale;
  // Ticks that the sample table's and the fragments' samples last; -1 while there are none.
  int64_t table, fragments;
  // A fragment states no durations.
  int is_unknown;
  int edit_count;
  struct {
    int64_t duration, media_time;
  } edits[MOVIE_EDITS];
};

struct movie {
  FILE *file;
  int64_t timescale;
  int boxes, track_count;
  struct movie_track tracks[MOVIE_TRACKS];
  struct movie_track *current;
  // Of samples that state none (trex).
  int default_count;
  struct {
    uint32_t id;
    int64_t duration;
  } defaults[MOVIE_TRACKS];
};

static uint64_t movie_number(struct movie *movie, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) {
    int byte = fgetc(movie->file);
    value = value << 8 | (byte == EOF ? 0 : (uint64_t)byte);
  }
  return value;
}

static struct movie_track *movie_track(struct movie *movie, uint32_t id) {
  for (int i = 0; i < movie->track_count; i++)
    if (movie->tracks[i].id == id) return &movie->tracks[i];
  return NULL;
}

static void movie_edits(struct movie *movie) {
  int version = (int)(movie_number(movie, 4) >> 24);
  uint64_t count = movie_number(movie, 4);
  struct movie_track *track = movie->current;
  for (uint64_t i = 0; i < count && i < MOVIE_EDITS && !feof(movie->file); i++) {
    track->edits[i].duration = (int64_t)movie_number(movie, version ? 8 : 4);
    track->edits[i].media_time = version ? (int64_t)movie_number(movie, 8) : (int32_t)movie_number(movie, 4);
    movie_number(movie, 4);
    track->edit_count = (int)i + 1;
  }
}

static void movie_durations(struct movie *movie) {
  movie_number(movie, 4);
  uint64_t count = movie_number(movie, 4);
  int64_t total = 0, samples = 0;
  for (uint64_t i = 0; i < count && !feof(movie->file); i++) {
    int64_t repeated = (int64_t)movie_number(movie, 4);
    int64_t delta = (int64_t)movie_number(movie, 4);
    // Beyond 31 bits it is a negative one of a broken writer, which libavformat reads as 1.
    total += repeated * (delta > INT32_MAX ? 1 : delta);
    samples += repeated;
  }
  if (samples > 0) movie->current->table = total;
}

static void movie_fragment(struct movie *movie, int64_t end) {
  struct movie_track *track = NULL;
  int64_t each = 0, time = -1, total = 0;
  while (ftello(movie->file) + 8 <= end && movie->boxes++ < MOVIE_BOXES) {
    int64_t start = ftello(movie->file), size = (int64_t)movie_number(movie, 4);
    uint32_t type = (uint32_t)movie_number(movie, 4);
    if (size < 8) return;
    uint64_t word = movie_number(movie, 4);
    if (type == 'tfhd') {
      track = movie_track(movie, (uint32_t)movie_number(movie, 4));
      if (!track) return;
      if (word & 1) movie_number(movie, 8);
      if (word & 2) movie_number(movie, 4);
      for (int i = 0; i < movie->default_count; i++)
        if (movie->defaults[i].id == track->id) each = movie->defaults[i].duration;
      if (word & 8) each = (int64_t)movie_number(movie, 4);
    } else if (type == 'tfdt') {
      time = (int64_t)movie_number(movie, word >> 24 ? 8 : 4);
    } else if (type == 'trun' && track) {
      int64_t count = (int64_t)movie_number(movie, 4);
      if (word & 0x1) movie_number(movie, 4);
      if (word & 0x4) movie_number(movie, 4);
      int64_t before = total;
      for (int64_t i = 0; i < count && !feof(movie->file); i++) {
        total += word & 0x100 ? (int64_t)movie_number(movie, 4) : each;
        for (int bit = 0x200; bit <= 0x800; bit <<= 1)
          if (word & bit) movie_number(movie, 4);
      }
      if (count > 0 && total == before) track->is_unknown = 1;
    }
    fseeko(movie->file, start + size, SEEK_SET);
  }
  if (!track) return;
  if (time < 0) time = track->fragments >= 0 ? track->fragments : track->table > 0 ? track->table : 0;
  if (time + total > track->fragments) track->fragments = time + total;
}

static void movie_boxes(struct movie *movie, int64_t end) {
  while (ftello(movie->file) + 8 <= end && movie->boxes++ < MOVIE_BOXES) {
    int64_t start = ftello(movie->file), size = (int64_t)movie_number(movie, 4);
    uint32_t type = (uint32_t)movie_number(movie, 4);
    if (size == 1) size = (int64_t)movie_number(movie, 8);
    if (size == 0) size = end - start;
    if (size < 8 || size > end - start) return;
    int64_t next = start + size;
    int has_track = movie->current != NULL;
    switch (type) {
    case 'moov': case 'mdia': case 'minf': case 'stbl': case 'edts': case 'mvex': case 'moof':
      movie_boxes(movie, next);
      break;
    case 'trak':
      if (movie->track_count == MOVIE_TRACKS) break;
      movie->current = &movie->tracks[movie->track_count++];
      movie->current->table = movie->current->fragments = -1;
      movie_boxes(movie, next);
      movie->current = NULL;
      break;
    case 'traf': movie_fragment(movie, next); break;
    case 'mvhd': case 'mdhd': {
      int version = (int)(movie_number(movie, 4) >> 24);
      fseeko(movie->file, version ? 16 : 8, SEEK_CUR);
      int64_t scale = (int64_t)movie_number(movie, 4);
      if (type == 'mvhd') movie->timescale = scale;
      else if (has_track) movie->current->timescale = scale;
      break;
    }
    case 'tkhd': {
      int version = (int)(movie_number(movie, 4) >> 24);
      fseeko(movie->file, version ? 16 : 8, SEEK_CUR);
      if (has_track) movie->current->id = (uint32_t)movie_number(movie, 4);
      break;
    }
    case 'elst': if (has_track) movie_edits(movie); break;
    case 'stts': if (has_track) movie_durations(movie); break;
    case 'trex': {
      if (movie->default_count == MOVIE_TRACKS) break;
      movie_number(movie, 4);
      movie->defaults[movie->default_count].id = (uint32_t)movie_number(movie, 4);
      movie_number(movie, 4);
      movie->defaults[movie->default_count++].duration = (int64_t)movie_number(movie, 4);
      break;
    }
    }
    fseeko(movie->file, next, SEEK_SET);
  }
}

// Where a track's presentation ends, in its own ticks from the movie's start; -1 when nothing says so.
static int64_t movie_end(const struct movie *movie, uint32_t id) {
  const struct movie_track *track = movie_track((struct movie *)movie, id);
  if (!track || track->timescale <= 0 || track->is_unknown) return -1;
  int64_t media = track->table > track->fragments ? track->table : track->fragments;
  if (media <= 0) return -1;
  int64_t end = 0, played = 0;
  for (int i = 0; i < track->edit_count && movie->timescale > 0; i++) {
    // Upwards: writers round an edit's duration to the movie's coarser ticks.
    int64_t length = (int64_t)(((__int128)track->edits[i].duration * track->timescale + movie->timescale - 1) /
                               movie->timescale);
    int64_t from = track->edits[i].media_time;
    if (from >= 0) {
      played++;
      int64_t left = media > from ? media - from : 0;
      // An edit of a fragmented movie was written before its fragments: it goes on to their end.
      if (length > left || length == 0 || track->fragments >= 0) length = left;
    }
    end += length;
  }
  return played ? end : end + media;
}

static int movie_read(struct movie *movie, const char *path) {
  memset(movie, 0, sizeof *movie);
  movie->file = fopen(path, "rb");
  if (!movie->file) return 0;
  fseeko(movie->file, 0, SEEK_END);
  int64_t end = ftello(movie->file);
  fseeko(movie->file, 0, SEEK_SET);
  movie_boxes(movie, end);
  fclose(movie->file);
  return movie->track_count > 0;
}
#endif
