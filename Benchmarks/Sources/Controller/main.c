// SPDX-License-Identifier: Apache-2.0
// A controller with a scripted peer, for measuring a host alone: H4 over TCP, octets and nothing more.
//
//   bench-controller ROW ROUNDS OPERATIONS PAGE HOST-PROGRAM [ARGUMENT …]
//
// It listens, starts the host program with its port as the last argument, answers what hosts ask, plays the
// peer of one row (send, receive, read, connect, scan) and reads the host's CPU clock before and after each
// round of so many operations. The rows paced-receive and paced-scan are receive and scan for the host, but come
// as from a real radio: 400 notifications or 500 reports a second, one at a time. PAGE is a file of 4096 octets
// that the host maps: word 0 counts allocations (allocation_count.c), word 1 operations that the host has done,
// words 8 and on take durations in ns. Prints one JSON object. ACL data length 251, 20 packets; completed packets
// are reported once for all that came together. A host that switches Controller To Host flow control on is sent
// no more than it has room for. But for the paced rows both run on one processor: on two, most of what is measured
// would be the waking of the other one, which on a virtual machine costs 30 to 50 µs a packet, whatever the host.

#define _GNU_SOURCE

#include "output.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS_LIMIT = 64, WINDOW = 256, CHUNK = 32, MTU = 247, VALUE = 244 };

static enum { SEND, RECEIVE, READ, CONNECT, RECONNECT, SCAN } row;
static const char *const row_names[] = {"send", "receive", "read", "connect", "reconnect", "scan"};
// Between two pieces of a paced row, in ns; 0 when they come as fast as the host takes them.
static uint64_t pace;
static uint64_t rounds, operations;
static volatile uint64_t *page;
static pid_t host;
static clockid_t host_clock;

// What has come in part.
static uint8_t in[1 << 16];
static size_t in_length;

// Where the script is.
static uint64_t done, completed;
static int is_linked, is_pouring;
static uint16_t value_handle;
static uint64_t marks[ROUNDS_LIMIT + 1], allocations[ROUNDS_LIMIT + 1], marked;

void stop(const char *what) {
    fprintf(stderr, "bench-controller: %s\n", what);
    if (host > 0) kill(host, SIGKILL);
    exit(1);
}

static void mark(void) {
    struct timespec time;
    if (marked > rounds) return;
    if (clock_gettime(host_clock, &time) != 0) stop("the host's clock cannot be read");
    marks[marked] = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    allocations[marked++] = page[0];
}

// The host is done: tells what was measured. The first round warms up and is left out.
static void finish(void) {
    printf("{\"row\": \"%s%s\", \"operations\": %llu, \"cpu_ns\": [", pace > 0 ? "paced-" : "",
           row_names[row], (unsigned long long)operations);
    for (uint64_t i = 1; i < rounds; i++) {
        printf("%s%.1f", i > 1 ? ", " : "", (double)(marks[i + 1] - marks[i]) / (double)operations);
    }
    printf("], \"allocations\": [");
    for (uint64_t i = 1; i < rounds; i++) {
        printf("%s%.2f", i > 1 ? ", " : "",
               (double)(allocations[i + 1] - allocations[i]) / (double)operations);
    }
    printf("], \"duration_ns\": [");
    for (uint64_t i = 8; (row == CONNECT || row == RECONNECT) && i < 512 && page[i] > 0; i++) {
        printf("%s%llu", i > 8 ? ", " : "", (unsigned long long)page[i]);
    }
    printf("]}\n");
    fflush(stdout);
    // So that a profiler around it can still write what it has found.
    kill(host, SIGTERM);
    waitpid(host, NULL, 0);
    exit(0);
}

// Counts an operation of a row whose operations this side sees.
static void count(void) {
    done++;
    if (done % operations == 0) mark();
    if (marked > rounds) finish();
}

static void take_in(void);

// Lets so many ns pass, and takes in what the host says meanwhile.
static void nap(long nanoseconds) {
    const struct timespec time = {0, nanoseconds};
    struct pollfd ready = {.fd = peer, .events = POLLIN};
    if (ppoll(&ready, 1, &time, NULL) > 0) take_in();
    if (waitpid(host, NULL, WNOHANG) == host) stop("the host has ended");
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Sends notifications or advertising reports, as fast as the host takes them or at the pace of the row.
static void pour(void) {
    static uint8_t notification[3 + VALUE] = {0x1B, 3, 0};
    // Flags, 16-bit services, the name, the maker's data: 31 octets.
    static const uint8_t data[31] = {2,    1,   6,   3,   3,   0x0F, 0x18, 9,    9,    'L', 'a',
                                     'n',  't', 'e', 'r', 'n', '1',  13,   0xFF, 0x4C, 0,   2,
                                     0x15, 1,   2,   3,   4,   5,    6,    7,    8};
    uint8_t report[12 + sizeof data] = {2, 1, 0, 1, 0, 0xEE, 0xFF, 0xC0, 0xDE, 0xC0, sizeof data};
    memcpy(report + 11, data, sizeof data);
    report[sizeof report - 1] = 0xC4;
    // The host first does what follows from its command being carried out.
    for (const uint64_t start = now(); now() - start < 100000000u;) nap(50000);
    mark();
    uint64_t due = now();
    for (uint64_t sent = 0; sent < rounds * operations;) {
        while (sent - page[1] > WINDOW - CHUNK) nap(50000);
        for (due += pace; pace > 0 && now() < due;) nap((long)(due > now() ? due - now() : 0));
        for (int i = 0; i < (pace > 0 ? 1 : CHUNK); i++, sent++) {
            if (row == RECEIVE) {
                for (; !has_room(); nap(50000)) flush();
                memcpy(notification + 3, &sent, sizeof sent);
                att(notification, sizeof notification);
            } else {
                // A hundred advertisers in turn.
                report[4] = (uint8_t)(sent % 100);
                event(0x3E, report, sizeof report);
            }
        }
        flush();
        if (sent % operations == 0) {
            while (page[1] < sent) nap(50000);
            mark();
            due = now();
        }
    }
    finish();
}

// Asks for the value of our characteristic, by its UUID.
static void find_value(void) { att("\x08\x01\x00\xFF\xFF\xF1\xFF", 7); }

static void read_value(void) {
    const uint8_t request[] = {0x0A, value_handle & 0xFF, (uint8_t)(value_handle >> 8)};
    att(request, sizeof request);
}

static void attribute_not_found(const uint8_t *pdu) {
    const uint8_t error[] = {1, pdu[0], pdu[1], pdu[2], 0x0A};
    att(error, sizeof error);
}

// The peer's ATT: a client of hosts that serve, a server of one service for hosts that connect.
static void receive_att(const uint8_t *pdu, size_t length) {
    if (length < 1) return;
    switch (pdu[0]) {
    case 0x02: att("\x03\xF7\x00", 3); break;
    case 0x03: find_value(); break;
    case 0x04:
        if (get16(pdu + 1) <= 4 && get16(pdu + 3) >= 4) att("\x05\x01\x04\x00\x02\x29", 6);
        else attribute_not_found(pdu);
        break;
    case 0x06: attribute_not_found(pdu); break;
    case 0x08:
        if (get16(pdu + 1) <= 2 && get16(pdu + 5) == 0x2803) {
            att("\x09\x07\x02\x00\x12\x03\x00\xF1\xFF", 9);
        } else attribute_not_found(pdu);
        break;
    case 0x09: {
        value_handle = get16(pdu + 2);
        const uint16_t descriptor = (uint16_t)(value_handle + 1);
        const uint8_t subscribe[] = {0x12, descriptor & 0xFF, (uint8_t)(descriptor >> 8), 1, 0};
        if (row == READ) read_value(), mark();
        else att(subscribe, sizeof subscribe);
        break;
    }
    case 0x0B:
        count();
        read_value();
        break;
    case 0x10:
        if (get16(pdu + 1) == 1 && get16(pdu + 5) == 0x2800) {
            att("\x11\x06\x01\x00\x04\x00\xF0\xFF", 8);
        } else attribute_not_found(pdu);
        break;
    case 0x12:
        att("\x13", 1);
        if (row == RECEIVE) is_pouring = 1;
        break;
    case 0x13: mark(); break;
    case 0x1B: count(); break;
    case 0x01: stop("the host's server refuses what the row needs");
    }
}

static void receive_acl(const uint8_t *packet, size_t length) {
    completed++;
    // Only whole frames on the channel of ATT: no row needs more.
    if (length > 9 && (packet[2] & 0x10) == 0 && get16(packet + 7) == 4) {
        receive_att(packet + 9, length - 9);
    }
}

static void connected(uint8_t role, const uint8_t *address) {
    uint8_t parameters[19] = {1, 0, HANDLE & 0xFF, 0, role, 1};
    link_changed(1);
    memcpy(parameters + 6, address, 6);
    memcpy(parameters + 12, "\x18\x00\x00\x00\xF4\x01\x00", 7);
    event(0x3E, parameters, sizeof parameters);
}

static void receive_command(const uint8_t *packet) {
    static const uint8_t central[] = {1, 0xEE, 0xFF, 0xC0, 0xDE, 0xC0};
    static uint8_t commands[65];
    const uint16_t opcode = get16(packet + 1);
    switch (opcode) {
    case 0x0406:
        status(opcode);
        event(0x05, "\x00\x40\x00\x16", 4);
        link_changed(0);
        break;
    case 0x041D:
        status(opcode);
        event(0x0C, "\x00\x40\x00\x0D\xFF\xFF\x00\x00", 8);
        break;
    case 0x0C03:
    case 0x0C31:
    case 0x0C33:
    case 0x0C35: receive_flow_command(packet); break;
    case 0x1001: complete(opcode, "\0\x0D\0\0\x0D\xFF\xFF\0\0", 9); break;
    case 0x1002:
        // Disconnect, flow control towards the host, Read BD_ADDR, LE event mask, buffer size and features.
        commands[1 + 0] = 0x20;
        commands[1 + 10] = 0xE0;
        commands[1 + 15] = 0x02;
        commands[1 + 25] = 0x07;
        complete(opcode, commands, sizeof commands);
        break;
    case 0x1003: complete(opcode, "\0\0\0\0\0\x60\0\0\0", 9); break;
    case 0x1009: complete(opcode, "\0\x01\x02\x03\x04\x05\x06", 7); break;
    case 0x2002: complete(opcode, "\0\xFB\0\x14", 4); break;
    // It encrypts, and nothing else.
    case 0x2003: complete(opcode, "\0\1\0\0\0\0\0\0\0", 9); break;
    case 0x2018: complete(opcode, "\0\1\2\3\4\5\6\7\x08", 9); break;
    case 0x200A:
        complete(opcode, "\0", 1);
        // One central comes, however long the host goes on advertising.
        if (packet[4] == 1 && !is_linked) {
            is_linked = 1;
            connected(1, central);
            att("\x02\xF7\x00", 3);
        }
        break;
    case 0x200C:
        complete(opcode, "\0", 1);
        if (packet[4] == 1 && row == SCAN) is_pouring = 1;
        break;
    case 0x200D:
        status(opcode);
        connected(0, packet + 10);
        break;
    case 0x2019:
        // Encryption begins, and is on.
        status(opcode);
        event(0x08, "\0\x40\0\1", 4);
        break;
    case 0x2016:
        status(opcode);
        event(0x3E, "\x04\x00\x40\x00\0\0\0\0\0\0\0\0", 12);
        break;
    default: complete(opcode, "\0", 1);
    }
}

// Takes whole packets out of what came; gives how many octets they had.
static size_t receive_packets(const uint8_t *octets, size_t length) {
    size_t position = 0;
    while (position + 5 <= length || (position + 4 <= length && octets[position] == 1)) {
        const uint8_t *packet = octets + position;
        const size_t size = packet[0] == 2 ? 5u + get16(packet + 3) : 4u + packet[3];
        if (packet[0] != 1 && packet[0] != 2) stop("the host does not speak H4");
        if (position + size > length) break;
        if (packet[0] == 1) receive_command(packet);
        else receive_acl(packet, size);
        position += size;
    }
    return position;
}

// Reads once and deals with it.
static void take_in(void) {
    const ssize_t got = read(peer, in + in_length, sizeof in - in_length);
    if (got <= 0) stop("the host has gone");
    in_length += (size_t)got;
    begin();
    const size_t used = receive_packets(in, in_length);
    in_length -= used;
    memmove(in, in + used, in_length);
    settle((uint8_t)completed);
    completed = 0;
}

// Runs this program and the host on one processor, the first of those that it may use.
static void take_one_processor(void) {
    cpu_set_t all, one;
    int first = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0) return;
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void start_host(int listener, char **arguments, int number) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    char port[8];
    char *command[64];
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) stop("no port");
    snprintf(port, sizeof port, "%d", ntohs(address.sin_port));
    for (int i = 0; i < number; i++) command[i] = arguments[i];
    command[number] = port;
    command[number + 1] = NULL;
    host = fork();
    if (host == 0) {
        // What the host prints must not stand in the result.
        dup2(STDERR_FILENO, STDOUT_FILENO);
        const char *shim = getenv("BENCH_PRELOAD");
        if (shim) setenv("LD_PRELOAD", shim, 1);
        execv(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    if (host < 0 || clock_getcpuclockid(host, &host_clock) != 0) stop("the host cannot be started");
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments < 6 || count_of_arguments > 40) {
        stop("usage: bench-controller ROW ROUNDS OPERATIONS PAGE HOST-PROGRAM [ARGUMENT …]");
    }
    int found = 0;
    const char *name = arguments[1];
    if (strcmp(name, "paced-receive") == 0) pace = 1000000000u / 400;
    if (strcmp(name, "paced-scan") == 0) pace = 1000000000u / 500;
    if (pace > 0) name += strlen("paced-");
    for (int i = 0; i <= SCAN; i++) {
        if (strcmp(name, row_names[i]) == 0) row = i, found = 1;
    }
    rounds = strtoull(arguments[2], NULL, 10);
    operations = strtoull(arguments[3], NULL, 10);
    if (!found || rounds < 2 || rounds > ROUNDS_LIMIT || operations == 0) stop("no such row or number");
    if (row != CONNECT && row != RECONNECT && pace == 0 && operations % CHUNK != 0) stop("operations come in chunks of 32");

    int file = open(arguments[4], O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, 4096) != 0) stop("the page cannot be made");
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) stop("the page cannot be mapped");
    setenv("BENCH_PAGE", arguments[4], 1);
    if (pace == 0) take_one_processor();

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) stop("no port is free");
    if (listen(listener, 1) != 0) stop("cannot listen");
    start_host(listener, arguments + 5, count_of_arguments - 5);
    signal(SIGPIPE, SIG_IGN);
    alarm(300);
    peer = accept(listener, NULL, NULL);
    const int on = 1;
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

    for (;;) {
        if ((row == CONNECT || row == RECONNECT) && page[1] / operations >= marked) mark();
        if (marked > rounds) finish();
        if (is_pouring) pour();
        take_in();
    }
}
