// SPDX-License-Identifier: Apache-2.0
// What we call of Apple's C library, as we declare it: the functions of POSIX, with the types and numbers that Apple's manual and
// POSIX give them, so that Scripts/check-apple can check who calls them without an Apple SDK. Nothing is linked with it.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef int64_t off_t;
typedef uint16_t mode_t;
typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef unsigned int nfds_t;
typedef unsigned long speed_t;
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef long time_t;
typedef int32_t pid_t;

#define STDOUT_FILENO 1
#define STDERR_FILENO 2

// MARK: Files

struct stat {
    int32_t st_dev;
    mode_t st_mode;
    uint16_t st_nlink;
    uint64_t st_ino;
    uint32_t st_uid;
    off_t st_size;
};

#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_NOCTTY 0x20000
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1

#define LOCK_EX 0x02
#define LOCK_NB 0x04

#define X_OK 0x01
#define W_OK 0x02

int access(const char *_Null_unspecified path, int mode);
int close(int descriptor);
int fsync(int descriptor);
int unlink(const char *_Null_unspecified path);
int rename(const char *_Null_unspecified from, const char *_Null_unspecified to);
int mkdir(const char *_Null_unspecified path, mode_t mode);
int stat(const char *_Null_unspecified path, struct stat *_Null_unspecified status);
ssize_t read(int descriptor, void *_Null_unspecified octets, size_t count);
ssize_t write(int descriptor, const void *_Null_unspecified octets, size_t count);
int fstat(int descriptor, struct stat *_Null_unspecified status);
int pipe(int descriptors[_Null_unspecified 2]);
char *_Null_unspecified strerror(int number);

// MARK: Folders

typedef struct {
    int __dd_fd;
} DIR;

struct dirent {
    uint64_t d_ino;
    uint16_t d_namlen;
    uint8_t d_type;
    char d_name[1024];
};

DIR *_Null_unspecified opendir(const char *_Null_unspecified path);
struct dirent *_Null_unspecified readdir(DIR *_Null_unspecified folder);
int closedir(DIR *_Null_unspecified folder);

// MARK: Waiting

struct pollfd {
    int fd;
    short events;
    short revents;
};

#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020

// MARK: Time

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

typedef enum {
    _CLOCK_REALTIME = 0,
    _CLOCK_MONOTONIC = 6
} clockid_t;

int clock_gettime(clockid_t clock, struct timespec *_Null_unspecified time);
uint64_t clock_gettime_nsec_np(clockid_t clock);

// MARK: Threads

typedef struct _opaque_pthread_t *pthread_t;
struct _opaque_pthread_t {
    long __sig;
};
typedef struct {
    long __sig;
    char __opaque[56];
} pthread_attr_t;

int pthread_attr_init(pthread_attr_t *_Nonnull attributes);
int pthread_attr_destroy(pthread_attr_t *_Nonnull attributes);
int pthread_attr_setstacksize(pthread_attr_t *_Nonnull attributes, size_t size);
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nullable argument);
int pthread_detach(pthread_t _Nonnull thread);
pthread_t _Nonnull pthread_self(void);

// MARK: Serial ports

struct termios {
    tcflag_t c_iflag;
    tcflag_t c_oflag;
    tcflag_t c_cflag;
    tcflag_t c_lflag;
    cc_t c_cc[20];
    speed_t c_ispeed;
    speed_t c_ospeed;
};

#define B9600 9600
#define B19200 19200
#define B38400 38400
#define B57600 57600
#define B115200 115200
#define B230400 230400
#define CREAD 0x00000800
#define CLOCAL 0x00008000
#define CCTS_OFLOW 0x00010000
#define CRTS_IFLOW 0x00020000
#define TCSANOW 0

int tcgetattr(int descriptor, struct termios *_Null_unspecified settings);
int tcsetattr(int descriptor, int when, const struct termios *_Null_unspecified settings);
int cfsetispeed(struct termios *_Null_unspecified settings, speed_t speed);
int cfsetospeed(struct termios *_Null_unspecified settings, speed_t speed);
void cfmakeraw(struct termios *_Null_unspecified settings);

// MARK: Sockets

struct sockaddr {
    uint8_t sa_len;
    sa_family_t sa_family;
    char sa_data[14];
};

struct sockaddr_storage {
    uint8_t ss_len;
    sa_family_t ss_family;
    char __ss_pad1[6];
    int64_t __ss_align;
    char __ss_pad2[112];
};

struct addrinfo {
    int ai_flags;
    int ai_family;
    int ai_socktype;
    int ai_protocol;
    socklen_t ai_addrlen;
    char *_Null_unspecified ai_canonname;
    struct sockaddr *_Null_unspecified ai_addr;
    struct addrinfo *_Null_unspecified ai_next;
};

#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_ERROR 0x1007
#define SO_NOSIGPIPE 0x1022
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
#define AI_PASSIVE 0x00000001
#define AI_NUMERICHOST 0x00000004
#define AI_NUMERICSERV 0x00001000
#define NI_NUMERICHOST 0x00000002
#define NI_NUMERICSERV 0x00000008

int socket(int family, int type, int protocol);
int bind(int descriptor, const struct sockaddr *_Null_unspecified address, socklen_t length);
int listen(int descriptor, int backlog);
int accept(int descriptor, struct sockaddr *_Null_unspecified address, socklen_t *_Null_unspecified length);
int connect(int descriptor, const struct sockaddr *_Null_unspecified address, socklen_t length);
ssize_t send(int descriptor, const void *_Null_unspecified octets, size_t count, int flags);
int setsockopt(int descriptor, int level, int option, const void *_Null_unspecified value, socklen_t length);
int getsockopt(
    int descriptor, int level, int option, void *_Null_unspecified value, socklen_t *_Null_unspecified length);
int getsockname(int descriptor, struct sockaddr *_Null_unspecified address, socklen_t *_Null_unspecified length);
int getaddrinfo(
    const char *_Null_unspecified host, const char *_Null_unspecified service,
    const struct addrinfo *_Null_unspecified hints, struct addrinfo *_Null_unspecified *_Null_unspecified found);
void freeaddrinfo(struct addrinfo *_Null_unspecified found);
int getnameinfo(
    const struct sockaddr *_Null_unspecified address, socklen_t length, char *_Null_unspecified host,
    socklen_t hostLength, char *_Null_unspecified service, socklen_t serviceLength, int flags);

// MARK: Errors

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define ENXIO 6
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define ENOTTY 25
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define ENETDOWN 50
#define ENETUNREACH 51
#define ECONNABORTED 53
#define ETIMEDOUT 60
#define EHOSTDOWN 64
#define EHOSTUNREACH 65
#define EPROTO 100
