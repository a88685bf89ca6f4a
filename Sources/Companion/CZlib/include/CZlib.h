// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

/// Begins to unpack a member of gzip.
///
/// `inflateInit2` is a macro, which Swift cannot call.
///
/// Spec: RFC 1952.
int lantern_inflate_gzip(z_stream *stream);
