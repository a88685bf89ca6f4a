# SPDX-License-Identifier: Apache-2.0
"""The other side of every interop test: devices and a central that Google Bumble plays."""
