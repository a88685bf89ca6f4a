// SPDX-License-Identifier: Apache-2.0
// The library has no interface: it counts by being loaded (see allocation_count.c).
