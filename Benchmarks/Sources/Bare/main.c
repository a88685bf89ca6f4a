// SPDX-License-Identifier: Apache-2.0
// bench-bare ROW PORT: the host that bench-controller measures, with no stack at all.
//
// It waits, reads, and answers with octets that were laid out beforehand: what a row costs here before any host has
// done anything for it. No check, no timer, no flow control towards the host; never more than a yardstick.

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { VALUE = 244, CREDITS = 20, READ_LIMIT = 1 << 15 };

static enum { SEND, RECEIVE, READ, CONNECT, SCAN } row;
static const char *const row_names[] = {"send", "receive", "read", "connect", "scan"};
static volatile uint64_t *page;
static int controller;

static uint8_t in[2 * READ_LIMIT], out[1 << 14];
static size_t in_length, out_length;

// ACL packets that the controller has room for, and whether it is sent as many as it takes.
static unsigned credits = CREDITS;
static int is_pouring;
static uint64_t started;

static void stop(const char *what) {
    fprintf(stderr, "bench-bare: %s\n", what);
    exit(1);
}

static uint16_t get16(const uint8_t *octets) { return (uint16_t)(octets[0] | octets[1] << 8); }

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void put(const void *octets, size_t length) {
    if (out_length + length > sizeof out) stop("too much to send at once");
    memcpy(out + out_length, octets, length);
    out_length += length;
}

static void att(const void *pdu, uint8_t length) {
    const uint8_t header[] = {2, 0x40, 0, (uint8_t)(length + 4), 0, length, 0, 4, 0};
    put(header, sizeof header);
    put(pdu, length);
    credits--;
}

static void connect_to_peer(void) {
    started = now();
    put("\1\x0D\x20\x19\x60\0\x60\0\0\1\1\xEE\xFF\xC0\xDE\xC0\1\x0C\0\x18\0\0\0\xF4\1\0\0\0\0", 29);
}

static void receive_att(const uint8_t *pdu, uint16_t length) {
    static const uint8_t value[22] = {0x09, 22, 14, 0};
    static const uint8_t answer[21] = {0x0B};
    switch (pdu[0]) {
    case 0x02: att("\x03\x05\x02", 3); break;
    case 0x03:
        if (page[1] < 504) page[8 + page[1]] = now() - started;
        put("\1\6\4\3\x40\0\x13", 7);
        break;
    case 0x08: att(value, sizeof value); break;
    case 0x0A: att(answer, sizeof answer); break;
    case 0x12:
        att("\x13", 1);
        is_pouring = row == SEND;
        break;
    case 0x1B: page[1] += length == 3 + VALUE; break;
    }
}

static void receive_event(const uint8_t *event) {
    switch (event[0]) {
    case 0x05:
        page[1]++;
        credits = CREDITS;
        connect_to_peer();
        break;
    case 0x13: credits += get16(event + 5); break;
    case 0x3E:
        if (event[2] == 2) page[1]++;
        if (event[2] == 1 && row == CONNECT) att("\x02\x05\x02", 3);
        if (event[2] == 1 && row == RECEIVE) att("\x12\4\0\1\0", 5);
        break;
    }
}

static void receive(void) {
    size_t position = 0;
    while (position + 5 <= in_length) {
        const uint8_t *packet = in + position;
        const size_t size = packet[0] == 2 ? 5u + get16(packet + 3) : 3u + packet[2];
        if (position + size > in_length) break;
        if (packet[0] == 2) receive_att(packet + 9, get16(packet + 5));
        else receive_event(packet + 1);
        position += size;
    }
    in_length -= position;
    memmove(in, in + position, in_length);
}

static void pour(void) {
    static uint8_t notification[3 + VALUE] = {0x1B, 14, 0};
    while (is_pouring && credits > 0) att(notification, sizeof notification);
}

int main(int count, char **arguments) {
    int found = 0;
    for (int i = 0; count == 3 && i <= SCAN; i++) {
        if (strcmp(arguments[1], row_names[i]) == 0) row = i, found = 1;
    }
    const char *name = getenv("BENCH_PAGE");
    if (!found || name == NULL) stop("usage: bench-controller … bench-bare send|receive|read|connect|scan");
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open(name, O_RDWR), 0);
    if (page == MAP_FAILED) stop("the page cannot be mapped");

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((uint16_t)atoi(arguments[2]));
    controller = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(controller, (struct sockaddr *)&address, sizeof address) != 0) stop("the controller is not there");
    const int on = 1;
    setsockopt(controller, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(controller, F_SETFL, O_NONBLOCK);

    if (row == CONNECT || row == RECEIVE) connect_to_peer();
    else if (row == SCAN) put("\1\x0C\x20\2\1\0", 6);
    else put("\1\x0A\x20\1\1", 5);
    for (;;) {
        pour();
        if (out_length > 0 && send(controller, out, out_length, MSG_NOSIGNAL) != (ssize_t)out_length) {
            stop("the controller does not take everything at once");
        }
        out_length = 0;
        struct pollfd ready = {.fd = controller, .events = POLLIN};
        ppoll(&ready, 1, NULL, NULL);
        const ssize_t got = read(controller, in + in_length, READ_LIMIT);
        if (got <= 0) return 0;
        in_length += (size_t)got;
        receive();
    }
}
