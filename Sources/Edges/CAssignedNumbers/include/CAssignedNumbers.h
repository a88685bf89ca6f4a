// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The octets of assigned-numbers.txt, which lie in the program.
///
/// C takes a file as it is; a literal of Swift would be a second copy of it.
const uint8_t *_Nonnull lantern_assigned_numbers(void);

/// How many octets they are.
size_t lantern_assigned_numbers_count(void);
