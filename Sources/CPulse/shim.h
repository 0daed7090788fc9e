// libpulse's declarations only: the library itself is opened at first use, never linked.
#ifndef SPROCKET_CPULSE_H
#define SPROCKET_CPULSE_H

#include <pulse/pulseaudio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SPROCKET_PULSE_FUNCTIONS(F)      \
  F(pa_threaded_mainloop_new)            \
  F(pa_threaded_mainloop_free)           \
  F(pa_threaded_mainloop_start)          \
  F(pa_threaded_mainloop_stop)           \
  F(pa_threaded_mainloop_lock)           \
  F(pa_threaded_mainloop_unlock)         \
  F(pa_threaded_mainloop_get_api)        \
  F(pa_threaded_mainloop_set_name)       \
  F(pa_context_new_with_proplist)        \
  F(pa_context_connect)                  \
  F(pa_context_disconnect)               \
  F(pa_context_unref)                    \
  F(pa_context_get_state)                \
  F(pa_context_errno)                    \
  F(pa_context_set_state_callback)       \
  F(pa_context_set_subscribe_callback)   \
  F(pa_context_subscribe)                \
  F(pa_context_move_sink_input_by_name)  \
  F(pa_context_rttime_new)               \
  F(pa_context_rttime_restart)           \
  F(pa_rtclock_now)                      \
  F(pa_operation_unref)                  \
  F(pa_proplist_new)                     \
  F(pa_proplist_sets)                    \
  F(pa_proplist_free)                    \
  F(pa_channel_map_init_extend)          \
  F(pa_stream_new_with_proplist)         \
  F(pa_stream_unref)                     \
  F(pa_stream_get_state)                 \
  F(pa_stream_get_index)                 \
  F(pa_stream_get_device_name)           \
  F(pa_stream_is_suspended)              \
  F(pa_stream_connect_playback)          \
  F(pa_stream_disconnect)                \
  F(pa_stream_write)                     \
  F(pa_stream_cork)                      \
  F(pa_stream_update_timing_info)        \
  F(pa_stream_get_timing_info)           \
  F(pa_stream_set_buffer_attr)           \
  F(pa_stream_proplist_update)           \
  F(pa_stream_set_state_callback)        \
  F(pa_stream_set_write_callback)        \
  F(pa_stream_set_underflow_callback)    \
  F(pa_stream_set_latency_update_callback) \
  F(pa_stream_set_moved_callback)        \
  F(pa_stream_set_suspended_callback)    \
  F(pa_stream_set_event_callback)        \
  F(pa_strerror)                         \
  F(pa_operation_cancel)                 \
  F(pa_operation_get_state)

/// The functions used, with libpulse's exact types.
typedef struct pulse_functions {
#define SPROCKET_FIELD(name) __typeof__(name) *_Nonnull name;
  SPROCKET_PULSE_FUNCTIONS(SPROCKET_FIELD)
#undef SPROCKET_FIELD
} pulse_functions;

/// The functions' names, in the order of the fields; ends with null.
static const char *const _Nullable pulse_function_names[] = {
#define SPROCKET_NAME(name) #name,
    SPROCKET_PULSE_FUNCTIONS(SPROCKET_NAME)
#undef SPROCKET_NAME
        0};

/// The name of a function by its place; null behind the last one.
static inline const char *_Nullable pulse_function_name(int place) { return pulse_function_names[place]; }

/// A counter in the kernel on which the main loop waits; the engine adds to it to wake the device thread. -1: none left.
static inline int pulse_wake_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

#endif
