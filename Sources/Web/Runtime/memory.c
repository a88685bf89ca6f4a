// SPDX-License-Identifier: Apache-2.0

// Memory for WebAssembly, which gives back what it gets: blocks in sizes of four steps to the power of two, freed ones kept in a list for
// each size, and the rest of the heap in one piece that grows. A block that is freed is used for the next of its size; memory that the
// engine has once needed for many small things serves small things only, which is what an engine does that runs for days.

typedef __SIZE_TYPE__ size_t;

extern unsigned char __heap_base;

// Each block begins with its class, in the octets before what is handed out.
enum { HEADER = 16, CLASSES = 100, SMALLEST = 16 };

struct block {
    size_t class;
    struct block *next;
};

static struct block *freed[CLASSES];
static size_t rest, end;
static size_t used;

// The octets of a class: 16, 20, 24, 28, 32, 40, 48, 56, 64, … rounded up to 16.
static size_t size_of(size_t class) {
    size_t size = ((size_t)(4 + (class & 3)) << (class >> 2)) * (SMALLEST / 4);
    return (size + 15) & ~(size_t)15;
}

static size_t class_of(size_t count) {
    size_t class = 0;
    while (class < CLASSES && size_of(class) < count) class++;
    return class;
}

static void *fresh(size_t count) {
    if (rest == 0) rest = end = ((size_t)&__heap_base + 15) & ~(size_t)15;
    if (end < (size_t)__builtin_wasm_memory_size(0) * 65536) end = (size_t)__builtin_wasm_memory_size(0) * 65536;
    if (count > end - rest) {
        size_t pages = (count - (end - rest) + 65535) / 65536;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
        end += pages * 65536;
    }
    void *start = (void *)rest;
    rest += count;
    return start;
}

void *malloc(size_t count) {
    if (count > 0x70000000) return 0;
    size_t class = class_of(count);
    if (class >= CLASSES) return 0;
    struct block *block = freed[class];
    if (block) {
        freed[class] = block->next;
    } else {
        block = fresh(HEADER + size_of(class));
        if (!block) return 0;
        block->class = class;
    }
    used += size_of(class);
    return (char *)block + HEADER;
}

void free(void *memory) {
    if (!memory) return;
    struct block *block = (struct block *)((char *)memory - HEADER);
    used -= size_of(block->class);
    // Nothing that was secret lies about.
    __builtin_memset(memory, 0, size_of(block->class));
    block->next = freed[block->class];
    freed[block->class] = block;
}

// Everything that is handed out lies at 16 octets; nobody here asks for more.
int posix_memalign(void **memory, size_t alignment, size_t count) {
    if (alignment > 16) return 22;
    *memory = malloc(count);
    return *memory ? 0 : 12;
}

// How many octets are handed out.
size_t lantern_memory_used(void) { return used; }
