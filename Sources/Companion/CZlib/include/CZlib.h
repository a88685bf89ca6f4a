// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

/// Begins to unpack a member of gzip.
///
/// `inflateInit2` is a macro, which Swift cannot call.
///
/// Spec: RFC 1952.
int lantern_inflate_gzip(z_stream *stream);

/// Begins to pack a member of gzip, as small as zlib can.
///
/// `deflateInit2` is a macro as well.
///
/// Spec: RFC 1952.
int lantern_deflate_gzip(z_stream *stream);

/// Begins to pack a member of gzip quickly and with some 64 KiB, for what is packed anew each time and by many at once.
///
/// Spec: RFC 1952.
int lantern_deflate_gzip_quickly(z_stream *stream);
