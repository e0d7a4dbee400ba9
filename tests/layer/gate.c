/* SPDX-License-Identifier: MIT */
/* The tests' end of it: its functions by their names.
 */
#include "gate.h"

#include "fixture.h"

#include <dlfcn.h>
#include <string.h>

static void
find(const char *name, void *out, size_t size_B)
{
    void *library = dlopen(RP_TEST_LOWER, RTLD_NOW | RTLD_NOLOAD);
    REQUIRE(library);
    void *symbol = dlsym(library, name);
    REQUIRE(symbol);
    memcpy(out, &symbol, size_B);
    (void)dlclose(library);
}

bool
lower_is_own(void)
{
    void *library = dlopen(RP_TEST_LOWER, RTLD_NOW | RTLD_NOLOAD);
    if (library)
        (void)dlclose(library);
    return library != NULL;
}

bool
needs(bool is_there, const char *what)
{
    REQUIRE(is_there || (getenv("REELPIPE_TEST_DEVICE") && !lower_is_own()));
    if (!is_there)
        (void)fprintf(stderr, "left out, for want of %s\n", what);
    return is_there;
}

bool
needs_own_lower(void)
{
    return needs(lower_is_own(), "the tests' own lower device");
}

bool
needs_extension(const struct fixture *f, const char *name)
{
    return needs(fixture_has_extension(f, name), name);
}

void
gate_close(enum gate_place place)
{
    void (*set)(enum gate_place place);
    find("lower_gate_set", &set, sizeof(set));
    set(place);
}

void
gate_wait(void)
{
    void (*wait)(void);
    find("lower_gate_wait", &wait, sizeof(wait));
    wait();
}

void
gate_open(void)
{
    gate_close(GATE_NOWHERE);
}

uint32_t
lower_count(const char *function)
{
    uint32_t (*count)(void);
    find(function, &count, sizeof(count));
    return count();
}

void
lower_signal_fd(int fd)
{
    void (*function)(int fd);
    find("lower_foreign_signal", &function, sizeof(function));
    function(fd);
}

void
lower_wait_fd(int fd)
{
    void (*function)(int fd);
    find("lower_foreign_wait", &function, sizeof(function));
    function(fd);
}

void
lower_latency_wake(void)
{
    void (*function)(void);
    find("lower_foreign_wake", &function, sizeof(function));
    function();
}
