/* SPDX-License-Identifier: MIT */
/* Three words of each invocation are read and written as one access: by those that take part, as
 * far as the buffers reach, and nothing behind these is touched.
 */
#include "compute/exec/op_list.h"
#include "compute/kernel.h"
#include "harness.h"

#include <sys/mman.h>
#include <unistd.h>

#define LANES 128u

/* Of a buffer, in front of a page that nobody may touch. */
struct words {
    uint32_t *v;
    uint32_t wanted[7 * LANES];
    uint32_t count;
};

static uint8_t *
guarded_page(void)
{
    const size_t page_B = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages =
        mmap(NULL, 2 * page_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED && mprotect(pages + page_B, page_B, PROT_NONE) == 0);
    return pages + page_B;
}

static void
words_fill(struct words *w, uint8_t *end, uint32_t count, uint64_t *state)
{
    w->v = (uint32_t *)end - count;
    w->count = count;
    for (uint32_t n = 0; n < count; n++)
        w->wanted[n] = w->v[n] = (uint32_t)test_random(state);
}

static uint32_t
get(const struct words *w, uint32_t n)
{
    return n < w->count ? w->wanted[n] : 0;
}

static void
put(struct words *w, uint32_t n, uint32_t value)
{
    if (n < w->count)
        w->wanted[n] = value;
}

static void
expect(struct words words[4], uint32_t i)
{
    struct words *a = &words[0], *b = &words[1], *c = &words[2], *d = &words[3];
    const uint32_t v[3] = {get(a, 3 * i), get(a, 3 * i + 1), get(a, 3 * i + 2)};
    const uint32_t w[3] = {get(c, 4 * i), get(c, 4 * i + 1), get(c, 4 * i + 2)};
    for (uint32_t k = 0; k < 3; k++) {
        put(b, 3 * i + k, v[(k + 2) % 3] + w[k]);
        put(c, 4 * i + k, w[(k + 2) % 3] * 5 + v[k]);
    }
    for (uint32_t k = 0; k < 7; k++)
        put(d, 7 * i + k, 3 * get(a, 7 * i + 6 - k) + k);
}

static void
check(const struct rp_kernel *kernel, uint8_t *const ends[4], uint32_t every, uint32_t missing)
{
    static const uint32_t counts[4] = {7 * LANES, 3 * LANES, 4 * LANES - 1, 7 * LANES};
    struct words words[4];
    struct rp_descriptor buffers[BINDING_COUNT];
    uint64_t state = every + missing;
    for (uint32_t n = 0; n < 4; n++) {
        words_fill(&words[n], ends[n], counts[n] - missing, &state);
        buffers[n] =
            (struct rp_descriptor){.ptr = (uint8_t *)words[n].v, .size_B = 4 * words[n].count};
    }
    for (uint32_t i = 0; i < LANES; i += every)
        expect(words, i);
    kernel_run(kernel, buffers, &(struct grid){LANES / 64, 1, 1, {every}});
    for (uint32_t n = 0; n < 4; n++)
        REQUIRE_BYTES(words[n].v, words[n].wanted, 4 * words[n].count);
}

/* Of three words: two loads and two stores; the sevens are four and three. */
static void
three_words_are_one_access(const struct rp_kernel *kernel)
{
    uint32_t count[2] = {0, 0};
    const struct rp_program *p = kernel->rows;
    for (uint32_t i = 0; i < p->op_count; i++) {
        count[0] += p->codes[i] == RP_X_LOAD32_L && p->ops[i].n == 3;
        count[1] += p->codes[i] == RP_X_STORE32_L && p->ops[i].n == 3;
    }
    REQUIRE_EQ(count[0], 3);
    REQUIRE_EQ(count[1], 3);
}

int
main(void)
{
    uint8_t *const ends[4] = {guarded_page(), guarded_page(), guarded_page(), guarded_page()};
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("triples", isa_flags[isa]);
        three_words_are_one_access(kernel);
        for (uint32_t every = 1; every < 4; every += 2)
            for (uint32_t missing = 0; missing < 60; missing += missing < 8 ? 1 : 17)
                check(kernel, ends, every, missing);
        rp_kernel_destroy(kernel);
    }
    return 0;
}
