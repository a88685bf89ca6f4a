// SPDX-License-Identifier: Apache-2.0
#include "CZlib.h"

int lantern_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

int lantern_deflate_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
}

int lantern_deflate_gzip_quickly(z_stream *stream) {
    // A window of 8 KiB reaches over some twenty objects of a list, which are alike.
    return deflateInit2(stream, Z_BEST_SPEED, Z_DEFLATED, 16 + 13, 6, Z_DEFAULT_STRATEGY);
}
