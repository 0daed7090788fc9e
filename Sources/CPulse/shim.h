// libpulse's declarations only: the library itself is opened at first use, never linked.
#ifndef SPROCKET_CPULSE_H
#define SPROCKET_CPULSE_H

#include <pulse/pulseaudio.h>

#endif
