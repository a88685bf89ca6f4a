// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;

/// An error as a message carries it.
typedef struct {
    const char *_Nullable name;
    const char *_Nullable message;
    int _need_free;
} sd_bus_error;

typedef int (*sd_bus_message_handler_t)(sd_bus_message *message, void *_Nullable context, sd_bus_error *_Nullable error);

/// What of sd-bus(3) is used; each is named as there, without `sd_bus_`.
struct lantern_sd_bus {
    int (*_Nonnull new)(sd_bus *_Nullable *_Nonnull bus);
    int (*_Nonnull set_address)(sd_bus *bus, const char *address);
    int (*_Nonnull set_bus_client)(sd_bus *bus, int is_client);
    int (*_Nonnull start)(sd_bus *bus);
    sd_bus *_Nullable (*_Nonnull close_unref)(sd_bus *bus);
    int (*_Nonnull get_fd)(sd_bus *bus);
    int (*_Nonnull get_events)(sd_bus *bus);
    int (*_Nonnull get_timeout)(sd_bus *bus, uint64_t *microseconds);
    int (*_Nonnull process)(sd_bus *bus, sd_bus_message *_Nullable *_Nullable message);
    int (*_Nonnull call_async)(
        sd_bus *bus, sd_bus_slot *_Nullable *_Nullable slot, sd_bus_message *message, sd_bus_message_handler_t handler,
        void *_Nullable context, uint64_t microseconds);
    int (*_Nonnull add_match_async)(
        sd_bus *bus, sd_bus_slot *_Nullable *_Nullable slot, const char *match, sd_bus_message_handler_t handler,
        sd_bus_message_handler_t _Nullable installed, void *_Nullable context);
    int (*_Nonnull add_fallback)(
        sd_bus *bus, sd_bus_slot *_Nullable *_Nullable slot, const char *prefix, sd_bus_message_handler_t handler,
        void *_Nullable context);
    sd_bus_slot *_Nullable (*_Nonnull slot_unref)(sd_bus_slot *slot);
    int (*_Nonnull send)(sd_bus *bus, sd_bus_message *message, uint64_t *_Nullable cookie);
    int (*_Nonnull message_new_signal)(
        sd_bus *bus, sd_bus_message *_Nullable *_Nonnull message, const char *path, const char *interface,
        const char *member);
    int (*_Nonnull message_new_method_return)(sd_bus_message *call, sd_bus_message *_Nullable *_Nonnull message);
    int (*_Nonnull message_new_method_error)(
        sd_bus_message *call, sd_bus_message *_Nullable *_Nonnull message, const sd_bus_error *error);
    int (*_Nonnull message_get_expect_reply)(sd_bus_message *message);
    sd_bus_message *_Nullable (*_Nonnull message_ref)(sd_bus_message *message);
    int (*_Nonnull message_new_method_call)(
        sd_bus *bus, sd_bus_message *_Nullable *_Nonnull message, const char *destination, const char *path,
        const char *_Nullable interface, const char *member);
    sd_bus_message *_Nullable (*_Nonnull message_unref)(sd_bus_message *message);
    int (*_Nonnull message_append_basic)(sd_bus_message *message, char type, const void *value);
    int (*_Nonnull message_append_array)(sd_bus_message *message, char type, const void *_Nullable octets, size_t size);
    int (*_Nonnull message_open_container)(sd_bus_message *message, char type, const char *contents);
    int (*_Nonnull message_close_container)(sd_bus_message *message);
    int (*_Nonnull message_read_basic)(sd_bus_message *message, char type, void *value);
    int (*_Nonnull message_read_array)(
        sd_bus_message *message, char type, const void *_Nullable *_Nonnull octets, size_t *size);
    int (*_Nonnull message_peek_type)(
        sd_bus_message *message, char *_Nullable type, const char *_Nullable *_Nullable contents);
    int (*_Nonnull message_enter_container)(sd_bus_message *message, char type, const char *_Nullable contents);
    int (*_Nonnull message_exit_container)(sd_bus_message *message);
    const sd_bus_error *_Nullable (*_Nonnull message_get_error)(sd_bus_message *message);
    const char *_Nullable (*_Nonnull message_get_path)(sd_bus_message *message);
    const char *_Nullable (*_Nonnull message_get_interface)(sd_bus_message *message);
    const char *_Nullable (*_Nonnull message_get_member)(sd_bus_message *message);
    const char *_Nullable (*_Nonnull message_get_sender)(sd_bus_message *message);
};

/// Finds sd-bus in libsystemd when the program runs, so that neither building nor starting needs the library.
///
/// Returns NULL where there is no such library.
const struct lantern_sd_bus *_Nullable lantern_sd_bus_load(void);

#pragma clang assume_nonnull end
