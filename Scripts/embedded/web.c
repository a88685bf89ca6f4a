// SPDX-License-Identifier: Apache-2.0

// The C library and compiler runtime that Scripts/check-embedded gives to WebAssembly. Memory is never given back: what is
// linked with it runs one function and ends.

typedef __SIZE_TYPE__ size_t;
typedef unsigned long long u64;
typedef unsigned __int128 u128;

extern unsigned char __heap_base;
static size_t next_free;

static void *reserve(size_t count, size_t alignment) {
    if (next_free == 0) next_free = (size_t)&__heap_base;
    size_t start = (next_free + alignment - 1) / alignment * alignment;
    size_t pages = (start + count + 65535) / 65536;
    size_t have = __builtin_wasm_memory_size(0);
    if (pages > have && __builtin_wasm_memory_grow(0, pages - have) == (size_t)-1) return 0;
    next_free = start + count;
    return (void *)start;
}

void *malloc(size_t count) { return reserve(count, 16); }

void free(void *memory) { (void)memory; }

int posix_memalign(void **memory, size_t alignment, size_t count) {
    *memory = reserve(count, alignment > 16 ? alignment : 16);
    return *memory ? 0 : 12;
}

void *memcpy(void *to, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    if ((size_t)to <= (size_t)from) return memcpy(to, from, count);
    for (size_t i = count; i > 0; i--) ((char *)to)[i - 1] = ((const char *)from)[i - 1];
    return to;
}

void *memset(void *to, int value, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)to)[i] = (char)value;
    return to;
}

int memcmp(const void *left, const void *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int difference = ((const unsigned char *)left)[i] - ((const unsigned char *)right)[i];
        if (difference) return difference;
    }
    return 0;
}

double ceil(double value) { return __builtin_ceil(value); }

// Halves go away from zero.
double round(double value) {
    double whole = __builtin_trunc(value);
    return value - whole >= 0.5 ? whole + 1 : whole - value >= 0.5 ? whole - 1 : whole;
}

// 128 bits out of four products of 32.
u128 __multi3(u128 left, u128 right) {
    u64 a = (u64)left, b = (u64)right;
    u64 low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF), high = (a >> 32) * (b >> 32);
    u64 cross = (a >> 32) * (b & 0xFFFFFFFF) + (low >> 32);
    u64 other = (a & 0xFFFFFFFF) * (b >> 32) + (cross & 0xFFFFFFFF);
    high += (cross >> 32) + (other >> 32) + a * (u64)(right >> 64) + (u64)(left >> 64) * b;
    return (u128)high << 64 | (other << 32 | (low & 0xFFFFFFFF));
}
