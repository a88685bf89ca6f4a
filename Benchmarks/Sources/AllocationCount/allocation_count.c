// SPDX-License-Identifier: Apache-2.0
// Loaded with LD_PRELOAD in front of a host, counts its allocations in a page that the controller reads.
//
// The page is the file that BENCH_PAGE names: its first 64-bit word is the count. glibc only.

#include "allocation_count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

// Counts before the page is there go here.
static uint64_t early;
static uint64_t *count = &early;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("BENCH_PAGE");
    int file = name ? open(name, O_RDWR) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) count = page;
}

static void add(void) { __atomic_fetch_add(count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
    add();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    add();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    add();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    add();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *result = memalign(alignment, size);
    if (result == NULL) return ENOMEM;
    *block = result;
    return 0;
}
