// SPDX-License-Identifier: Apache-2.0
#include "CAssignedNumbers.h"

// #embed is of C23; every clang that comes with Swift 6.2 and newer has it in the C that is set here, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t text[] = {
#embed "assigned-numbers.txt"
};

const uint8_t *lantern_assigned_numbers(void) { return text; }

size_t lantern_assigned_numbers_count(void) { return sizeof text; }
