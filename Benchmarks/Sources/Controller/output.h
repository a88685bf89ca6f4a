// SPDX-License-Identifier: Apache-2.0
// What bench-controller says to its host: packets, gathered and written at once, and no more ACL data than the
// host has room for.

#pragma once

#include <stddef.h>
#include <stdint.h>

enum { HANDLE = 0x0040 };

// Ends with a sentence; main.c has it.
void stop(const char *what);

static inline uint16_t get16(const uint8_t *octets) { return (uint16_t)(octets[0] | octets[1] << 8); }

// Where the octets go.
extern int peer;

// Keeps a place ahead of what the peer says for the packets that are completed, as a controller reports them first.
void begin(void);
// Fills the place, or cuts it out when nothing was completed, and writes everything.
void settle(uint8_t completed);
void flush(void);

void event(uint8_t code, const void *parameters, uint8_t length);
void complete(uint16_t opcode, const void *result, uint8_t length);
void status(uint16_t opcode);

// Sends a PDU of ATT, or lets it wait until the host has room.
void att(const void *pdu, uint16_t length);
// Whether a PDU would be sent at once.
int has_room(void);
// The link is up, or it has ended: what the host had of it counts as done.
void link_changed(int is_up);
// Answers Reset, Set Controller To Host Flow Control, Host Buffer Size and Host Number Of Completed Packets.
void receive_flow_command(const uint8_t *packet);
