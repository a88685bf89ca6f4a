# SPDX-License-Identifier: Apache-2.0
"""The other side of every interop test: devices and a central that Google Bumble plays."""

# All of Bumble that has something to describe.
import bumble.device  # noqa: F401

from peers.quiet import spare_descriptions

spare_descriptions()
