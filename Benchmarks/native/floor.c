// What the libraries cost and nothing else: floor first|decode|realtime|seek|keyframe|stills FILE THREADS [SECONDS…]
//   first     opens without stream probing and decodes until the first video frame
//   decode    decodes all video as fast as it goes and prints how many frames and frames per second
//   realtime  decodes video and sound of SECONDS, each frame at its time, and drops them
//   seek      to each of SECONDS: from the key frame before it, non-references skipped, until its frame is out
//   keyframe  to the key frame before each of SECONDS
//   stills    pictures of 320 pixels' width of SECONDS, which go up: decodes on where a target's key frame is behind
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

// Until the frame of a time is out; false when none came.
static int seek(AVFormatContext *format, AVCodecContext *decoder, int stream, double target, int exact) {
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  double tick = av_q2d(format->streams[stream]->time_base);
  int found = 0, ended = 0;
  av_seek_frame(format, stream, (int64_t)(target / tick), AVSEEK_FLAG_BACKWARD);
  avcodec_flush_buffers(decoder);
  while (!found && !ended) {
    int status = av_read_frame(format, packet);
    if (status >= 0 && packet->stream_index != stream) { av_packet_unref(packet); continue; }
    int before = status >= 0 && (packet->pts + packet->duration) * tick <= target;
    decoder->skip_frame = exact && before ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
    avcodec_send_packet(decoder, status >= 0 ? packet : NULL);
    av_packet_unref(packet);
    ended = status < 0;
    while (!found && avcodec_receive_frame(decoder, frame) == 0) {
      found = !exact || (frame->best_effort_timestamp + frame->pkt_duration) * tick > target;
      av_frame_unref(frame);
    }
  }
  av_packet_free(&packet);
  av_frame_free(&frame);
  return found;
}

static int seek_all(AVFormatContext *format, AVCodecContext **decoders, char **targets, int count, int exact) {
  int stream = 0, off = 0;
  while (stream < 16 && !decoders[stream]) stream++;
  if (stream == 16) return 1;
  double *durations = calloc(count, sizeof *durations), processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < count; i++) {
    double begin = now();
    if (!seek(format, decoders[stream], stream, atof(targets[i]), exact)) off++;
    durations[i] = now() - begin;
  }
  summarize(durations, count, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor, off);
  return 0;
}

// Non-references that end before the target are skipped, as in `seek`; prints `count ms`.
static int stills(AVFormatContext *format, AVCodecContext **decoders, char **targets, int count) {
  int stream = 0, made = 0, ended = 0;
  while (stream < 16 && !decoders[stream]) stream++;
  if (stream == 16) return 1;
  AVCodecContext *decoder = decoders[stream];
  AVStream *video = format->streams[stream];
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  struct SwsContext *scaler = NULL;
  uint8_t *pixels = NULL;
  double tick = av_q2d(video->time_base), begin = now();
  int64_t reached = INT64_MIN;
  int have = 0;
  for (int i = 0; i < count; i++) {
    double target = atof(targets[i]);
    const AVIndexEntry *entry = avformat_index_get_entry_from_timestamp(video, (int64_t)(target / tick), AVSEEK_FLAG_BACKWARD);
    if (!entry || entry->timestamp > reached) {
      av_seek_frame(format, stream, (int64_t)(target / tick), AVSEEK_FLAG_BACKWARD);
      avcodec_flush_buffers(decoder);
      have = ended = 0;
    }
    int found = have && (frame->best_effort_timestamp + frame->pkt_duration) * tick > target;
    while (!found && !ended) {
      while (!found && avcodec_receive_frame(decoder, frame) == 0) {
        have = 1;
        found = (frame->best_effort_timestamp + frame->pkt_duration) * tick > target;
      }
      if (found) break;
      int status = av_read_frame(format, packet);
      if (status >= 0 && packet->stream_index != stream) { av_packet_unref(packet); continue; }
      if (status >= 0) reached = packet->dts;
      int before = status >= 0 && (packet->pts + packet->duration) * tick <= target;
      decoder->skip_frame = before ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
      avcodec_send_packet(decoder, status >= 0 ? packet : NULL);
      av_packet_unref(packet);
      if (status < 0) {
        ended = 1;
        while (!found && avcodec_receive_frame(decoder, frame) == 0) {
          have = 1;
          found = (frame->best_effort_timestamp + frame->pkt_duration) * tick > target;
        }
      }
    }
    if (!found) continue;
    int width = 320, height = (frame->height * 320 + frame->width / 2) / frame->width;
    scaler = sws_getCachedContext(scaler, frame->width, frame->height, frame->format, width, height, AV_PIX_FMT_BGRA,
                                  SWS_BICUBIC | SWS_ACCURATE_RND, NULL, NULL, NULL);
    if (!pixels) pixels = malloc(width * height * 4);
    uint8_t *planes[4] = {pixels};
    int strides[4] = {width * 4};
    sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
    made++;
  }
  printf("%d %.2f\n", made, (now() - begin) * 1e3);
  return made == count ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  int first = !strcmp(argv[1], "first"), realtime = !strcmp(argv[1], "realtime");
  int exact = !strcmp(argv[1], "seek"), keyframe = !strcmp(argv[1], "keyframe"), still = !strcmp(argv[1], "stills");
  double seconds = argc > 4 ? atof(argv[4]) : 1e9;
  AVFormatContext *format = NULL;
  av_log_set_level(AV_LOG_QUIET);
  if (avformat_open_input(&format, argv[2], NULL, NULL) < 0) return 1;
  if (!first) avformat_find_stream_info(format, NULL);
  AVCodecContext *decoders[16] = {0};
  for (unsigned i = 0; i < format->nb_streams && i < 16; i++) {
    AVCodecParameters *parameters = format->streams[i]->codecpar;
    int wanted = parameters->codec_type == AVMEDIA_TYPE_VIDEO || (realtime && parameters->codec_type == AVMEDIA_TYPE_AUDIO);
    const AVCodec *codec = wanted ? avcodec_find_decoder(parameters->codec_id) : NULL;
    if (!codec) { format->streams[i]->discard = AVDISCARD_ALL; continue; }
    decoders[i] = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(decoders[i], parameters);
    decoders[i]->pkt_timebase = format->streams[i]->time_base;
    decoders[i]->thread_count = atoi(argv[3]);
    if (avcodec_open2(decoders[i], codec, NULL) < 0) return 1;
  }
  if (still) return stills(format, decoders, argv + 4, argc - 4);
  if (exact || keyframe) return seek_all(format, decoders, argv + 4, argc - 4, exact);
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  double begin = now();
  long frames = 0;
  int over = 0;
  for (int drained = 0; !over && !drained;) {
    drained = av_read_frame(format, packet) < 0;
    AVCodecContext *decoder = drained || packet->stream_index >= 16 ? NULL : decoders[packet->stream_index];
    for (int i = 0; drained && !decoder && i < 16; i++)
      if (decoders[i] && decoders[i]->codec_type == AVMEDIA_TYPE_VIDEO) decoder = decoders[i];
    if (decoder) {
      avcodec_send_packet(decoder, drained ? NULL : packet);
      while (!over && avcodec_receive_frame(decoder, frame) == 0) {
        double time = frame->best_effort_timestamp * av_q2d(decoder->pkt_timebase);
        if (frame->width > 0) frames++;
        if (first && frame->width > 0) over = 1;
        if (time > seconds) over = 1;
        double ahead = realtime ? begin + time - now() : 0;
        if (ahead > 0) usleep(ahead * 1e6);
        av_frame_unref(frame);
      }
    }
    av_packet_unref(packet);
  }
  printf("%ld %.2f\n", frames, frames / (now() - begin));
  return 0;
}
