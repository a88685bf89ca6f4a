// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <stdint.h>

/// Waits as poll(2) does, up to so many microseconds; for ever when that is negative.
///
/// Linux hides ppoll(2) from Swift, and milliseconds are too coarse for the events of a connection. Where there is
/// no ppoll(2), the time is rounded up to milliseconds.
int lantern_poll(struct pollfd *descriptors, nfds_t count, int64_t microseconds);

/// Has memory that is free again given back, where the C library keeps it otherwise.
///
/// glibc learns to keep buffers of up to 32 MB once one of them was freed, and has a heap for each of eight threads a core: a
/// program that works for weeks stays as large as in its busiest minute. Elsewhere this does nothing.
void lantern_give_memory_back(void);
