// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLibC.h"

#include <limits.h>
#include <stddef.h>
#include <time.h>

#ifdef __linux__

int lantern_poll(struct pollfd *descriptors, nfds_t count, int64_t microseconds) {
    if (microseconds < 0) return ppoll(descriptors, count, NULL, NULL);
    const struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
    return ppoll(descriptors, count, &time, NULL);
}

#else

int lantern_poll(struct pollfd *descriptors, nfds_t count, int64_t microseconds) {
    if (microseconds < 0) return poll(descriptors, count, -1);
    const int64_t milliseconds = microseconds / 1000 + (microseconds % 1000 != 0);
    return poll(descriptors, count, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds);
}

#endif
