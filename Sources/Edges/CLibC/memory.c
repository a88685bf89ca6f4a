// SPDX-License-Identifier: Apache-2.0
#include "CLibC.h"

#ifdef __GLIBC__

#include <malloc.h>

void lantern_give_memory_back(void) {
    mallopt(M_ARENA_MAX, 2);
    // To set one of them ends the learning.
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    // Less would be given back and asked for again with each commit of a busy hub.
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
}

#else

void lantern_give_memory_back(void) {}

#endif
