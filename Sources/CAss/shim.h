// libass's declarations only: the library itself is opened at first use, never linked.
#ifndef SPROCKET_CASS_H
#define SPROCKET_CASS_H

#include <ass/ass.h>

#define SPROCKET_ASS_FUNCTIONS(F) \
  F(ass_library_version)          \
  F(ass_library_init)             \
  F(ass_library_done)             \
  F(ass_set_message_cb)           \
  F(ass_set_extract_fonts)        \
  F(ass_add_font)                 \
  F(ass_renderer_init)            \
  F(ass_renderer_done)            \
  F(ass_set_frame_size)           \
  F(ass_set_storage_size)         \
  F(ass_set_fonts)                \
  F(ass_set_cache_limits)         \
  F(ass_render_frame)             \
  F(ass_new_track)                \
  F(ass_free_track)               \
  F(ass_track_set_feature)        \
  F(ass_process_codec_private)    \
  F(ass_process_chunk)            \
  F(ass_set_check_readorder)      \
  F(ass_flush_events)             \
  F(ass_free_event)

/// The functions used, with libass's exact types.
typedef struct ass_functions {
#define SPROCKET_FIELD(name) __typeof__(name) *_Nonnull name;
  SPROCKET_ASS_FUNCTIONS(SPROCKET_FIELD)
#undef SPROCKET_FIELD
} ass_functions;

/// The functions' names, in the order of the fields; ends with null.
static const char *const _Nullable ass_function_names[] = {
#define SPROCKET_NAME(name) #name,
    SPROCKET_ASS_FUNCTIONS(SPROCKET_NAME)
#undef SPROCKET_NAME
        0};

/// The name of a function by its place; null behind the last one.
static inline const char *_Nullable ass_function_name(int place) { return ass_function_names[place]; }

#endif
