// What the libraries cost and nothing else: floor first|decode|realtime FILE THREADS [SECONDS]
//   first     opens without stream probing and decodes until the first video frame
//   decode    decodes all video as fast as it goes and prints frames per second
//   realtime  decodes video and sound of SECONDS, each frame at its time, and drops them
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  int first = !strcmp(argv[1], "first"), realtime = !strcmp(argv[1], "realtime");
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
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  double begin = now();
  long frames = 0;
  int over = 0;
  while (!over && av_read_frame(format, packet) >= 0) {
    AVCodecContext *decoder = packet->stream_index < 16 ? decoders[packet->stream_index] : NULL;
    if (decoder) {
      avcodec_send_packet(decoder, packet);
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
  printf("%.2f\n", frames / (now() - begin));
  return 0;
}
