// SPDX-License-Identifier: Apache-2.0
#include "CZlib.h"

int lantern_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
