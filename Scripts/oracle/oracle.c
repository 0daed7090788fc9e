// What FFmpeg's libraries make of a file, decoded by one thread: the truth that `./run conformance` compares with.
// Bare libavformat and libavcodec, on purpose nothing of ours.
//
//   container NAME
//   start MICROSECONDS|-            of the whole file
//   duration MICROSECONDS|-
//   stream INDEX video|audio TIMEBASE_NUM TIMEBASE_DEN CODEC START|-
//   frame INDEX TICKS|- HASH        one a decoded picture; HASH: the first 16 digits of the MD5 of its visible bytes
//   samples INDEX COUNT RATE KEPT|- decoded samples; KEPT: those before the end that a movie's boxes declare
//   end INDEX TICKS                 where the last picture or sample ends
//   gapless LENGTH                  iTunSMPB's count of samples
//   error TEXT
//   done
#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/md5.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "movie.h"

struct line {
  AVCodecContext *decoder;
  int64_t samples, kept;
  int rate;
  // In the stream's ticks: where the boxes end it (-1: they don't), where the last frame ended, the furthest end.
  int64_t declared_end, next, end;
};

static void print_time(const char *name, int64_t value) {
  if (value == AV_NOPTS_VALUE) printf("%s -\n", name);
  else printf("%s %" PRId64 "\n", name, value);
}

static void print_frame(int index, const AVFrame *frame) {
  struct AVMD5 *md5 = av_md5_alloc();
  uint8_t digest[16];
  const AVPixFmtDescriptor *layout = av_pix_fmt_desc_get(frame->format);
  int planes = av_pix_fmt_count_planes(frame->format);
  av_md5_init(md5);
  for (int plane = 0; plane < planes; plane++) {
    int shift = plane == 1 || plane == 2 ? layout->log2_chroma_h : 0;
    int rows = AV_CEIL_RSHIFT(frame->height, shift);
    int bytes = av_image_get_linesize(frame->format, frame->width, plane);
    for (int row = 0; row < rows && bytes > 0; row++)
      av_md5_update(md5, frame->data[plane] + (ptrdiff_t)row * frame->linesize[plane], bytes);
  }
  if (layout->flags & AV_PIX_FMT_FLAG_PAL) av_md5_update(md5, frame->data[1], 1024);
  av_md5_final(md5, digest);
  av_free(md5);
  if (frame->best_effort_timestamp == AV_NOPTS_VALUE) printf("frame %d - ", index);
  else printf("frame %d %" PRId64 " ", index, frame->best_effort_timestamp);
  for (int i = 0; i < 8; i++) printf("%02x", digest[i]);
  printf("\n");
}

static void drain(int index, struct line *line, AVFrame *frame) {
  for (;;) {
    int status = avcodec_receive_frame(line->decoder, frame);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return;
    if (status < 0) {
      printf("error decode %d\n", index);
      return;
    }
    int64_t time = frame->best_effort_timestamp == AV_NOPTS_VALUE ? line->next : frame->best_effort_timestamp;
    if (line->decoder->codec_type == AVMEDIA_TYPE_VIDEO) {
      print_frame(index, frame);
      line->next = time + frame->pkt_duration;
    } else {
      AVRational sample = {1, frame->sample_rate}, tick = line->decoder->pkt_timebase;
      line->samples += frame->nb_samples;
      line->rate = frame->sample_rate;
      int64_t left = av_rescale_q_rnd(line->declared_end - time, tick, sample, AV_ROUND_UP);
      line->kept += av_clip64(left, 0, frame->nb_samples);
      line->next = time + av_rescale_q(frame->nb_samples, sample, tick);
    }
    line->end = FFMAX(line->end, line->next);
    av_frame_unref(frame);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  av_log_set_level(AV_LOG_QUIET);
  AVFormatContext *format = NULL;
  int status = avformat_open_input(&format, argv[1], NULL, NULL);
  if (status < 0) {
    printf("error open %s\ndone\n", av_err2str(status));
    return 0;
  }
  if (avformat_find_stream_info(format, NULL) < 0) printf("error info\n");
  printf("container %s\n", format->iformat->name);
  print_time("start", format->start_time);
  print_time("duration", format->duration);
  AVDictionaryEntry *tag = av_dict_get(format->metadata, "iTunSMPB", NULL, 0);
  unsigned long long reserved, priming, padding, length;
  if (tag && sscanf(tag->value, " %llx %llx %llx %llx", &reserved, &priming, &padding, &length) == 4)
    printf("gapless %llu\n", length);

  static struct movie movie;
  int is_movie = !strncmp(format->iformat->name, "mov,", 4) && movie_read(&movie, argv[1]);
  unsigned count = format->nb_streams;
  struct line *lines = calloc(count ? count : 1, sizeof *lines);
  for (unsigned i = 0; i < count; i++) {
    AVStream *stream = format->streams[i];
    AVCodecParameters *parameters = stream->codecpar;
    int is_video = parameters->codec_type == AVMEDIA_TYPE_VIDEO && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
    int is_audio = parameters->codec_type == AVMEDIA_TYPE_AUDIO;
    if (!is_video && !is_audio) {
      stream->discard = AVDISCARD_ALL;
      continue;
    }
    printf("stream %u %s %d %d %s ", i, is_video ? "video" : "audio", stream->time_base.num, stream->time_base.den,
           avcodec_get_name(parameters->codec_id));
    if (stream->start_time == AV_NOPTS_VALUE) printf("-\n");
    else printf("%" PRId64 "\n", stream->start_time);
    const AVCodec *codec = avcodec_find_decoder(parameters->codec_id);
    if (!codec) {
      printf("error decoder %u\n", i);
      continue;
    }
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(decoder, parameters);
    decoder->pkt_timebase = stream->time_base;
    decoder->thread_count = 1;
    if (avcodec_open2(decoder, codec, NULL) < 0) {
      printf("error decoder %u\n", i);
      avcodec_free_context(&decoder);
      continue;
    }
    lines[i].decoder = decoder;
    lines[i].declared_end = is_movie ? movie_end(&movie, stream->id) : -1;
  }

  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  for (;;) {
    status = av_read_frame(format, packet);
    if (status == AVERROR(EAGAIN)) continue;
    if (status < 0) {
      if (status != AVERROR_EOF) printf("error read %s\n", av_err2str(status));
      break;
    }
    if ((unsigned)packet->stream_index < count) {
      struct line *line = &lines[packet->stream_index];
      if (line->decoder) {
        if (avcodec_send_packet(line->decoder, packet) < 0) printf("error decode %d\n", packet->stream_index);
        drain(packet->stream_index, line, frame);
      }
    }
    av_packet_unref(packet);
  }
  for (unsigned i = 0; i < count; i++) {
    struct line *line = &lines[i];
    if (!line->decoder) continue;
    avcodec_send_packet(line->decoder, NULL);
    drain(i, line, frame);
    if (line->decoder->codec_type == AVMEDIA_TYPE_AUDIO) {
      printf("samples %u %" PRId64 " %d ", i, line->samples, line->rate);
      if (line->declared_end >= 0) printf("%" PRId64 "\n", line->kept);
      else printf("-\n");
    }
    printf("end %u %" PRId64 "\n", i, line->end);
  }
  printf("done\n");
  return 0;
}
