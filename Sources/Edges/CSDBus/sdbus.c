// SPDX-License-Identifier: Apache-2.0
#include "CSDBus.h"

#include <dlfcn.h>
#include <pthread.h>

static struct lantern_sd_bus table;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    int is_whole = 1;
#define FIND(name) \
    *(void **)&table.name = dlsym(library, "sd_bus_" #name); \
    if (*(void **)&table.name == NULL) is_whole = 0
    FIND(new);
    FIND(set_address);
    FIND(set_bus_client);
    FIND(start);
    FIND(close_unref);
    FIND(get_fd);
    FIND(get_events);
    FIND(get_timeout);
    FIND(process);
    FIND(call_async);
    FIND(add_match_async);
    FIND(add_fallback);
    FIND(slot_unref);
    FIND(send);
    FIND(message_new_signal);
    FIND(message_new_method_return);
    FIND(message_new_method_error);
    FIND(message_get_expect_reply);
    FIND(message_ref);
    FIND(message_new_method_call);
    FIND(message_unref);
    FIND(message_append_basic);
    FIND(message_append_array);
    FIND(message_open_container);
    FIND(message_close_container);
    FIND(message_read_basic);
    FIND(message_read_array);
    FIND(message_peek_type);
    FIND(message_enter_container);
    FIND(message_exit_container);
    FIND(message_get_error);
    FIND(message_get_path);
    FIND(message_get_interface);
    FIND(message_get_member);
    FIND(message_get_sender);
#undef FIND
    is_loaded = is_whole;
}

const struct lantern_sd_bus *lantern_sd_bus_load(void) {
    pthread_once(&once, load);
    return is_loaded ? &table : NULL;
}
