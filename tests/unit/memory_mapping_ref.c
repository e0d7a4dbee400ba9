/* SPDX-License-Identifier: MIT */
/* A reference to a mapping keeps addresses readable after the memory's end, without its pages, and
 * no longer.
 */
#include "object/memory_mapping_ref.h"

#include "object/memory.h"
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE_B (3 * 4096 - 100) /* the last page is not full */
#define PATTERN 0xa5
#define THREADS 4
#define ROUNDS 200

enum kind { PRIVATE, SHARED, FILE_BACKED, KINDS };

static void
memory_init(struct rp_memory *mem, enum kind kind)
{
    memset(mem, 0, sizeof(*mem));
    mem->fd = -1;
    const VkResult result = kind == FILE_BACKED
                                ? rp_memory_map_new_fd(mem, SIZE_B)
                                : rp_memory_map_anonymous(mem, SIZE_B, kind == SHARED);
    REQUIRE_EQ(result, VK_SUCCESS);
    memset(mem->host, PATTERN, SIZE_B);
}

static bool
all_are(const uint8_t *bytes, uint8_t value)
{
    for (size_t i = 0; i < SIZE_B; i++) {
        if (bytes[i] != value)
            return false;
    }
    return true;
}

static size_t
mapped_pages(uint8_t *host)
{
    size_t count = 0;
    unsigned char residence;
    for (size_t at_B = 0; at_B < SIZE_B; at_B += 4096) {
        if (mincore(host + at_B, 1, &residence) == 0)
            count++;
        else
            REQUIRE_EQ(errno, ENOMEM);
    }
    return count;
}

static void
memory_that_nobody_holds_goes_at_once(enum kind kind)
{
    for (int is_asked_for = 0; is_asked_for < 2; is_asked_for++) {
        struct rp_memory mem;
        memory_init(&mem, kind);
        if (is_asked_for)
            REQUIRE(rp_memory_mapping_ref_get(&mem));
        rp_memory_unmap(&mem);
        REQUIRE_EQ(mapped_pages(mem.host), 0);
    }
}

static void
held_addresses_read_as_zeros(enum kind kind)
{
    struct rp_memory mem;
    memory_init(&mem, kind);
    struct rp_memory_mapping_ref *ref = rp_memory_mapping_ref_get(&mem);
    REQUIRE(ref);
    rp_memory_mapping_ref_retain(ref);
    rp_memory_mapping_ref_retain(ref);
    REQUIRE(rp_memory_mapping_ref_get(&mem) == ref);
    rp_memory_mapping_ref_release(ref);
    REQUIRE(all_are(mem.host, PATTERN));

    rp_memory_unmap(&mem);
    REQUIRE(all_are(mem.host, 0));
    rp_memory_mapping_ref_release(ref);
    REQUIRE_EQ(mapped_pages(mem.host), 0);
}

static void
a_hold_that_ends_first_changes_nothing(enum kind kind)
{
    struct rp_memory mem;
    memory_init(&mem, kind);
    struct rp_memory_mapping_ref *ref = rp_memory_mapping_ref_get(&mem);
    REQUIRE(ref);
    rp_memory_mapping_ref_retain(ref);
    rp_memory_mapping_ref_release(ref);
    REQUIRE(all_are(mem.host, PATTERN));
    rp_memory_unmap(&mem);
    REQUIRE_EQ(mapped_pages(mem.host), 0);
}

/* Whoever has imported the memory keeps its bytes. */
static void
a_file_keeps_its_bytes(void)
{
    struct rp_memory mem;
    memory_init(&mem, FILE_BACKED);
    const int fd = dup(mem.fd);
    REQUIRE(fd >= 0);
    struct rp_memory_mapping_ref *ref = rp_memory_mapping_ref_get(&mem);
    rp_memory_mapping_ref_retain(ref);
    rp_memory_unmap(&mem);
    REQUIRE(all_are(mem.host, 0));
    mem.host[0] = 1; /* nobody's */

    static uint8_t bytes[SIZE_B];
    REQUIRE_EQ(pread(fd, bytes, SIZE_B, 0), SIZE_B);
    REQUIRE(all_are(bytes, PATTERN));
    rp_memory_mapping_ref_release(ref);
    close(fd);
}

static void
foreign_memory_cannot_be_held(void)
{
    static uint8_t bytes[SIZE_B];
    struct rp_memory host = {.kind = RP_MEMORY_HOST, .host = bytes, .size_B = SIZE_B, .fd = -1};
    REQUIRE(!rp_memory_mapping_ref_get(&host));

    struct rp_memory exported, imported = {.fd = -1, .is_imported = true};
    memory_init(&exported, FILE_BACKED);
    REQUIRE_EQ(rp_memory_map_fd(&imported, dup(exported.fd),
                                VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, SIZE_B),
               VK_SUCCESS);
    REQUIRE(!rp_memory_mapping_ref_get(&imported));
    rp_memory_unmap(&imported);
    rp_memory_unmap(&exported);
    REQUIRE_EQ(mapped_pages(imported.host), 0);
}

struct round {
    struct rp_memory mem;
    pthread_barrier_t asked;
};

/* Sanitizers cannot know that pages may be replaced while they are read. */
__attribute__((no_sanitize("thread"))) static bool
has_old_or_new_bytes(const uint8_t *bytes)
{
    const volatile uint8_t *host = bytes;
    for (size_t i = 0; i < SIZE_B; i += 512) {
        const uint8_t byte = host[i];
        if (byte != PATTERN && byte != 0)
            return false;
    }
    return true;
}

/* Asks as the first, with others; reads while the memory goes; releases, maybe as the last. */
static void *
holder_run(void *arg)
{
    struct round *round = arg;
    struct rp_memory_mapping_ref *ref = rp_memory_mapping_ref_get(&round->mem);
    REQUIRE(ref);
    rp_memory_mapping_ref_retain(ref);
    pthread_barrier_wait(&round->asked);
    REQUIRE(has_old_or_new_bytes(round->mem.host));
    rp_memory_mapping_ref_release(ref);
    return NULL;
}

static void
threads_hold_while_the_memory_goes(void)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct round round;
        memory_init(&round.mem, (enum kind)(i % KINDS));
        REQUIRE_EQ(pthread_barrier_init(&round.asked, NULL, THREADS + 1), 0);
        pthread_t threads[THREADS];
        for (uint32_t t = 0; t < THREADS; t++)
            REQUIRE_EQ(pthread_create(&threads[t], NULL, holder_run, &round), 0);
        pthread_barrier_wait(&round.asked);
        rp_memory_unmap(&round.mem);
        for (uint32_t t = 0; t < THREADS; t++)
            pthread_join(threads[t], NULL);
        pthread_barrier_destroy(&round.asked);
    }
}

int
main(void)
{
    for (enum kind kind = PRIVATE; kind < KINDS; kind++) {
        memory_that_nobody_holds_goes_at_once(kind);
        held_addresses_read_as_zeros(kind);
        a_hold_that_ends_first_changes_nothing(kind);
    }
    a_file_keeps_its_bytes();
    foreign_memory_cannot_be_held();
    threads_hold_while_the_memory_goes();
    return 0;
}
