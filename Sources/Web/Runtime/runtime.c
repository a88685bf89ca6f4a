// SPDX-License-Identifier: Apache-2.0

// What Embedded Swift asks of a C library and of the compiler's runtime on WebAssembly, beside memory.

typedef __SIZE_TYPE__ size_t;
typedef unsigned long long u64;
typedef unsigned __int128 u128;

// The instructions of WebAssembly for memory do these.
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }

void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }

void *memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }

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

// Shifts of 128 bits, in halves.
u128 __ashlti3(u128 value, int count) {
    u64 low = (u64)value, high = (u64)(value >> 64);
    if (count >= 64) return (u128)(low << (count - 64)) << 64;
    if (count == 0) return value;
    return (u128)(high << count | low >> (64 - count)) << 64 | low << count;
}

u128 __lshrti3(u128 value, int count) {
    u64 low = (u64)value, high = (u64)(value >> 64);
    if (count >= 64) return high >> (count - 64);
    if (count == 0) return value;
    return (u128)(high >> count) << 64 | (low >> count | high << (64 - count));
}
