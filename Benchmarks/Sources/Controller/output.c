// SPDX-License-Identifier: Apache-2.0

#include "output.h"

#include <string.h>
#include <unistd.h>

int peer;

static uint8_t out[1 << 16];
static size_t out_length;

// The host's buffers, and ACL packets that wait for one of them.
static uint8_t waiting[1 << 12];
static size_t waiting_length;
static int controls_flow, is_linked;
static uint16_t host_total, host_free;

static const uint8_t place[] = {4, 0x13, 5, 1, HANDLE & 0xFF, 0, 0, 0};

static void put(const void *octets, size_t length) {
    if (out_length + length > sizeof out) stop("too much to send at once");
    memcpy(out + out_length, octets, length);
    out_length += length;
}

void flush(void) {
    for (size_t sent = 0; sent < out_length;) {
        ssize_t count = write(peer, out + sent, out_length - sent);
        if (count <= 0) stop("the host has gone");
        sent += (size_t)count;
    }
    out_length = 0;
}

void begin(void) {
    flush();
    put(place, sizeof place);
}

void settle(uint8_t completed) {
    if (completed > 0) {
        out[6] = completed;
    } else {
        out_length -= sizeof place;
        memmove(out, out + sizeof place, out_length);
    }
    flush();
}

void event(uint8_t code, const void *parameters, uint8_t length) {
    const uint8_t header[] = {4, code, length};
    put(header, sizeof header);
    put(parameters, length);
}

void complete(uint16_t opcode, const void *result, uint8_t length) {
    uint8_t parameters[80] = {1, opcode & 0xFF, (uint8_t)(opcode >> 8)};
    memcpy(parameters + 3, result, length);
    event(0x0E, parameters, (uint8_t)(length + 3));
}

void status(uint16_t opcode) {
    const uint8_t parameters[] = {0, 1, opcode & 0xFF, (uint8_t)(opcode >> 8)};
    event(0x0F, parameters, sizeof parameters);
}

int has_room(void) { return !controls_flow || (host_free > 0 && waiting_length == 0); }

void att(const void *pdu, uint16_t length) {
    const uint16_t total = (uint16_t)(length + 4);
    const uint8_t header[] = {2, HANDLE & 0xFF, 0x20, total & 0xFF, (uint8_t)(total >> 8),
                              length & 0xFF, (uint8_t)(length >> 8), 4, 0};
    if (has_room()) {
        if (controls_flow) host_free--;
        put(header, sizeof header);
        put(pdu, length);
        return;
    }
    if (waiting_length + sizeof header + length > sizeof waiting) stop("the host has no room for data");
    memcpy(waiting + waiting_length, header, sizeof header);
    memcpy(waiting + waiting_length + sizeof header, pdu, length);
    waiting_length += sizeof header + length;
}

void link_changed(int is_up) {
    is_linked = is_up;
    host_free = host_total;
    waiting_length = 0;
}

// The host is done with packets: what has waited goes out.
static void freed(uint16_t packets) {
    host_free = (uint16_t)(host_free + packets);
    while (waiting_length > 0 && host_free > 0) {
        const size_t length = 5u + get16(waiting + 3);
        host_free--;
        put(waiting, length);
        waiting_length -= length;
        memmove(waiting, waiting + length, waiting_length);
    }
}

// Takes the entries that are right; gives whether all were.
static int receive_completed(const uint8_t *parameters, uint8_t length) {
    const uint8_t count = length > 0 ? parameters[0] : 0;
    int is_right = count > 0 && length == 1 + 4 * count;
    for (int i = 0; is_right && i < count; i++) {
        const uint8_t *entry = parameters + 1 + 4 * i;
        if (get16(entry) == HANDLE && get16(entry + 2) <= host_total - host_free) freed(get16(entry + 2));
        else is_right = 0;
    }
    return is_right;
}

void receive_flow_command(const uint8_t *packet) {
    const uint16_t opcode = get16(packet + 1);
    const char *result = "\0";
    switch (opcode) {
    case 0x0C03: controls_flow = 0; break;
    case 0x0C31:
        if (packet[3] != 1 || packet[4] > 3) result = "\x12";
        else if (is_linked || (packet[4] != 0 && host_total == 0)) result = "\x0C";
        else controls_flow = packet[4] & 1;
        break;
    case 0x0C33:
        // Nothing here is longer than one packet of 251 octets, so that nothing is cut.
        if (packet[3] != 7 || get16(packet + 4) < 251 || get16(packet + 7) == 0) result = "\x12";
        else host_total = host_free = get16(packet + 7);
        break;
    default:
        // Not answered when it is right; without flow control or a link it means nothing.
        if (!controls_flow || !is_linked || receive_completed(packet + 4, packet[3])) return;
        result = "\x12";
    }
    complete(opcode, result, 1);
}
