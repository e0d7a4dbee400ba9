/* SPDX-License-Identifier: MIT */
/* Preloaded in front of the C library: what the driver asks the system for (threads, memory maps,
 * files) is counted, of all places of its code that ask or of one of them, and one of the calls
 * fails as the system would let it. Not for sanitizers.
 */
#include "../oom/driver_code.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACES_MAX 32

bool system_shim_choose(long place);
void system_shim_fail_at(long n);
long system_shim_total_count(void);
void system_shim_has_memfds(bool has);

/* Places in the order in which they first asked, by the addresses that the calls return to. */
static atomic_uintptr_t places[PLACES_MAX];
static atomic_long chosen_place = -1;
static atomic_long countdown;
static atomic_long total_count;
static atomic_bool is_without_memfds;

/* Only what this place asks for is counted from now on. Returns whether a place of this number has
 * asked already.
 */
bool
system_shim_choose(long place)
{
    atomic_store(&chosen_place, place);
    return place < PLACES_MAX && atomic_load(&places[place]);
}

void
system_shim_fail_at(long n)
{
    driver_code_find();
    atomic_store(&countdown, n);
}

long
system_shim_total_count(void)
{
    return atomic_load(&total_count);
}

/* As seccomp's filters have it; they are not counted then. */
void
system_shim_has_memfds(bool has)
{
    atomic_store(&is_without_memfds, !has);
}

static long
place_of(const void *caller)
{
    for (long i = 0; i < PLACES_MAX; i++) {
        uintptr_t found = 0;
        if (atomic_compare_exchange_strong(&places[i], &found, (uintptr_t)caller) ||
            found == (uintptr_t)caller)
            return i;
    }
    abort();
}

static bool
is_failing(const void *caller)
{
    if (!driver_code_has(caller))
        return false;
    const long place = place_of(caller);
    const long chosen = atomic_load(&chosen_place);
    if (chosen >= 0 && chosen != place)
        return false;
    atomic_fetch_add(&total_count, 1);
    return atomic_load(&countdown) > 0 && atomic_fetch_sub(&countdown, 1) == 1;
}

/* The C library's function of this name. */
static void *
real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

int
pthread_create(pthread_t *out, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *found = real("pthread_create");
    memcpy(&create, &found, sizeof(create));
    return is_failing(__builtin_return_address(0)) ? EAGAIN : create(out, attr, run, arg);
}

void *
mmap(void *address, size_t size_B, int protection, int flags, int fd, off_t offset)
{
    void *(*map)(void *, size_t, int, int, int, off_t);
    void *found = real("mmap");
    memcpy(&map, &found, sizeof(map));
    if (!is_failing(__builtin_return_address(0)))
        return map(address, size_B, protection, flags, fd, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

int
memfd_create(const char *name, unsigned int flags)
{
    int (*create)(const char *, unsigned int);
    void *found = real("memfd_create");
    memcpy(&create, &found, sizeof(create));
    if (atomic_load(&is_without_memfds)) {
        errno = EPERM;
        return -1;
    }
    if (!is_failing(__builtin_return_address(0)))
        return create(name, flags);
    errno = EMFILE;
    return -1;
}

int
ftruncate(int fd, off_t size_B)
{
    int (*truncate_to)(int, off_t);
    void *found = real("ftruncate");
    memcpy(&truncate_to, &found, sizeof(truncate_to));
    if (!is_failing(__builtin_return_address(0)))
        return truncate_to(fd, size_B);
    errno = ENOSPC;
    return -1;
}
