// FFmpeg for Swift: the headers, and constants and macros that the importer cannot see.
// Linked at load: avformat, avcodec, avutil, swresample. swscale and avfilter are opened at first use.
#ifndef SPROCKET_CFFMPEG_H
#define SPROCKET_CFFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavcodec/codec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/avstring.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/downmix_info.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/md5.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/replaygain.h>
#include <libavutil/stereo3d.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static const int FF_ERROR_EOF = AVERROR_EOF;
static const int FF_ERROR_EXIT = AVERROR_EXIT;
static const int FF_ERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int FF_ERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int FF_ERROR_DEMUXER_NOT_FOUND = AVERROR_DEMUXER_NOT_FOUND;
static const int FF_ERROR_PROTOCOL_NOT_FOUND = AVERROR_PROTOCOL_NOT_FOUND;
static const int FF_ERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int FF_ERROR_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int64_t FF_NOPTS = AV_NOPTS_VALUE;

static const uint64_t FF_CHANNEL_FRONT_LEFT = AV_CH_FRONT_LEFT;
static const uint64_t FF_LAYOUT_MONO = AV_CH_LAYOUT_MONO;
static const uint64_t FF_LAYOUT_STEREO = AV_CH_LAYOUT_STEREO;

static inline int ff_error(int posix) { return AVERROR(posix); }

static inline int ff_format_log_line(void *object, int level, const char *format, va_list arguments,
                                     char *line, int size, int *prefix) {
  return av_log_format_line2(object, level, format, arguments, line, size, prefix);
}

/// A context that writes. FFmpeg 7 made the bytes constant in its callback's type; here they are in all versions.
static inline AVIOContext *ff_writing_context(unsigned char *buffer, int size, void *opaque,
                                              int (*write)(void *opaque, const uint8_t *bytes, int size),
                                              int64_t (*seek)(void *opaque, int64_t offset, int whence)) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#else
  return avio_alloc_context(buffer, size, 1, opaque, NULL, (int (*)(void *, uint8_t *, int))write, seek);
#endif
}

/// The time base as a value: the macro is a compound literal.
static inline AVRational ff_microseconds(void) { return (AVRational){1, AV_TIME_BASE}; }

/// Four characters of a container's tag.
static inline uint32_t ff_tag(char a, char b, char c, char d) { return MKTAG(a, b, c, d); }

#endif
